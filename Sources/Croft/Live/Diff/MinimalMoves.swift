/// The fewest moves that take the rows of one version of a result to their order in another.
///
/// Rows whose codes did not change have the same order in both versions. They form blocks, which
/// end only where a row with a changed code is between them. The rows that need no move are the
/// heaviest ascending subsequence of blocks and rows. Among several of the same weight, the one
/// that moves more rows with changed codes is taken.
struct MinimalMoves {
  /// A block of rows with unchanged codes, or one row with a changed one.
  private struct Item {
    /// How many unchanged rows are before it, in the earlier version and in the later.
    let from: Int
    let to: Int
    /// How many unchanged rows it has; 0 for a changed row.
    let count: Int
    /// The changed row.
    var pair: ResultDiff.IndexPair?
    /// Its place in the later order.
    var place = 0
  }

  /// How many comparisons were made.
  private(set) var steps = 0
  /// In the earlier order.
  private var items: [Item] = []
  /// The earlier and later indices that no unchanged row has, ascending.
  private let taken: (from: [Int], to: [Int])
  /// How many rows with unchanged codes there are.
  private let unchanged: Int

  /// Splits the rows into blocks.
  ///
  /// - Parameters:
  ///   - changed: The rows that are in both versions with different codes.
  ///   - deletions: The indices that only the earlier version has, ascending.
  ///   - insertions: The indices that only the later version has, ascending.
  ///   - count: How many rows the earlier version has.
  init(_ changed: [ResultDiff.IndexPair], deletions: [Int], insertions: [Int], count: Int) {
    unchanged = count - deletions.count - changed.count
    guard !changed.isEmpty else {
      taken = ([], [])
      return
    }
    let from = (deletions + changed.map(\.from)).sorted()
    let to = (insertions + changed.map(\.to)).sorted()
    taken = (from, to)
    var items = changed.map { pair in
      Item(
        from: pair.from - Self.rank(pair.from, in: from),
        to: pair.to - Self.rank(pair.to, in: to), count: 0, pair: pair)
    }
    var start = 0
    for cut in Set(items.flatMap { [$0.from, $0.to] } + [unchanged]).sorted() where cut > start {
      items.append(Item(from: start, to: start, count: cut - start))
      start = cut
    }
    self.items = items
    steps = items.count
  }

  /// The fewest moves, ascending by their new indices.
  ///
  /// - Parameter isModified: The earlier indices of rows whose values changed.
  /// - Complexity: O(*c* log *c*) for *c* rows with changed codes.
  mutating func moves(isModified: Set<Int>) -> [Move] {
    if items.isEmpty { return [] }
    // At a cut the changed row comes first, then the block that starts there.
    items.sort {
      ($0.to, $0.count, $0.pair?.to ?? 0) < ($1.to, $1.count, $1.pair?.to ?? 0)
    }
    for place in items.indices { items[place].place = place }
    items.sort {
      ($0.from, $0.count, $0.pair?.from ?? 0) < ($1.from, $1.count, $1.pair?.from ?? 0)
    }
    let isFixed = fixedItems()
    var moves: [Move] = []
    for (place, item) in items.enumerated() where !isFixed[place] {
      for offset in 0..<max(item.count, 1) {
        let from = item.pair?.from ?? Self.index(item.from + offset, behind: taken.from)
        let to = item.pair?.to ?? Self.index(item.to + offset, behind: taken.to)
        moves.append(Move(from: from, to: to, isModified: isModified.contains(from)))
      }
    }
    moves.sort { $0.to < $1.to }
    return moves
  }

  /// Which items are in the heaviest subsequence that ascends in both orders.
  private mutating func fixedItems() -> [Bool] {
    // One more row weighs more than any preference for unchanged rows.
    let row = unchanged + 1
    var best = PrefixMaxima(count: items.count)
    var previous = [Int](repeating: -1, count: items.count)
    for (place, item) in items.enumerated() {
      if item.pair?.isForced ?? false { continue }
      let weight = item.count == 0 ? row : item.count * row + item.count
      let (sum, last) = best.maximum(below: item.place)
      previous[place] = last
      best.raise(item.place, to: sum + weight, by: place)
    }
    steps += best.steps
    var isFixed = [Bool](repeating: false, count: items.count)
    var place = best.maximum(below: items.count).owner
    while place >= 0 {
      isFixed[place] = true
      place = previous[place]
    }
    return isFixed
  }

  /// How many of some ascending indices are below one.
  private static func rank(_ index: Int, in indices: [Int]) -> Int {
    var (low, high) = (0, indices.count)
    while low < high {
      let middle = (low + high) / 2
      if indices[middle] < index { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The index of the unchanged row with a number of unchanged rows before it.
  private static func index(_ count: Int, behind taken: [Int]) -> Int {
    var (low, high) = (0, taken.count)
    while low < high {
      let middle = (low + high) / 2
      if taken[middle] - middle <= count { low = middle + 1 } else { high = middle }
    }
    return count + low
  }
}

/// A Fenwick tree: the greatest of the values at the first places.
private struct PrefixMaxima {
  private var values: [(sum: Int, owner: Int)]
  private(set) var steps = 0

  init(count: Int) { values = Array(repeating: (0, -1), count: count + 1) }

  /// The greatest value below a place, and its owner; 0 and -1 where there is none.
  mutating func maximum(below bound: Int) -> (sum: Int, owner: Int) {
    var best = (sum: 0, owner: -1)
    var place = bound
    while place > 0 {
      steps += 1
      if values[place].sum > best.sum { best = values[place] }
      place -= place & -place
    }
    return best
  }

  /// Raises the value at a place, where it is greater.
  mutating func raise(_ index: Int, to sum: Int, by owner: Int) {
    var place = index + 1
    while place < values.count {
      steps += 1
      if values[place].sum < sum { values[place] = (sum, owner) }
      place += place & -place
    }
  }
}

/// The move of an object to another index of a result.
public struct Move: Hashable, Sendable {
  /// The index before.
  public let from: Int
  /// The index after.
  public let to: Int
  /// Whether some of its values changed too; the object is then not among the modifications.
  public let isModified: Bool

  /// Makes a move.
  ///
  /// - Parameters:
  ///   - from: The index before.
  ///   - to: The index after.
  ///   - isModified: Whether values changed too.
  public init(from: Int, to: Int, isModified: Bool) {
    self.from = from
    self.to = to
    self.isModified = isModified
  }
}

extension Move: CustomStringConvertible {
  /// Both indices, with a star where values changed too.
  public var description: String { "\(from)->\(to)\(isModified ? "*" : "")" }
}
