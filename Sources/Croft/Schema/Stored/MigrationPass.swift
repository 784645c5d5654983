import LMDB

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One run over a model's objects, each of which is carried, changed and written anew.
struct MigrationPass: ~Copyable {
  private let evolution: SchemaDiff
  private let due: [Migration]
  private let model: Table
  private let sources: [UInt16: (source: MigrationSource, carrier: RowTranscoder)]
  private let arena = RowArena()
  private let context = WriteContext()
  private var encoder = _RowEncoder()
  private var key = _ByteBuffer()
  /// Whether an object is gone, or has another key.
  private(set) var hasMoved = false

  init(_ evolution: SchemaDiff, _ due: [Migration], _ model: Table) {
    self.evolution = evolution
    self.due = due
    self.model = model
    let values = FieldValues(evolution.record)
    sources = Dictionary(
      evolution.original.layouts.map { stored in
        let source = MigrationSource(stored, of: evolution.original, evolution.schema)
        let carrier = RowTranscoder(
          from: stored, source.layout, to: evolution.layout, model.layout, values,
          fillsZero: true)
        return (stored.id, (source, carrier))
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Migrates one object.
  mutating func migrate(
    key: UnsafeRawBufferPointer, row: UnsafeRawBufferPointer,
    _ transaction: inout LMDB.WriteTransaction
  ) throws {
    CoverageMark.hit(.rowsMigrated)
    arena.clear()
    // Safety: the caller lends the bytes for the call; the count is checked before they are read.
    let id = unsafe row.count < 4 ? 0 : UInt16(row[2]) | UInt16(row[3]) << 8
    guard let (source, carrier) = sources[id],
      let old = unsafe RowView(key: key, stored: row, layout: source.layout)
    else { throw unsafe RowView.reject(key: key, row: row, layout: model.layout) }
    try old.checkSum(source.layout)
    let carried = try carried(old, source, carrier)
    guard let object = try changed(carried, OldRow(old, of: source)) else {
      hasMoved = true
      return
    }
    encoder.encode(object, model.layout)
    try model.complete(&encoder, replacing: carried)
    if unsafe KeySort.compare(encoder.key.bytes, key) != 0 { hasMoved = true }
    try model.write(&encoder, replacing: nil, in: &transaction, context)
  }

  /// The row with all that can be carried, under the key that it has or would have.
  private mutating func carried(
    _ old: RowView, _ source: MigrationSource, _ carrier: RowTranscoder
  ) throws -> RowView {
    let row = try carrier.transcode(old, into: arena)
    key.count = 0
    if evolution.record.keys == evolution.original.keys {
      unsafe key.append(contentsOf: old.keyBytes)
    } else {
      for (field, place) in zip(evolution.record.keys, model.schema.keyPlaces) {
        try appendKey(field, model.layout.columns[place].storage, old, source)
      }
    }
    // Safety: key and row stay as they are until the next object.
    return unsafe RowView(
      key: UnsafeRawPointer(key.base), keyCount: key.count, row: row.row, rowCount: row.rowCount,
      isWide: row.isWide)
  }

  /// Appends a key column's code: the stored field's where it can be one, else that of zero.
  private mutating func appendKey(
    _ field: Int, _ type: StorageType, _ old: RowView, _ source: MigrationSource
  ) throws {
    let column = source.column(of: field)
    if let column, column.storage.hasSameKeyCode(as: type) {
      try key.appendCode(of: column, in: old, layout: source.layout, cut: nil)
    } else {
      StoredValue.zero(of: type).appendKey(kind: type.kind, to: &key, cut: nil)
    }
  }

  /// The object after all closures; nil where one deletes it.
  private func changed(_ row: RowView, _ old: OldRow) throws -> (any Model)? {
    guard let type = due.first?.model else { return nil }
    var decoder = _RowDecoder(layout: model.layout)
    decoder.move(to: row)
    var object: (any Model)? = try Self.start(type, &decoder)
    for migration in due where object != nil { try migration.change?(old, &object) }
    return object
  }

  /// The object that closures are given first.
  private static func start(
    _ type: any Model.Type, _ decoder: inout _RowDecoder
  ) throws -> any Model {
    do {
      return try type.init(_row: &decoder)
    } catch StoreError.schemaMismatch(let model, let field, let reason) {
      throw StoreError.schemaMismatch(
        model: model, field: field,
        reason: "\(reason). A property that cannot be carried starts as its default, nil, or zero: "
          + "give it a default where its type has no zero")
    }
  }
}

extension StoredValue {
  /// What a value that cannot be carried starts as.
  static func zero(of type: StorageType) -> StoredValue {
    switch type.kind {
    case .bool: .bool(false)
    case .int8, .int16, .int32, .int64: .int(0)
    case .uint8, .uint16, .uint32, .uint64: .uint(0)
    case .float, .double: .double(0)
    case .date: .date(0)
    case .uuid: .uuid(0, 0)
    case .string: .string("")
    case .data, .coded: .data([])
    case .decimal: .decimal(0)
    case .compound: .data(type.parts.zero)
    }
  }
}

extension KeyParts {
  /// The code of the parts' zeroes.
  fileprivate var zero: [UInt8] {
    var code = _ByteBuffer()
    for kind in kinds {
      StoredValue.zero(of: StorageType(kind)).appendKey(kind: kind, to: &code, cut: nil)
    }
    // Safety: the bytes are copied while the buffer lives.
    return unsafe [UInt8](code.bytes)
  }
}
