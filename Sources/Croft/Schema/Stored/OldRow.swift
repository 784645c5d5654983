/// A stored object before a migration, read by the names of its fields.
///
/// It may have fields that the program no longer declares, and types other than the declared ones.
public struct OldRow {
  private let source: Source
  /// The key's code, and after it the row.
  private let bytes: [UInt8]
  private let keyCount: Int
  private let isWide: Bool

  init(_ row: RecordView, of source: Source) {
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

extension OldRow {
  /// A layout that rows had before a migration, with the transcoders that read its fields.
  ///
  /// Confined to the migration, which runs on one thread.
  final class Source {
    private struct Reading: Hashable {
      var field: Int
      var type: StorageType
    }

    let entry: CatalogEntry
    let layout: RecordLayout
    private let stored: CatalogEntry.Layout
    private let values: FieldValues
    private var plans: [Reading: RecordTranscoder] = [:]

    init(_ stored: CatalogEntry.Layout, of entry: CatalogEntry, _ schema: Schema) {
      self.stored = stored
      self.entry = entry
      layout = RecordLayout(stored, of: entry, schema)
      values = FieldValues(entry)
    }

    /// The stored field of a name.
    func field(_ name: String) throws -> CatalogEntry.Field {
      let found =
        entry.fields.first { $0.name == name } ?? entry.fields.first { $0.isNamed(name) }
      guard let found else {
        throw StoreError.schemaMismatch(
          model: entry.name, field: name,
          reason: "its stored objects have no such field; they have "
            + entry.fields.map(\.name).joined(separator: ", "))
      }
      return found
    }

    /// The column of a field; nil where the layout lacks it.
    func column(of field: Int) -> ColumnLayout? {
      stored.columns.firstIndex { $0.field == field }.map { layout.columns[$0] }
    }

    /// The transcoder that reads one field of a row as a type.
    func plan(_ name: String, as type: StorageType, in row: RecordView) throws -> RecordTranscoder {
      let field = try field(name)
      let plan = try plans[Reading(field: field.id, type: type)] ?? make(field, type)
      plans[Reading(field: field.id, type: type)] = plan
      if !type.isOptional, !plan.hasValue(at: 0, in: row) {
        // Safety: the text is made while the row is borrowed.
        throw unsafe StoreError.schemaMismatch(
          model: entry.name, field: name,
          reason: "the row with key \(layout.schema.describe(key: row.keyBytes)) has no value for "
            + "it; read it as an optional")
      }
      return plan
    }

    private func make(_ field: CatalogEntry.Field, _ type: StorageType) throws -> RecordTranscoder {
      let found = stored.columns.firstIndex { $0.field == field.id }
      let held = found.map { stored.columns[$0].storage } ?? field.storage
      guard let widening = RecordTranscoder.Widening(from: held, to: type) else {
        throw StoreError.schemaMismatch(
          model: entry.name, field: field.name,
          reason: "it was stored as \(held.text), which cannot be read as \(type.text)")
      }
      let target = RecordLayout(
        schema: layout.schema, columns: [ColumnDefinition(name: field.name, storage: type)],
        keyWidth: nil,
        id: 1)
      let step = RecordTranscoder.Step(
        target: target.columns[0], source: found.map { layout.columns[$0] }, widening: widening,
        substitute: found == nil ? values.oldRows[field.id] : nil)
      return RecordTranscoder(source: layout, target: target, steps: [step])
    }
  }
}
