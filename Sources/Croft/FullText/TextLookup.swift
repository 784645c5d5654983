import LMDB
import Synchronization

/// The rows that may match a search in some properties, as a search index finds them.
///
/// It is of one query in one transaction.
final class TextLookup: IndexLookup {
  let texts: TextIndex
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

  /// Only by relevance, where the index has all texts that it depends on; see ``RankedRows``.
  func delivers(_ order: [SortKey]) -> Bool {
    guard let first = order.first, !first.isDescending, let relevance = first.path.relevance else {
      return false
    }
    return relevance.searches.allSatisfy { texts.properties(of: $0.places) != nil }
  }

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
      if try !hasRow(of: key, in: transaction) { continue }
      if try unsafe !key.withUnsafeBytes({ try unsafe body($0) }) { return }
    }
    try texts.tree.forEachOwner(of: answer.numbers, in: transaction) { _, key in
      try unsafe key.withUnsafeBytes { try unsafe body($0) }
    }
  }

  /// Whether there is a row with a key; one that waits may have been deleted.
  func hasRow(
    of key: [UInt8], in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Bool {
    // Safety: the array outlives the call.
    try unsafe transaction.get(key.span.bytes, in: rows) != nil
  }

  /// Counts the rows that match for certain, and adds the keys of those that may.
  func countCertain(
    in transaction: borrowing some LMDB.Transaction & ~Copyable, addingOthersTo keys: inout ByteList
  ) throws -> Int {
    let answer = try answer(transaction)
    // Safety: the list copies the bytes.
    for key in answer.waiting where try hasRow(of: key, in: transaction) {
      unsafe key.withUnsafeBytes { unsafe keys.append($0) }
    }
    if answer.certainCount < answer.numbers.count {
      let open = zip(answer.numbers, answer.isCertain).lazy.filter { !$1 }.map(\.0)
      try appendKeys(of: Array(open), to: &keys, in: transaction)
    }
    return answer.certainCount
  }

  /// Adds the primary keys of ascending numbers to a list.
  func appendKeys(
    of numbers: [UInt32], to keys: inout ByteList,
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    try texts.tree.forEachOwner(of: numbers, in: transaction) { _, key in
      // Safety: the list copies the bytes.
      unsafe key.withUnsafeBytes { unsafe keys.append($0) }
      return true
    }
  }

  /// The answer, which estimates of several plans and the run share.
  ///
  /// A write transaction may flush between them; that changes the head.
  func answer(
    _ transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> SearchAnswer {
    let head = try texts.tree.head(in: transaction)
    if let known = known.withLock({ $0 }), known.head == head { return known.answer }
    let answer = try texts.tree.answer(query, in: properties, transaction)
    known.withLock { $0 = (head, answer) }
    return answer
  }
}
