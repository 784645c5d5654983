import LMDB

/// Reads how well the rows of a query match its searches.
///
/// The counts of all objects are read when they are first needed: from a search index over all of the
/// texts, or else from all rows. Both give the same scores. Confined to the run of one query.
final class RelevanceReader {
  let terms: RelevanceTerms
  private let table: Table
  private var known: RelevanceStatistics?

  init(_ relevance: ColumnPath.Relevance, _ table: Table) {
    terms = RelevanceTerms(relevance, table)
    self.table = table
  }

  /// The score of a row, which is greater where it matches better.
  ///
  /// - Complexity: O(length of its texts), for each term; the first time what ``statistics(in:)`` takes.
  func score(
    of row: RecordView, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> UInt32 {
    try terms.score(of: row, by: statistics(in: transaction))
  }

  /// The greatest scores that the rows of some numbers of an index can have.
  ///
  /// A number is another row's in another index, so the lists are read of that one.
  ///
  /// - Parameter texts: The index; nil is returned where it lacks one of the texts.
  func bounds(
    of numbers: [UInt32], of texts: TextIndex,
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> [UInt32]? {
    let places = terms.texts.map(\.column.index)
    guard let properties = texts.properties(of: places) else { return nil }
    let postings = try RelevancePostings(
      terms, texts, properties: properties, table, transaction)
    let statistics = RelevanceStatistics(postings.counts)
    known = statistics
    return try postings.bounds(of: numbers, by: statistics, transaction)
  }

  private func statistics(
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> RelevanceStatistics {
    if let known { return known }
    let counts: RelevanceCounts
    if let index = table.textIndex(over: terms.texts.map(\.column.index)) {
      counts = try RelevancePostings(
        terms, index.texts, properties: index.properties, table, transaction
      ).counts
    } else {
      counts = try table.counts(of: terms, in: transaction)
    }
    let statistics = RelevanceStatistics(counts)
    known = statistics
    return statistics
  }
}

extension Table {
  /// A search index that has some columns, and which of its properties they are; nil for none.
  ///
  /// Programs that declare other texts can leave several indexes in a file.
  func textIndex(over places: [Int]) -> (texts: TextIndex, properties: [Int])? {
    for case let texts as TextIndex in indexes where texts.isReadable {
      if let properties = texts.properties(of: places) { return (texts, properties) }
    }
    return nil
  }

  /// What is counted of all rows, by reading them.
  func counts(
    of terms: RelevanceTerms, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> RelevanceCounts {
    var counts = RelevanceCounts(terms)
    let arena = RecordArena()
    try transaction.forEachBlock(of: rows) { block in
      arena.clear()
      for place in 0..<block.count {
        // Safety: the row is used while the block is borrowed.
        let entry = unsafe block.entries[place]
        try terms.count(unsafe view(key: entry.key, row: entry.value, arena), in: &counts)
      }
      return true
    }
    return counts
  }
}
