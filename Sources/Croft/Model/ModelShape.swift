/// A model without its Swift type: a name, columns in declaration order, and indexes.
@usableFromInline
final class ModelShape: Sendable {
  let name: String
  let columns: [ColumnShape]
  /// The indexes that the program declares, each once.
  let indexes: [IndexShape]
  /// The primary key's place among the columns.
  let keyIndex: Int
  /// Names of stored fields that the program asks to be dropped.
  let removed: [String]

  init(
    name: String, columns: [ColumnShape], indexes: [IndexShape] = [], removed: [String] = []
  ) {
    guard let keyIndex = columns.firstIndex(where: \.isKey) else {
      preconditionFailure("\(name) has no primary key: mark one property with @PrimaryKey.")
    }
    self.name = name
    self.columns = columns
    self.indexes = indexes
    self.keyIndex = keyIndex
    self.removed = removed
  }

  var key: ColumnShape { columns[keyIndex] }

  /// A key's code as a person reads it, for error messages.
  func describe(key bytes: UnsafeRawBufferPointer) -> String {
    // Safety: the text is made while the caller lends the bytes.
    unsafe KeyText.describe(bytes, kind: key.storage.kind)
  }
}
