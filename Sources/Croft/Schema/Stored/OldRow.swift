/// A stored object before a migration, read by the names of its fields.
///
/// It may have fields that the program no longer declares, and types other than the declared ones.
public struct OldRow {
  private let source: MigrationSource
  /// The key's code, and after it the row.
  private let bytes: [UInt8]
  private let keyCount: Int
  private let isWide: Bool

  init(_ row: RecordView, of source: MigrationSource) {
    self.source = source
    // Safety: the bytes are copied while the row is borrowed.
    bytes = unsafe [UInt8](row.keyBytes) + row.rowBytes
    keyCount = row.keyCount
    isWide = row.isWide
  }

  /// The names of the stored fields, in the order in which programs added them.
  public var fields: [String] { source.entry.fields.map(\.name) }

  /// A field's value as its stored type, a wider type, or an optional of these.
  ///
  /// - Parameters:
  ///   - field: The field's present or former name.
  ///   - type: The type to read it as.
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` if there is no such field, it has
  ///   another type, or it is nil and the type is not optional.
  public subscript<V: Storable>(_ field: String, as type: V.Type = V.self) -> V {
    get throws {
      try read(field, as: V.storage) { row, layout in
        var decoder = _RecordDecoder(layout: layout)
        decoder.move(to: row)
        return try decoder.decode()
      }
    }
  }

  /// A field's value, whatever its type.
  ///
  /// - Parameter field: The field's present or former name.
  /// - Returns: The value as conditions compare it.
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` where there is no such field.
  public func value(_ field: String) throws -> StoredValue {
    let type = try source.field(field).storage
    return try read(field, as: type) { row, layout in
      try layout.columns[0].value(in: row, layout)
    }
  }

  private func read<R>(
    _ field: String, as type: StorageType, _ body: (RecordView, RecordLayout) throws -> R
  ) throws -> R {
    let arena = RecordArena()
    return try withExtendedLifetime((arena, bytes)) {
      // Safety: the bytes are immutable and live as long as the closure runs.
      try unsafe bytes.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else {
          preconditionFailure("A row has four bytes at least.")
        }
        let row = unsafe RecordView(
          key: start, keyCount: keyCount, row: start + keyCount,
          rowCount: bytes.count - keyCount, isWide: isWide)
        let plan = try source.plan(field, as: type, in: row)
        return try body(plan.transcode(row, into: arena), plan.target)
      }
    }
  }
}
