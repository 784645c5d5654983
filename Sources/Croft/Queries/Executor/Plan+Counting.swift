import LMDB

extension Plan {
  /// How many rows the query's result has.
  func count(in transaction: borrowing some LMDB.Transaction & ~Copyable) throws -> Int {
    if query.limit == 0 { return 0 }
    let count: Int
    if !query.distinct.isEmpty {
      count = try countDistinct(in: transaction)
    } else if residual == nil, let entries = try countEntries(in: transaction) {
      count = entries
    } else {
      count = try countRows(in: transaction)
    }
    let behindOffset = max(0, count - query.offset)
    return min(behindOffset, query.limit ?? behindOffset)
  }

  /// The rows without looking at them, where each is one entry; nil where it is not so.
  private func countEntries(
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Int? {
    switch access {
    case .nothing: return 0
    case .rows(.all): return try transaction.count(of: table.rows)
    case .rows(let range):
      if let counted { return counted }
      return try transaction.count(of: table.rows, in: range, upTo: .max)
    case .index(let index, let ranges):
      guard index.columns.allSatisfy({ table.schema.givesOneEntry($0) }) else {
        return try keys(in: transaction).countDifferent()
      }
      if let counted { return counted }
      return try ranges.reduce(0) { count, range in
        try count + transaction.count(of: index.entries, in: range, upTo: .max)
      }
    // A key that was asked for need not exist.
    case .union where access.asksForKeys: return nil
    case .union: return try keys(in: transaction).countDifferent()
    case .keys: return nil
    }
  }

  /// How many entries the choice of the plan has counted, if it went to the end.
  private var counted: Int? { rows.flatMap { $0.isExact ? $0.count : nil } }

  private func countRows(in transaction: borrowing some LMDB.Transaction & ~Copyable) throws -> Int
  {
    var count = 0
    let most = query.limit.map { min($0, Int.max - query.offset) + query.offset } ?? .max
    try forEachBatch(in: transaction, RowArena()) { batch in
      count += batch.count
      return count < most
    }
    return count
  }

  private func countDistinct(
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Int {
    var seen = try DistinctValues(query.distinct, table, catalog)
    try forEachBatch(in: transaction, RowArena()) { batch in
      for place in 0..<batch.count { _ = try seen.insert(batch[place], in: transaction) }
      return true
    }
    return seen.count
  }
}

extension Plan.Access {
  /// Whether single keys are among what it brings.
  fileprivate var asksForKeys: Bool {
    switch self {
    case .keys: true
    case .union(let members): members.contains(where: \.asksForKeys)
    case .nothing, .rows, .index: false
    }
  }
}

extension ByteList {
  /// How many different keys there are in a sorted list.
  func countDifferent() -> Int {
    var different = 0
    for place in 0..<count where place == 0 || !isRepeated(place) { different += 1 }
    return different
  }

  /// Whether a key of a sorted list is the one before it.
  func isRepeated(_ place: Int) -> Bool {
    // Safety: both keys are lent while the list stays as it is.
    unsafe place > 0 && KeySort.compare(self[place], self[place - 1]) == 0
  }
}
