/// Which rows of one version of a result are in the other, too.
struct RowMatching {
  /// The indices of rows that left, in no order.
  private(set) var deletions: [Int] = []
  /// The indices of rows that came, in no order.
  private(set) var insertions: [Int] = []
  /// The rows that are in both with different values.
  private(set) var modified: [IndexPair] = []
  /// The rows that are in both with different codes: only these can have changed their order.
  private(set) var placed: [IndexPair] = []

  private let before: ResultRows
  private let after: ResultRows
  private let fields: [Int]?
  private let section: SectionCode?

  init(_ before: ResultRows, _ after: ResultRows, _ fields: [Int]?, _ section: SectionCode?) {
    self.before = before
    self.after = after
    self.fields = fields
    self.section = section
  }

  /// Takes the rows that differ.
  mutating func take(_ differences: RowDifferences) {
    for (old, new) in differences.replaced { take(old, new, isPlaced: false) }
    let removed = Self.byKey(differences.removed)
    let added = Self.byKey(differences.added)
    var next = 0
    for old in removed {
      while next < added.count, Self.compareKeys(added[next], old) < 0 {
        take(nil, added[next], isPlaced: true)
        next += 1
      }
      if next < added.count, Self.compareKeys(added[next], old) == 0 {
        take(old, added[next], isPlaced: true)
        next += 1
      } else {
        take(old, nil, isPlaced: true)
      }
    }
    for new in added[next...] { take(nil, new, isPlaced: true) }
  }

  /// Takes the rows that do not differ, but are pushed out of the window or pulled into it.
  ///
  /// - Parameter shift: By how many ranks a row can have been pushed.
  mutating func takeEdges(shift: Int) {
    if before.window == 0..<before.tree.count, after.window == 0..<after.tree.count { return }
    for rank in Self.edges(of: before.window, shift) {
      let row = before.tree[rank]
      let (newRank, found) = after.tree.find(row)
      if let found, found.isIdentical(to: row), !after.window.contains(newRank) {
        deletions.append(rank - before.window.lowerBound)
      }
    }
    for rank in Self.edges(of: after.window, shift) {
      let row = after.tree[rank]
      let (oldRank, found) = before.tree.find(row)
      if let found, found.isIdentical(to: row), !before.window.contains(oldRank) {
        insertions.append(rank - after.window.lowerBound)
      }
    }
  }

  /// The first and the last ranks of a window, each once.
  private static func edges(of window: Range<Int>, _ width: Int) -> [Int] {
    if window.count <= width * 2 { return Array(window) }
    return Array(window.prefix(width)) + window.suffix(width)
  }

  private mutating func take(
    _ old: RowDifferences.Place?, _ new: RowDifferences.Place?, isPlaced: Bool
  ) {
    let from = old.flatMap { before.window.contains($0.rank) ? $0.rank : nil }
    let to = new.flatMap { after.window.contains($0.rank) ? $0.rank : nil }
    switch (from, to) {
    case (let from?, let to?): keep(from, to, old, new, isPlaced: isPlaced)
    case (let from?, nil): deletions.append(from - before.window.lowerBound)
    case (nil, let to?): insertions.append(to - after.window.lowerBound)
    case (nil, nil): break
    }
  }

  private mutating func keep(
    _ from: Int, _ to: Int, _ old: RowDifferences.Place?, _ new: RowDifferences.Place?,
    isPlaced: Bool
  ) {
    guard let old = old?.row, let new = new?.row else { return }
    var pair = IndexPair(from: from - before.window.lowerBound, to: to - after.window.lowerBound)
    if isPlaced {
      pair.isForced = section.map { !$0.isSame(old, new) } ?? false
      placed.append(pair)
    }
    let isModified = fields.map { old.differs(from: new, in: $0) } ?? !old.holdsSame(as: new)
    if isModified { modified.append(pair) }
  }

  private static func byKey(_ places: [RowDifferences.Place]) -> [RowDifferences.Place] {
    places.count < 2 ? places : places.sorted { compareKeys($0, $1) < 0 }
  }

  private static func compareKeys(
    _ left: RowDifferences.Place, _ right: RowDifferences.Place
  ) -> Int {
    // Safety: both rows are kept during the call.
    unsafe KeySort.compare(left.row.code(in: .key), right.row.code(in: .key))
  }
}
