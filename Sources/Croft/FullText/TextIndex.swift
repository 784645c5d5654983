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
    for case .text(let path, let pattern) in conjuncts where pattern.kind == .matches {
      guard let property = columns.firstIndex(where: { path.ownPlace == $0.index }) else {
        continue
      }
      return Candidate(
        access: .lookup(TextLookup(self, of: table, SearchQuery(pattern.text), in: property)),
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
  /// Passes the texts of a row, as they are stored, with their property.
  func forEachText(
    of row: RecordView, _ body: (UnsafeRawBufferPointer, _ property: Int) -> Void
  ) throws {
    for (property, column) in columns.enumerated() {
      guard column.storage.collection != nil else {
        // Safety: a text is used while the row is borrowed.
        guard let bytes = try unsafe column.storedBytes(in: row, layout) else { continue }
        guard column.place == .key else {
          unsafe body(bytes, property)
          continue
        }
        // A key is stored as its code.
        guard case .string(let text) = try column.value(in: row, layout) else { continue }
        unsafe Array(text.utf8).withUnsafeBytes { unsafe body($0, property) }
        continue
      }
      guard let collection = try column.collection(in: row, layout) else { continue }
      for element in 0..<collection.count where collection.isPresent(element) {
        guard let bytes = unsafe collection.bytes(element) else {
          throw column.badEnds(in: row, layout)
        }
        unsafe body(bytes, property)
      }
    }
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
