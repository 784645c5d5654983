import LMDB

/// An index over the words and characters of texts, for searches.
///
/// Its columns are texts, optional ones, and collections of texts; each is a property of the index.
final class TextIndex: TableIndex {
  let status: IndexStatus
  let names: [String]
  let tree: TextTree
  /// The columns whose texts are indexed, in the order of the properties.
  let columns: [ColumnLayout]
  private let layout: RecordLayout

  init(
    _ status: IndexStatus, entries: Database, layout: RecordLayout, model: String,
    _ bounds: TextIndexBounds = TextIndexBounds()
  ) {
    self.status = status
    self.layout = layout
    columns = status.definition.columns.flatMap(\.places).map { layout.columns[$0] }
    names = columns.map { layout.names[$0.index] }
    tree = TextTree(entries, of: model, properties: columns.count, bounds)
  }

  func makeWriter(of table: Table) -> any IndexWriter { TextIndexWriter(self, of: table) }

  func candidate(for conjuncts: [ConditionTree], of table: Table, isOrdered: Bool) -> Candidate? {
    for conjunct in conjuncts {
      guard let (paths, query) = conjunct.search else { continue }
      let properties = paths.compactMap { path in
        columns.firstIndex { path.ownPlace == $0.index }
      }
      guard properties.count == paths.count else { continue }
      return Candidate(
        access: .lookup(TextLookup(self, of: table, query, in: properties)),
        answered: CandidateBounds.ConjunctSet())
    }
    return nil
  }

  func statistics(in transaction: borrowing LMDB.ReadTransaction) throws -> TreeStatistics {
    try transaction.statistics(of: tree.tree)
  }
}

// MARK: - The texts of a row

extension TextIndex {
  /// The property that each of some columns is; nil where the index lacks one.
  func properties(of places: [Int]) -> [Int]? {
    let properties = places.compactMap { place in columns.firstIndex { $0.index == place } }
    return properties.count == places.count ? properties : nil
  }

  /// Passes the texts of a row, as they are stored, with their property.
  func forEachText(
    of row: RecordView, _ body: (UnsafeRawBufferPointer, _ property: Int) -> Void
  ) throws {
    // Safety: the texts are passed on for the call.
    try unsafe columns.forEachText(of: row, layout) { unsafe body($0, $1) }
  }

  /// Adds the terms of a row's texts.
  func add(_ row: RecordView, to postings: inout PendingPostings) throws {
    try unsafe forEachText(of: row) { text, property in
      unsafe TextFolding.withFolded(text, .forSearch) { unsafe postings.add($0, of: property) }
    }
  }

  /// How many bytes the texts of a row have.
  func textBytes(of row: RecordView) throws -> Int {
    var bytes = 0
    try unsafe forEachText(of: row) { text, _ in bytes += text.count }
    return bytes
  }

  /// Whether two rows have the same texts.
  func hasSameTexts(_ old: RecordView, _ new: RecordView) throws -> Bool {
    try columns.allSatisfy { try $0.isSame(in: old, new, layout) }
  }
}
