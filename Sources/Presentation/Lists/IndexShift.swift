/// Where the rows that no list of a change names have got to.
struct IndexShift {
  /// The indices before that no unnamed row has.
  private let removed: [Int]
  /// The indices after that no unnamed row has.
  private let added: [Int]

  init<Element>(_ change: ListChange<Element>) {
    removed = (change.deletions + change.moves.map(\.from)).sorted()
    added = (change.insertions + change.moves.map(\.to)).sorted()
  }

  /// The index after of a row that stayed in place; nil for one that did not.
  ///
  /// - Complexity: O(log c) for c rows that did not.
  func index(of old: Int) -> Int? {
    let gone = removed.rank(of: old)
    if gone < removed.count, removed[gone] == old { return nil }
    let place = old - gone
    // So many of the added rows stand before it: the first for which that is one too many.
    var low = 0
    var high = added.count
    while low < high {
      let middle = (low + high) / 2
      if added[middle] - middle > place { high = middle } else { low = middle + 1 }
    }
    return place + low
  }

  /// The rows that stayed in place but not in their section, by their indices before and after.
  ///
  /// Rows that stay keep their order, so those of one section that have left it stand at
  /// its ends: looking stops at the first that has not.
  func sectionChanges<Element>(
    _ before: SectionedRows<Element>, _ after: SectionedRows<Element>, _ kept: [Int?]
  ) -> [(old: Int, new: Int)] {
    var sectionChanges: [(old: Int, new: Int)] = []
    for section in 0..<before.sectionCount {
      let rows = before.indices(ofSection: section)
      // A section that is gone has no room for any row: then all of them have left.
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
