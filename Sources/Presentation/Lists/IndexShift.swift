/// Maps the indices before a change to those after it, for rows that keep their position.
struct IndexShift {
  /// The indices before the change of rows that were deleted or moved.
  private let removed: [Int]
  /// The indices after the change of rows that were inserted or moved.
  private let added: [Int]

  init<Element>(_ change: ListChange<Element>) {
    removed = (change.deletions + change.moves.map(\.from)).sorted()
    added = (change.insertions + change.moves.map(\.to)).sorted()
  }

  /// The index after the change of a row that keeps its position; nil for another row.
  ///
  /// - Complexity: O(log c) for c rows that do not stay.
  func index(of old: Int) -> Int? {
    let gone = removed.rank(of: old)
    if gone < removed.count, removed[gone] == old { return nil }
    let position = old - gone
    return position + added.indices.firstIndexInOrder { added[$0] - $0 > position }
  }

  /// The rows that keep their position while their section changes, by their indices before and after.
  ///
  /// Rows that stay keep their order, so the rows that leave a section are at its two ends. The
  /// search stops at the first row that does not leave it.
  func sectionChanges<Element>(
    _ before: SectionedRows<Element>, _ after: SectionedRows<Element>, _ kept: [Int?]
  ) -> [(old: Int, new: Int)] {
    var sectionChanges: [(old: Int, new: Int)] = []
    for section in 0..<before.sectionCount {
      let rows = before.indices(ofSection: section)
      // All rows of a deleted section leave it.
      let home =
        section < kept.count
        ? kept[section].map { after.indices(ofSection: $0) } ?? after.count..<after.count
        : after.count..<after.count
      var first = rows.lowerBound
      while first < rows.upperBound {
        if let new = index(of: first) {
          if new >= home.lowerBound { break }
          sectionChanges.append((first, new))
        }
        first += 1
      }
      for old in (first..<rows.upperBound).reversed() {
        guard let new = index(of: old) else { continue }
        if new < home.upperBound { break }
        sectionChanges.append((old, new))
      }
    }
    return sectionChanges
  }
}
