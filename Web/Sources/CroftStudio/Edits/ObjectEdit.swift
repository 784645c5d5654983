import Croft
import Foundation

/// What a form says of one object: which it is, and the texts of its properties.
struct ObjectEdit {
  /// What a form says of one property.
  struct Field {
    let name: String
    /// The stamp of the value that was read.
    var was = ""
    var text = ""
    /// Whether its box for nil is ticked.
    var isNil = false
    /// Whether its box for the default is ticked.
    var isLeftOut = false
  }

  /// The key; nil for a new object.
  let key: ObjectKey?
  /// The properties that the form has, by name.
  let fields: [Field]

  /// The most objects of a form.
  static let objectsMax = 100

  /// Reads the objects of a form.
  static func all(of form: FormPairs) -> [ObjectEdit] {
    (0..<objectsMax).compactMap { row in
      guard let path = form["key:\(row)"] else { return nil }
      return ObjectEdit(row, path, form)
    }
  }

  /// Reads the new object of a form.
  init(new form: FormPairs) { self.init(0, nil, form) }

  private init(_ row: Int, _ path: String?, _ form: FormPairs) {
    key = path.flatMap(ObjectKey.init(path:))
    fields = form.names(after: "set:\(row):").map { name in
      Field(
        name: name, was: form["was:\(row):\(name)"] ?? "", text: form["set:\(row):\(name)"] ?? "",
        isNil: form["nil:\(row):\(name)"] != nil, isLeftOut: form["out:\(row):\(name)"] != nil)
    }
  }
}

/// The fields of a form, as a browser sends them.
struct FormPairs {
  private var values: [String: String] = [:]
  private var order: [String] = []

  /// Reads a body; of a name that comes several times the last value counts.
  init(_ body: String) {
    for pair in body.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let texts = parts.compactMap {
        String($0).replacing("+", with: " ").removingPercentEncoding
      }
      guard texts.count == parts.count, let name = texts.first else { continue }
      if values[name] == nil { order.append(name) }
      values[name] = texts.count > 1 ? texts[1].replacing("\r\n", with: "\n") : ""
    }
  }

  /// The value of a field, with the line ends of this system; nil without one.
  subscript(name: String) -> String? { values[name] }

  /// What follows a beginning in the names of fields, in their order.
  func names(after beginning: String) -> [String] {
    order.filter { $0.hasPrefix(beginning) }.map { String($0.dropFirst(beginning.count)) }
  }
}
