/// A model without its Swift type: a name and columns in declaration order.
@usableFromInline
final class ModelShape: Sendable {
  let name: String
  let columns: [ColumnShape]
  /// The primary key's place among the columns.
  let keyIndex: Int

  init(name: String, columns: [ColumnShape]) {
    guard let keyIndex = columns.firstIndex(where: \.isKey) else {
      preconditionFailure("\(name) has no primary key: mark one property with @PrimaryKey.")
    }
    self.name = name
    self.columns = columns
    self.keyIndex = keyIndex
  }

  var key: ColumnShape { columns[keyIndex] }

  /// A key's code as a person reads it, for error messages.
  func describe(key bytes: UnsafeRawBufferPointer) -> String {
    // Safety: the text is made while the caller lends the bytes.
    unsafe KeyText.describe(bytes, kind: key.storage.kind)
  }
}

/// One stored property without its Swift type.
struct ColumnShape: Sendable, Hashable {
  let name: String
  let storage: StorageType
  var isIndexed = false
  var isKey = false
  /// For the primary key: its code alone gives the value back.
  var keyRestoresValue = false

  /// Whether the row leaves the column out because the key holds it.
  var isOnlyInKey: Bool { isKey && keyRestoresValue }
}
