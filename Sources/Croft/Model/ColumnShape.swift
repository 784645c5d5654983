/// One stored property without its Swift type.
struct ColumnShape: Sendable {
  let name: String
  let storage: StorageType
  var isKey = false
  /// For the primary key: its code alone gives the value back.
  var keyRestoresValue = false
  /// Names that the field had before: the store's field of such a name is this one.
  var aliases: [String] = []
  /// What the property refers to, where it holds references.
  var reference: ReferenceShape?
  /// Writes the property's default as the row's next value; nil where it has none.
  var storeDefault: (@Sendable (inout _RowEncoder) -> Void)?

  /// Whether the row leaves the column out because the key holds it.
  var isOnlyInKey: Bool { isKey && keyRestoresValue }
}
