import LMDB

/// How a query reaches its rows and puts them in order.
///
/// Whatever is chosen, the result is the same: the access brings at least the rows that match,
/// the residual drops the others, and they are sorted where they do not come in order.
struct Plan: Sendable {
  enum Access: Sendable {
    /// No row can match.
    case nothing
    /// Rows by primary key, within a range.
    case rows(KeyRange)
    /// Single rows by their keys' codes, ascending.
    case keys([[UInt8]])
    /// Index entries within disjoint ranges, ascending.
    case index(IndexStorage, [KeyRange])
    /// The rows that any of some accesses brings.
    case union([Access])
  }

  /// In which order an access brings its rows.
  enum Delivery: Sendable, Hashable {
    /// By primary key, ascending.
    case byKey
    /// In the order of the rows' or the index's tree.
    case walk(Walk)
  }

  let query: QueryCore
  let storage: ModelStorage
  let catalog: Catalog
  let access: Access
  let delivery: Delivery
  /// Whether the rows must be sorted, because they come in another order than the query's.
  let isSorted: Bool
  /// What must still be tested on each row; nil where the access answers all.
  let residual: Expression?
  /// What entries of indexes say of the rows that they bring; nil where no entry is read.
  ///
  /// An entry has no checksum, so that the rows that are handed out are tested for it as well.
  let answered: Expression?
  /// How many rows the access brings, as far as it is known.
  var rows: Estimate?
  /// What running it costs, in units of one row of a scan.
  var cost = 0.0
}

/// The order of an index, or of rows, and how it becomes the query's.
struct Walk: Sendable, Hashable {
  enum Ties: Sendable, Hashable {
    /// Entries that the sorted columns do not tell apart stand as they should.
    case stand
    /// They stand the wrong way round.
    case turn
    /// They stand in no order that helps.
    case sort
  }

  var direction = Direction.forward
  /// How many columns of the index decide the order, those of one value included.
  var columns = 0
  var ties = Ties.stand
}

/// How many rows or entries there are.
struct Estimate: Sendable, Hashable {
  var count: Int
  var isExact: Bool
}

extension Plan {
  /// The indexes that the plan reads, whose buffered changes must be in their trees.
  func indexes() throws -> [IndexStorage] {
    try access.indexes + (residual.map { try catalog.indexes(in: $0) } ?? [])
  }

  /// The residual, ready for the layout.
  func filter() throws -> Filter? {
    try residual.map { try Filter($0, storage.layout, catalog) }
  }

  /// What entries say of the rows that they bring, ready for the layout.
  func entryFilter() throws -> Filter? {
    try answered.map { try Filter($0, storage.layout, catalog) }
  }
}

extension Plan.Access {
  var indexes: [IndexStorage] {
    switch self {
    case .index(let index, _): [index]
    case .union(let members): members.flatMap(\.indexes)
    case .nothing, .rows, .keys: []
    }
  }
}
