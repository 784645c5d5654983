import Testing
import TestSupport

@testable import Croft

/// Diffs between two versions of a result.
struct ResultDiffTests {
  @Test func equalVersionsHaveAnEmptyDiff() {
    let rows = ResultRows.inOrder([3, 1, 2])
    #expect(ResultDiff(from: rows, to: rows).isEmpty)
    #expect(ResultDiff(from: rows, to: .inOrder([3, 1, 2])).isEmpty)
    #expect(ResultDiff(from: .empty, to: .empty).isEmpty)
  }

  @Test func fromNothingAllIsInserted() {
    let diff = ResultDiff(from: .empty, to: .inOrder([3, 1, 2]))
    #expect(diff.insertions == [0, 1, 2])
    #expect(ResultDiff(from: .inOrder([3, 1, 2]), to: .empty).deletions == [0, 1, 2])
  }

  @Test func aRowThatMovesIsNotModifiedToo() {
    let before = ResultRows.inOrder([1, 2, 3, 4])
    let diff = ResultDiff(from: before, to: .inOrder([2, 3, 4, 1], plays: [1: 9]))
    #expect(diff.moves == [ResultMove(from: 0, to: 3, isModified: true)])
    #expect(diff.modifications == [])
  }

  @Test func aRowWithAnotherCodeInItsPlaceIsModified() {
    var tree = RowTree(.query)
    for place in 0..<5 { tree.insert(.song(place, at: place * 10)) }
    let before = ResultRows(tree, offset: 0, limit: nil)
    tree.remove(StoredRow.song(2, at: 20))
    tree.insert(.song(2, at: 25, plays: 1))
    let diff = ResultDiff(from: before, to: ResultRows(tree, offset: 0, limit: nil))
    #expect(diff.modifications == [2])
    #expect(diff.modificationsAfter == [2])
    #expect(diff.moves == [])
  }

  @Test func ofTwoRowsThatChangePlacesTheChangedOneMoves() {
    var tree = RowTree(.query)
    for place in 0..<2 { tree.insert(.song(place, at: place * 10)) }
    let before = ResultRows(tree, offset: 0, limit: nil)
    tree.remove(StoredRow.song(0, at: 0))
    tree.insert(.song(0, at: 15))
    let diff = ResultDiff(from: before, to: ResultRows(tree, offset: 0, limit: nil))
    #expect(diff.moves == [ResultMove(from: 0, to: 1, isModified: false)])
  }

  @Test func onlyTheFieldsAskedForMakeAModification() throws {
    let plays = try #require(Song._schema.erased.place(named: "plays"))
    let title = try #require(Song._schema.erased.place(named: "title"))
    let before = ResultRows.inOrder([1, 2])
    let after = ResultRows.inOrder([1, 2], plays: [2: 5])
    #expect(ResultDiff(from: before, to: after, fields: [plays]).modifications == [1])
    #expect(ResultDiff(from: before, to: after, fields: [title]).isEmpty)
  }

  @Test func whatIsPushedOutOfAWindowIsDeletedAndWhatIsPulledInInserted() {
    var tree = RowTree(.query)
    for place in 0..<10 { tree.insert(.song(place, at: place * 10)) }
    let before = ResultRows(tree, offset: 2, limit: 4)
    tree.insert(.song(50, at: 5))
    let after = ResultRows(tree, offset: 2, limit: 4)
    let pushed = ResultDiff(from: before, to: after)
    #expect(pushed.deletions == [3])
    #expect(pushed.insertions == [0])
    tree.remove(StoredRow.song(50, at: 5))
    let pulled = ResultDiff(from: after, to: ResultRows(tree, offset: 2, limit: 4))
    #expect(pulled.deletions == [0])
    #expect(pulled.insertions == [3])
  }

