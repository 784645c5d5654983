import PageServer

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
  static func all(of form: FormFields) -> [ObjectEdit] {
    (0..<objectsMax).compactMap { row in
      guard let path = form["key:\(row)"] else { return nil }
      return ObjectEdit(row, path, form)
    }
  }

  /// Reads the new object of a form.
  init(new form: FormFields) { self.init(0, nil, form) }

  private init(_ row: Int, _ path: String?, _ form: FormFields) {
    key = path.flatMap(ObjectKey.init(path:))
    fields = form.names(after: "set:\(row):").map { name in
      Field(
        name: name, was: form["was:\(row):\(name)"] ?? "", text: form["set:\(row):\(name)"] ?? "",
        isNil: form["nil:\(row):\(name)"] != nil, isLeftOut: form["out:\(row):\(name)"] != nil)
    }
  }
}
