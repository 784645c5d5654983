/// One of the layouts that the rows before a migration are of, and the ways out of it.
///
/// Confined to the migration, which runs on one thread.
final class MigrationSource {
  private struct Reading: Hashable {
    var field: Int
    var type: StorageType
  }

  let record: CatalogEntry
  let layout: RowLayout
  private let stored: CatalogEntry.Layout
  private let values: FieldValues
  private var plans: [Reading: RowTranscoder] = [:]

  init(_ stored: CatalogEntry.Layout, of record: CatalogEntry, _ schema: Schema) {
    self.stored = stored
    self.record = record
    layout = RowLayout(stored, of: record, schema)
    values = FieldValues(record)
  }

  /// The stored field of a name.
  func field(_ name: String) throws -> CatalogEntry.Field {
    let found =
      record.fields.first { $0.name == name } ?? record.fields.first { $0.isNamed(name) }
    guard let found else {
      throw StoreError.schemaMismatch(
        model: record.name, field: name,
        reason: "its stored objects have no such field; they have "
          + record.fields.map(\.name).joined(separator: ", "))
    }
    return found
  }

  /// The column of a field; nil where the layout lacks it.
  func column(of field: Int) -> ColumnLayout? {
    stored.columns.firstIndex { $0.field == field }.map { layout.columns[$0] }
  }

  /// How to read one field of a row as a type.
  func plan(_ name: String, as type: StorageType, in row: RowView) throws -> RowTranscoder {
    let field = try field(name)
    let plan = try plans[Reading(field: field.id, type: type)] ?? make(field, type)
    plans[Reading(field: field.id, type: type)] = plan
    if !type.isOptional, !plan.hasValue(at: 0, in: row) {
      // Safety: the text is made while the row is lent.
      throw unsafe StoreError.schemaMismatch(
        model: record.name, field: name,
        reason: "the row with key \(layout.schema.describe(key: row.keyBytes)) has no value for "
          + "it; read it as an optional")
    }
    return plan
  }

  private func make(_ field: CatalogEntry.Field, _ type: StorageType) throws -> RowTranscoder {
    let found = stored.columns.firstIndex { $0.field == field.id }
    let held = found.map { stored.columns[$0].storage } ?? field.storage
    guard let widening = Widening(from: held, to: type) else {
      throw StoreError.schemaMismatch(
        model: record.name, field: field.name,
        reason: "it was stored as \(held.text), which cannot be read as \(type.text)")
    }
    let target = RowLayout(
      schema: layout.schema, columns: [RowColumn(name: field.name, storage: type)], keyWidth: nil,
      id: 1)
    let step = RowTranscoder.Step(
      target: target.columns[0], source: found.map { layout.columns[$0] }, widening: widening,
      substitute: found == nil ? values.absent[field.id] : nil)
    return RowTranscoder(from: layout, to: target, [step])
  }
}