  @Test func anyTwoVersionsAreJoinedByTheirDiff() throws {
    var random = SeededGenerator.forTest("result diffs")
    for _ in 0..<Torture.steps(short: 400, long: 100_000) {
      let places = 1 + random.below(60)
      let offset = random.oneIn(2) ? 0 : random.below(12)
      let limit = random.oneIn(2) ? nil : random.below(30)
      var tree = RowTree(.query)
      var spots: [Int: Int] = [:]
      change(&tree, &spots, among: places, times: random.below(80), &random)
      let before = ResultRows(tree, offset: offset, limit: limit)
      change(&tree, &spots, among: places, times: random.below(random.pick([2, 6, 90])), &random)
      if random.oneIn(4) {
        // A run of the query puts the same rows into other nodes.
        tree = RowTree(sorted: tree.rows, by: .query)
      }
      let after = ResultRows(tree, offset: offset, limit: limit)
      let diff = ResultDiff(from: before, to: after)
      let (old, new) = (try before.songs, try after.songs)
      DiffReplay.check(
        diff, from: old, to: new, "seed \(random.seed)", key: \.id, isSame: { $0 == $1 })
      #expect(diff.isEmpty == (old == new), "seed \(random.seed)")
    }
  }

  /// Inserts, moves, changes and removes rows.
  private func change(
    _ tree: inout RowTree, _ spots: inout [Int: Int], among places: Int, times: Int,
    _ random: inout SeededGenerator
  ) {
    for _ in 0..<times {
      let id = random.below(places)
      if let spot = spots[id] { tree.remove(StoredRow.song(id, at: spot)) }
      spots[id] = random.oneIn(3) ? nil : random.oneIn(2) ? spots[id] : random.below(1_000)
      if let spot = spots[id] { tree.insert(.song(id, at: spot, plays: random.below(3))) }
    }
  }
}

/// The steps of a diff: never quadratic, whatever moves.
struct ResultDiffCostTests {
  @Test func evensBeforeOddsCostInProportion() throws {
    try check(moves: { $0 / 2 - 1 }) { count in
      Array(stride(from: 0, to: count, by: 2)) + Array(stride(from: 1, to: count, by: 2))
    }
  }

  @Test func aRiffleCostsInProportion() throws {
    try check(moves: { $0 / 2 - 1 }) { count in (0..<count / 2).flatMap { [$0, $0 + count / 2] } }
  }

  @Test func swappedPairsCostInProportion() throws {
    try check(moves: { $0 / 2 }) { count in
      stride(from: 0, to: count, by: 2).flatMap { [$0 + 1, $0] }
    }
  }

  @Test func oneChangeAmongManyLooksAtFewRows() {
    var tree = RowTree(sorted: (0..<100_000).map { StoredRow.song($0, at: $0 * 2) }, by: .query)
    let before = ResultRows(tree, offset: 0, limit: nil)
    tree.remove(StoredRow.song(70_000, at: 140_000))
    tree.insert(.song(70_000, at: 31))
    let diff = ResultDiff(from: before, to: ResultRows(tree, offset: 0, limit: nil))
    #expect(diff.moves == [ResultMove(from: 70_000, to: 16, isModified: false)])
    #expect(diff.steps < 1_000)
  }

  private func check(moves: (Int) -> Int, _ order: (Int) -> [Int]) throws {
    let single = try steps(20_000, moves, order)
    let double = try steps(40_000, moves, order)
    #expect(Double(double) / Double(single) <= 2.3)
  }

  private func steps(
    _ count: Int, _ moves: (Int) -> Int, _ order: (Int) -> [Int]
  ) throws -> Int {
    let after = order(count)
    let diff = ResultDiff(from: .inOrder(Array(0..<count)), to: .inOrder(after))
    #expect(diff.moves.count == moves(count))
    #expect(diff.deletions == [] && diff.insertions == [])
    let moved = Set(diff.moves.map(\.from))
    var rest = (0..<count).filter { !moved.contains($0) }[...]
    let placed = Dictionary(uniqueKeysWithValues: diff.moves.map { ($0.to, $0.from) })
    var replayed: [Int] = []
    while let next = placed[replayed.count] ?? rest.popFirst() { replayed.append(next) }
    #expect(replayed == after)
    return diff.steps
  }
}
