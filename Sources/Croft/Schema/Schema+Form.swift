extension Schema {
  /// What tells this declaration of the model from others: a hash of all that the store minds.
  ///
  /// A store keeps the forms that it has met, so that it can tell a newer program, whose word
  /// on indexes and removed fields is final, from an older one.
  var form: String {
    var text = "\(name) \(aliases) \(removed)"
    for column in columns {
      text += "\n\(column.name) \(column.aliases) \(column.storage.text)"
      if column.isKey { text += " key" }
      if column.storeDefault != nil { text += " default" }
      if let reference = column.reference {
        text += " to \(reference.target().name) \(reference.onDelete)"
      }
    }
    for index in indexes {
      text += index.isUnique ? "\nunique" : "\nindex"
      for column in index.columns {
        text += " \(column.place)"
        if column.isDescending { text += "d" }
        if column.isCaseFolded { text += "c" }
      }
    }
    // Safety: the bytes are hashed while the text lends them.
    let hash = text.withUTF8 { unsafe KeyHash.fnv1a(UnsafeRawBufferPointer($0)) }
    return String(hash, radix: 16)
  }
}

extension ColumnDefinition {
  /// The default's bytes as they lie in a row; nil where there is none, or where it is nil.
  ///
  /// It evaluates the default.
  func evaluateDefault(of schema: Schema) -> [UInt8]? {
    guard let storeDefault else { return nil }
    let layout = RowLayout(
      schema: schema, columns: [RowColumn(name: name, storage: storage)], keyWidth: nil, id: 1)
    var encoder = _RowEncoder()
    encoder.begin(layout)
    storeDefault(&encoder)
    // Safety: `begin` made the bitmap, and the default filled in the one column.
    let row = unsafe encoder.row.bytes
    if storage.isOptional, unsafe row[4] & 1 == 0 { return nil }
    let width = storage.width
    let start = width > 0 ? layout.fixedStart : encoder.variableStart
    return unsafe [UInt8](row[start..<(width > 0 ? start + width : row.count)])
  }
}
