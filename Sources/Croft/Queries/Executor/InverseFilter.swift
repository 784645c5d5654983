import LMDB

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
