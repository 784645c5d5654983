import PageServer

/// What a form says of one object: which it is, and the texts of its properties.
struct ObjectEdit {
  /// What a form says of one property.
  struct Field {
    let name: String
    /// The stamp of the value that was read.
    var was = ""
    /// The value that was read, for people.
    var old = ""
    /// The fingerprint of the text that the form had for it.
    var seen = ""
    var text = ""
    /// Whether its box for nil is ticked.
    var isNil = false
    /// Whether its box is ticked for an empty value, or a new key, of a new object.
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
    fields = form.names(after: "set:\(row):").compactMap { name in
      func text(_ field: String) -> String? { form["\(field):\(row):\(name)"] }
      if text("take") == Self.theirs { return nil }
      return Field(
        name: name, was: text("was") ?? "", old: text("old") ?? "", seen: text("seen") ?? "",
        text: text("set") ?? "",
        isNil: text("nil") != nil, isLeftOut: text("out") != nil)
    }
  }

  /// What a form says where the value that is stored stays.
  static let theirs = "theirs"
}

extension ObjectEdit {
  /// The hidden fields by which a form says some fields once more, for the template.
  ///
  /// - Parameter fields: The fields, those of an object together: its place among the edits, and its key.
  static func hidden(_ fields: [(row: Int, key: ObjectKey, field: Field)]) -> [[String: Any]] {
    var hidden: [(name: String, value: String)] = []
    var last: Int?
    for (row, key, field) in fields {
      if last != row { hidden.append(("key:\(row)", key.path)) }
      last = row
      let end = "\(row):\(field.name)"
      hidden += [
        ("was:" + end, field.was), ("old:" + end, field.old.shown), ("seen:" + end, field.seen),
        ("set:" + end, field.text),
      ]
      if field.isNil { hidden.append(("nil:" + end, "on")) }
    }
    return hidden.map { ["field": $0.name, "value": $0.value] }
  }
}
