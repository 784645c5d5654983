import CroftFoundation
import LMDB

/// A run over a model's objects, each of which is converted, changed and written to a new tree.
struct MigrationRun: ~Copyable {
  private let diff: SchemaDiff
  private let model: Table
  private let sources: [UInt16: (source: MigrationSource, converter: RecordTranscoder)]
  private let arena = RecordArena()
  private let context: WriteTransaction.Context
  private var encoder = _RecordEncoder()
  private var key = _ByteBuffer()
  /// The new keys of objects that have another one, where the changes are captured.
  private var moved = ByteList()
  /// Whether an object was deleted or has another key.
  private(set) var hasMoved = false

  init(_ diff: SchemaDiff, _ model: Table, _ changes: ChangeStream?) {
    context = WriteTransaction.Context(migrating: changes)
    self.diff = diff
    self.model = model
    let values = FieldValues(diff.entry)
    sources = Dictionary(
      diff.original.layouts.map { stored in
        let source = MigrationSource(stored, of: diff.original, diff.schema)
        let converter = RecordTranscoder(
          from: stored, source.layout, to: diff.layout, model.layout, values,
          fillsZero: true)
        return (stored.id, (source, converter))
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Migrates all objects: reads them from one tree and writes them to the model's.
  ///
  /// - Throws: What a closure throws; ``StoreError/duplicateKey(model:fields:key:)`` where two objects
  ///   get the same key.
  mutating func migrateAll(
    from old: Database, _ transaction: inout LMDB.WriteTransaction,
    _ progress: (MigrationProgress) -> Void
  ) throws {
    let total = try transaction.count(of: old)
    var block = CopiedRows()
    var done = 0
    repeat {
      try block.read(from: old, in: transaction)
      for place in 0..<block.count {
        // Safety: the block holds copies, which stay until it reads on.
        try unsafe migrate(key: block.key(place), row: block.row(place), &transaction)
      }
      done += block.count
      if block.count > 0 {
        progress(MigrationProgress(model: model.schema.name, done: done, total: total))
      }
    } while block.count > 0
    try captureMoved(in: transaction)
    try transaction.empty(old)
  }

  private mutating func migrate(
    key: UnsafeRawBufferPointer, row: UnsafeRawBufferPointer,
    _ transaction: inout LMDB.WriteTransaction
  ) throws {
    CoverageMark.hit(.rowsMigrated)
    arena.clear()
    // Safety: the bytes are valid during the call; the count is checked before they are read.
    let id = unsafe row.count < 4 ? 0 : UInt16(row[2]) | UInt16(row[3]) << 8
    guard let (source, converter) = sources[id],
      let old = unsafe RecordView(key: key, stored: row, layout: source.layout)
    else { throw unsafe RecordView.reject(key: key, row: row, layout: model.layout) }
    try old.checkSum(source.layout)
    let converted = try converted(old, source, converter)
    guard let object = try changed(converted, OldRow(old, of: source)) else {
      hasMoved = true
      return unsafe context.changes?.remove(key, converted, of: model) ?? ()
    }
    encoder.encode(object, model.layout)
    try model.complete(&encoder, replacing: converted)
    let keepsKey = unsafe ByteList.compare(encoder.key.bytes, key) == 0
    try model.write(&encoder, replacing: nil, in: &transaction, context)
    if keepsKey {
      context.changes?.write(encoder.view, replacing: converted, of: model)
    } else {
      hasMoved = true
      unsafe context.changes?.remove(key, converted, of: model)
      if context.changes != nil { unsafe moved.append(encoder.key.bytes) }
    }
  }

  /// Captures the objects that have another key, which may be the former one of another object.
  private func captureMoved(in transaction: borrowing LMDB.WriteTransaction) throws {
    for ordinal in 0..<moved.count {
      context.arena.clear()
      // Safety: the row is captured before anything is written.
      guard let row = try unsafe model.row(moved[ordinal], in: transaction, context.arena) else {
        continue
      }
      context.changes?.write(row, replacing: nil, of: model)
    }
  }

  /// The row with all values that can be converted, under the key that the new object starts with.
  private mutating func converted(
    _ old: RecordView, _ source: MigrationSource, _ converter: RecordTranscoder
  ) throws -> RecordView {
    let row = try converter.transcode(old, into: arena)
    key.count = 0
    if diff.entry.keys == diff.original.keys {
      unsafe key.append(contentsOf: old.keyBytes)
    } else {
      for (field, place) in zip(diff.entry.keys, model.schema.keyPlaces) {
        try appendKey(field, model.layout.columns[place].storage, old, source)
      }
    }
    // Safety: key and row stay as they are until the next object.
    return unsafe RecordView(
      key: UnsafeRawPointer(key.base), keyCount: key.count, row: row.row, rowCount: row.rowCount,
      isWide: row.isWide)
  }

  /// Appends a key column's code: the stored field's if it has the same code, otherwise zero's.
  private mutating func appendKey(
    _ field: Int, _ type: StorageType, _ old: RecordView, _ source: MigrationSource
  ) throws {
    let column = source.column(of: field)
    if let column, column.storage.hasSameKeyCode(as: type) {
      try key.appendCode(of: column, in: old, layout: source.layout, cut: nil)
    } else {
      StoredValue.zero(of: type).appendKey(kind: type.kind, to: &key, cut: nil)
    }
  }

  /// The object after all closures; nil where one deletes it.
  private func changed(_ row: RecordView, _ old: OldRow) throws -> (any Model)? {
    guard let type = diff.migrations.first?.model else { return nil }
    var decoder = _RecordDecoder(layout: model.layout)
    decoder.move(to: row)
    var object: (any Model)? = try Self.start(type, &decoder)
    for migration in diff.migrations where object != nil { try migration.change?(old, &object) }
    return object
  }

  /// The object with which the closures start.
  private static func start(
    _ type: any Model.Type, _ decoder: inout _RecordDecoder
  ) throws -> any Model {
    do {
      return try type.init(_record: &decoder)
    } catch StoreError.schemaMismatch(let model, let field, let reason) {
      throw StoreError.schemaMismatch(
        model: model, field: field,
        reason: "\(reason). A property that cannot be carried starts as its default, nil, or zero: "
          + "give it a default where its type has no zero")
    }
  }
}

/// Rows that are copied out of a tree block by block, so that rows can be written in between.
private struct CopiedRows: ~Copyable {
  /// Each row's key and then its value.
  private var items = ByteList(capacity: 1 << 16)
  private var last: [UInt8]?

  var count: Int { items.count / 2 }

  /// Reads the next block of rows; it is empty at the tree's end.
  mutating func read(
    from tree: Database, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    items.removeAll()
    let range = KeyRange(lower: last.map { .exclusive($0) } ?? .unbounded)
    try transaction.forEachBlock(of: tree, in: range) { block in
      for place in 0..<block.count {
        // Safety: the bytes are copied while the block is borrowed.
        unsafe items.append(block.entries[place].key)
        unsafe items.append(block.entries[place].value)
      }
      return false
    }
    if count > 0 { last = unsafe [UInt8](key(count - 1)) }
  }

  /// One row's key, borrowed until the next are read.
  func key(_ place: Int) -> UnsafeRawBufferPointer { unsafe items[2 * place] }

  /// One row's value, borrowed until the next are read.
  func row(_ place: Int) -> UnsafeRawBufferPointer { unsafe items[2 * place + 1] }
}

/// A layout that rows had before a migration, with the transcoders that read its fields.
///
/// Confined to the migration, which runs on one thread.
final class MigrationSource {
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
