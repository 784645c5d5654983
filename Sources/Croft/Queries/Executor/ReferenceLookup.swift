import LMDB

/// One step from a row to the row that a reference of it names.
struct LinkHop {
  /// The column with the reference, and the same without its presence bit.
  private let column: ColumnLayout
  private let value: ColumnLayout
  private let layout: RowLayout
  /// Holds one row of another layout at a time.
  private let arena = RowArena()
  /// Where the object referred to is kept.
  let target: Table

  /// The step through a column that holds a reference.
  ///
  /// - Throws: ``StoreError/unknownModel(model:)`` where the store was opened without its model.
  init(_ place: Int, _ layout: RowLayout, _ catalog: Catalog) throws {
    column = layout.columns[place]
    value = ColumnLayout(
      index: place, storage: StorageType(column.kind, parts: column.storage.parts),
      place: column.place, presenceBit: nil)
    self.layout = layout
    guard let reference = layout.schema.columns[place].reference else {
      preconditionFailure("A path goes on behind references only.")
    }
    target = try catalog.table(of: reference.target())
  }

  /// Appends the primary key's code of the object referred to.
  ///
  /// - Returns: Whether there is a reference.
  func appendKey(of row: RowView, to key: inout _ByteBuffer) throws -> Bool {
    guard column.isPresent(in: row) else { return false }
    try key.appendCode(of: value, in: row, layout: layout, cut: nil)
    return true
  }

  /// Lends the row referred to; nil where the reference is nil.
  func withTarget<R>(
    of row: RowView, in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (RowView?) throws -> R
  ) throws -> R {
    var key = _ByteBuffer()
    guard try appendKey(of: row, to: &key) else { return try body(nil) }
    // Safety: the key does not change during the call.
    return try unsafe withTarget(ofKey: key.bytes, in: transaction, body)
  }

  /// Lends the row of a primary key's code; nil where there is none.
  func withTarget<R>(
    ofKey key: UnsafeRawBufferPointer,
    in transaction: borrowing some LMDB.Transaction & ~Copyable, _ body: (RowView?) throws -> R
  ) throws -> R {
    arena.clear()
    // Safety: the key and the row are lent for the call.
    return try unsafe body(target.row(key, in: transaction, arena))
  }
}

/// A test of the object that a reference names; the verdict on each object is kept.
///
/// Confined to the run of one query.
final class LinkFilter {
  /// Past so many objects verdicts are forgotten.
  private static var mostVerdicts: Int { Threshold.linkVerdicts.value }

  private let hop: LinkHop
  private let test: Filter
  private var batch: RowBatch
  private var verdicts: [LinkKey: Bool] = [:]
  private var key = _ByteBuffer()

  init(_ hop: LinkHop, _ test: Filter) {
    self.hop = hop
    self.test = test
    batch = RowBatch(hop.target, RowArena())
  }

  /// Whether there is an object, and it passes.
  func holds(
    for row: RowView, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Bool {
    key.count = 0
    guard try hop.appendKey(of: row, to: &key) else { return false }
    // Safety: the key does not change during the call.
    return try unsafe holds(key.bytes, in: transaction)
  }

  /// Whether the object with a primary key's code exists and passes.
  func holds(
    _ bytes: UnsafeRawBufferPointer, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Bool {
    let known = unsafe LinkKey(bytes)
    if let verdict = verdicts[known] { return verdict }
    batch.clear()
    batch.arena.clear()
    if let row = try unsafe hop.target.row(bytes, in: transaction, batch.arena) {
      batch.append(row)
    }
    try test.apply(to: &batch, in: transaction)
    if verdicts.count == Self.mostVerdicts {
      CoverageMark.hit(.verdictsForgotten)
      verdicts.removeAll()
    }
    verdicts[known] = !batch.isEmpty
    return !batch.isEmpty
  }
}

/// A primary key's code that can be looked up in memory.
private enum LinkKey: Hashable {
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
struct InverseLookup {
  /// The model that refers.
  let source: Table
  private let reference: ForeignKey
  private let arena = RowArena()

  /// - Throws: ``StoreError/unknownModel(model:)`` where the store was opened without the model.
  init(_ link: InverseLink, _ catalog: Catalog) throws {
    source = try catalog.table(of: link.schema)
    guard let reference = source.references.first(where: { $0.column == link.column }) else {
      throw StoreError.corrupt(
        model: link.schema.name, key: nil, reason: "its references have no index")
    }
    self.reference = reference
  }

  /// The index that is read.
  var index: TableIndex { reference.index }

  /// Calls the body with each object that refers to a row, until it returns false.
  func forEach(
    of row: RowView, in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (RowView) throws -> Bool
  ) throws {
    // Safety: keys and rows are lent while nothing is written to the transaction.
    try unsafe source.forEachReferrer(to: row.keyBytes, by: reference, in: transaction) { key in
      arena.clear()
      guard let referrer = try unsafe source.row(key, in: transaction, arena) else { return true }
      return try body(referrer)
    }
  }
}

/// A test of the objects that refer to a row: whether one of them passes.
///
/// Confined to the run of one query.
final class InverseFilter {
  private let lookup: InverseLookup
  private let test: Filter
  private var batch: RowBatch

  init(
    _ link: InverseLink, _ condition: Expression, _ layout: RowLayout, _ catalog: Catalog
  ) throws {
    lookup = try InverseLookup(link, catalog)
    test = try Filter(condition, lookup.source.layout, catalog)
    batch = RowBatch(lookup.source, RowArena())
  }

  func holds(
    for row: RowView, in transaction: borrowing some LMDB.Transaction & ~Copyable
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
  /// The indexes that a condition reads beside its plan's: those of inverse links.
  func indexes(in condition: Expression) throws -> [TableIndex] {
    func index(_ path: ColumnPath) throws -> [TableIndex] {
      try path.measure?.source.map { [try InverseLookup($0, self).index] } ?? []
    }
    switch condition {
    case .constant, .tooDeep: return []
    case .compare(let path, _, _), .isNil(let path), .within(let path, _), .text(let path, _):
      return try index(path)
    case .columns(let left, _, let right): return try index(left) + index(right)
    case .any(let path, let condition): return try index(path) + indexes(in: condition)
    case .referred(let link, let condition):
      return try [InverseLookup(link, self).index] + indexes(in: condition)
    case .and(let terms), .or(let terms): return try terms.flatMap { try indexes(in: $0) }
    case .not(let term): return try indexes(in: term)
    }
  }
}
