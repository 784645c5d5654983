import LMDB

/// Reads how well the rows of a query match its searches.
///
/// The counts of all objects are read when they are first needed: from a search index over all of the
/// texts, or else from all rows. Both give the same scores. Confined to the run of one query.
final class RelevanceReader {
  let terms: RelevanceTerms
  private let table: Table
  private var known: (statistics: RelevanceStatistics, postings: RelevancePostings?)?

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
    try terms.score(of: row, by: read(in: transaction).statistics)
  }

  /// The greatest scores that the rows of some numbers of the index can have; nil without an index.
  func bounds(
    of numbers: [UInt32], in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> [UInt32]? {
    let (statistics, postings) = try read(in: transaction)
    return try postings?.bounds(of: numbers, by: statistics, transaction)
  }

  private func read(
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> (statistics: RelevanceStatistics, postings: RelevancePostings?) {
    if let known { return known }
    let read: (statistics: RelevanceStatistics, postings: RelevancePostings?)
    if let index = table.textIndex(over: terms.texts.map(\.column.index)) {
      let postings = try RelevancePostings(
        terms, index.texts, properties: index.properties, table, transaction)
      read = (RelevanceStatistics(postings.counts), postings)
    } else {
      read = (RelevanceStatistics(try table.counts(of: terms, in: transaction)), nil)
    }
    known = read
    return read
  }
}

extension Table {
  /// The search index that has some columns, and which of its properties they are; nil for none.
  func textIndex(over places: [Int]) -> (texts: TextIndex, properties: [Int])? {
    guard
      let texts = indexes.lazy.compactMap({ $0 as? TextIndex }).first(where: { $0.isReadable })
    else { return nil }
    let properties = places.compactMap { place in
      texts.columns.firstIndex { $0.index == place }
    }
    return properties.count == places.count ? (texts, properties) : nil
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
