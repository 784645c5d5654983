import LMDB

/// Finds the row that a reference of another row names.
struct ReferenceLookup {
  /// The column with the reference, and the same without its presence bit.
  private let column: ColumnLayout
  private let value: ColumnLayout
  private let layout: RecordLayout
  /// Holds one row of another layout at a time.
  private let arena = RecordArena()
  let target: Table

  /// The lookup by a column that holds a reference.
  ///
  /// - Throws: ``StoreError/unknownModel(model:)`` where the store was opened without its model.
  init(_ place: Int, _ layout: RecordLayout, _ catalog: Catalog) throws {
    column = layout.columns[place]
    value = ColumnLayout(
      index: place, storage: StorageType(column.kind, parts: column.storage.parts),
      place: column.place, presenceBit: nil)
    self.layout = layout
    guard let reference = layout.schema.columns[place].reference else {
      preconditionFailure("A path continues after references only.")
    }
    target = try catalog.table(of: reference.target())
  }

  /// Appends the primary key's code of the object referred to; false where there is no reference.
  func appendKey(of row: RecordView, to key: inout _ByteBuffer) throws -> Bool {
    guard column.isPresent(in: row) else { return false }
    try key.appendCode(of: value, in: row, layout: layout, cut: nil)
    return true
  }

  /// Passes the row referred to to a closure; nil where the reference is nil.
  func withTarget<R>(
    of row: RecordView, in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (RecordView?) throws -> R
  ) throws -> R {
    var key = _ByteBuffer()
    guard try appendKey(of: row, to: &key) else { return try body(nil) }
    // Safety: the key does not change during the call.
    return try unsafe withTarget(ofKey: key.bytes, in: transaction, body)
  }

  /// Passes the row of a primary key's code; nil where there is none.
  func withTarget<R>(
    ofKey key: UnsafeRawBufferPointer,
    in transaction: borrowing some LMDB.Transaction & ~Copyable, _ body: (RecordView?) throws -> R
  ) throws -> R {
    arena.clear()
    // Safety: the key and the row are borrowed for the call.
    return try unsafe body(target.row(key, in: transaction, arena))
  }
}

/// Tests the object that a reference names, each object once: results are cached by key.
///
/// Confined to the run of one query.
final class ReferenceFilter {
  private let lookup: ReferenceLookup
  private let test: Filter
  private var batch: Filter.Batch
  private var results: [ReferenceKey: Bool] = [:]
  private var key = _ByteBuffer()

  init(_ lookup: ReferenceLookup, _ test: Filter) {
    self.lookup = lookup
    self.test = test
    batch = Filter.Batch(lookup.target, RecordArena())
  }

  /// Whether there is an object, and it passes.
  func holds(
    for row: RecordView, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Bool {
    key.count = 0
    guard try lookup.appendKey(of: row, to: &key) else { return false }
    // Safety: the key does not change during the call.
    return try unsafe holds(key.bytes, in: transaction)
  }

  /// Whether the object with a primary key's code exists and passes.
  func holds(
    _ bytes: UnsafeRawBufferPointer, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Bool {
    let known = unsafe ReferenceKey(bytes)
    if let result = results[known] { return result }
    batch.clear()
    batch.arena.clear()
    if let row = try unsafe lookup.target.row(bytes, in: transaction, batch.arena) {
      batch.append(row)
    }
    try test.apply(to: &batch, in: transaction)
    if results.count == Threshold.cachedReferenceResults.value {
      CoverageMark.hit(.referenceCacheCleared)
      results.removeAll()
    }
    results[known] = !batch.isEmpty
    return !batch.isEmpty
  }
}

/// A primary key's code as the key of a dictionary; short codes need no allocation.
private enum ReferenceKey: Hashable {
  /// A code of eight bytes, or of sixteen.
  case word(UInt64)
  case words(UInt64, UInt64)
  case bytes([UInt8])

  init(_ code: UnsafeRawBufferPointer) {
    // Safety: the counts are checked.
    switch code.count {
    case 8: self = .word(unsafe code.loadUnaligned(as: UInt64.self))
    case 16:
      self = .words(
        unsafe code.loadUnaligned(as: UInt64.self),
        unsafe code.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    default: self = .bytes(unsafe Array(code))
    }
  }
}

/// Finds the objects that refer to a row, by the index over the references.
struct ReferrerLookup {
  let source: Table
  private let reference: ForeignKey
  private let arena = RecordArena()

  init(_ link: ReferringColumn, _ catalog: Catalog) throws {
    source = try catalog.table(of: link.schema)
    guard let reference = source.references.first(where: { $0.column == link.column }) else {
      throw StoreError.corrupt(
        model: link.schema.name, key: nil, reason: "its references have no index")
    }
    self.reference = reference
  }

  var index: EntryIndex { reference.index }

  /// Calls the body with each object that refers to a row, until it returns false.
  func forEach(
    of row: RecordView, in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (RecordView) throws -> Bool
  ) throws {
    // Safety: the key lives as long as the row.
    try unsafe source.forEachReferringRow(
      to: row.keyBytes, by: reference, in: transaction, arena, body)
  }
}

/// Tests whether one of the objects that refer to a row passes a condition.
///
/// Confined to the run of one query.
final class ReferrerFilter {
  private let lookup: ReferrerLookup
  private let test: Filter
  private var batch: Filter.Batch

  init(
    _ link: ReferringColumn, _ condition: ConditionTree, _ layout: RecordLayout, _ catalog: Catalog
  ) throws {
    lookup = try ReferrerLookup(link, catalog)
    test = try Filter(condition, lookup.source.layout, catalog)
    batch = Filter.Batch(lookup.source, RecordArena())
  }

  func holds(
    for row: RecordView, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Bool {
    var isFound = false
    try lookup.forEach(of: row, in: transaction) { referrer in
      batch.clear()
      batch.append(referrer)
      try test.apply(to: &batch, in: transaction)
      isFound = !batch.isEmpty
      return !isFound
    }
    return isFound
  }
}

extension Catalog {
  /// The indexes that are read for the value of a path: those over referring columns.
  func indexes(of path: ColumnPath) throws -> [EntryIndex] {
    try path.columns.compactMap { path in
      try path.measure?.source.map { try ReferrerLookup($0, self).index }
    }
  }

  /// The indexes that a condition reads beside its plan's: those over referring columns.
  func indexes(in condition: ConditionTree) throws -> [EntryIndex] {
    switch condition {
    case .constant, .search, .tooDeep: return []
    case .compare(let path, _, _), .isNil(let path), .within(let path, _), .text(let path, _):
      return try indexes(of: path)
    case .columns(let left, _, let right): return try indexes(of: left) + indexes(of: right)
    case .any(let path, let condition): return try indexes(of: path) + indexes(in: condition)
    case .referred(let link, let condition):
      return try [ReferrerLookup(link, self).index] + indexes(in: condition)
    case .and(let terms), .or(let terms): return try terms.flatMap { try indexes(in: $0) }
    case .not(let term): return try indexes(in: term)
    }
  }
}
