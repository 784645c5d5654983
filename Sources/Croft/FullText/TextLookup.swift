import LMDB
import Synchronization

/// The rows that may match a search in some properties, as a search index finds them.
///
/// It is of one query in one transaction.
final class TextLookup: IndexLookup {
  private let texts: TextIndex
  private let query: SearchQuery
  private let properties: [Int]
  private let rows: StoredTree<RecordView>
  /// The answer that an estimate counted, and the head of the tree for which it is right.
  private let known = Mutex<(head: TextIndexHead, answer: SearchAnswer)?>(nil)

  init(_ texts: TextIndex, of table: Table, _ query: SearchQuery, in properties: [Int]) {
    self.texts = texts
    self.query = query
    self.properties = properties
    rows = table.rows
  }

  var index: any TableIndex { texts }

  func delivers(_ order: [SortKey]) -> Bool { false }

  func estimate(
    upTo bound: Int, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Plan.Estimate {
    let answer = try answer(transaction)
    return Plan.Estimate(count: answer.numbers.count + answer.waiting.count, isExact: true)
  }

  func forEachCandidate(
    in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (UnsafeRawBufferPointer) throws -> Bool
  ) throws {
    let answer = try answer(transaction)
    for key in answer.waiting {
      // Safety: the array outlives the calls.
      if try unsafe transaction.get(key.span.bytes, in: rows) == nil { continue }
      if try unsafe !key.withUnsafeBytes({ try unsafe body($0) }) { return }
    }
    try texts.tree.forEachOwner(of: answer, in: transaction) { key, _ in
      try unsafe key.withUnsafeBytes { try unsafe body($0) }
    }
  }

  /// The answer, which estimates of several plans and the run share.
  ///
  /// A write transaction may flush between them; that changes the head.
  private func answer(
    _ transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> SearchAnswer {
    let head = try texts.tree.head(in: transaction)
    if let known = known.withLock({ $0 }), known.head == head { return known.answer }
    let answer = try texts.tree.answer(query, in: properties, transaction)
    known.withLock { $0 = (head, answer) }
    return answer
  }
}
