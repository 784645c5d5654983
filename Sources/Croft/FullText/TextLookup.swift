import LMDB

/// The rows that may match a search in one property, as a search index finds them.
final class TextLookup: IndexLookup {
  private let texts: TextIndex
  private let query: SearchQuery
  private let property: Int
  private let rows: StoredTree<RecordView>

  init(_ texts: TextIndex, of table: Table, _ query: SearchQuery, in property: Int) {
    self.texts = texts
    self.query = query
    self.property = property
    rows = table.rows
  }

  var index: any TableIndex { texts }

  func delivers(_ order: [SortKey]) -> Bool { false }

  func estimate(
    upTo bound: Int, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Plan.Estimate {
    let answer = try texts.tree.answer(query, in: [property], transaction)
    return Plan.Estimate(count: answer.numbers.count + answer.waiting.count, isExact: true)
  }

  func forEachCandidate(
    in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (UnsafeRawBufferPointer) throws -> Bool
  ) throws {
    let answer = try texts.tree.answer(query, in: [property], transaction)
    for key in answer.waiting {
      // Safety: the array outlives the calls.
      if try unsafe transaction.get(key.span.bytes, in: rows) == nil { continue }
      if try unsafe !key.withUnsafeBytes({ try unsafe body($0) }) { return }
    }
    try texts.tree.forEachOwner(of: answer, in: transaction) { key, _ in
      try unsafe key.withUnsafeBytes { try unsafe body($0) }
    }
  }
}
