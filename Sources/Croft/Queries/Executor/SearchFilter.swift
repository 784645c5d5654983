/// A compiled search in several texts of a row: each term may hold in another one.
struct SearchFilter {
  private let columns: [ColumnLayout]
  private let layout: RecordLayout
  private let matcher: SearchMatcher

  init(_ columns: [ColumnLayout], _ layout: RecordLayout, _ query: String) {
    (self.columns, self.layout) = (columns, layout)
    matcher = SearchMatcher(query)
  }

  func holds(for row: RecordView) throws -> Bool {
    if let term = matcher.onlyTerm {
      // Most searches are one term, which needs no memory for what was found.
      var occurs = false
      try unsafe columns.forEachText(of: row, layout) { text, _ in
        if !occurs { occurs = unsafe term.occurs(in: text) }
      }
      return occurs != term.isExcluded
    }
    var found = matcher.groups.map { $0.map { _ in false } }
    try unsafe columns.forEachText(of: row, layout) { text, _ in
      unsafe matcher.find(in: text, &found)
    }
    return matcher.holds(where: found)
  }
}

extension [ColumnLayout] {
  /// Passes the texts of a row, as they are stored, with the ordinal of their column.
  ///
  /// The columns are texts, optional ones, and collections of texts, each of whose elements is a text.
  func forEachText(
    of row: RecordView, _ layout: RecordLayout,
    _ body: (UnsafeRawBufferPointer, _ ordinal: Int) -> Void
  ) throws {
    for (ordinal, column) in enumerated() {
      guard column.storage.collection != nil else {
        // Safety: a text is used while the row is borrowed.
        guard let bytes = try unsafe column.storedBytes(in: row, layout) else { continue }
        guard column.place == .key else {
          unsafe body(bytes, ordinal)
          continue
        }
        // A key is stored as its code.
        guard case .string(let text) = try column.value(in: row, layout) else { continue }
        unsafe Array<UInt8>(text.utf8).withUnsafeBytes { unsafe body($0, ordinal) }
        continue
      }
      guard let collection = try column.collection(in: row, layout) else { continue }
      for element in 0..<collection.count where collection.isPresent(element) {
        guard let bytes = unsafe collection.bytes(element) else {
          throw column.badEnds(in: row, layout)
        }
        unsafe body(bytes, ordinal)
      }
    }
  }
}
