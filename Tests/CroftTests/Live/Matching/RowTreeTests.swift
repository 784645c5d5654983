import Testing
import TestSupport

@testable import Croft

/// The tree of rows against a sorted array.
struct RowTreeTests {
  @Test func aTreeDoesWhatASortedArrayDoes() throws {
    var random = SeededGenerator.forTest("row tree")
    for _ in 0..<Torture.steps(short: 6, long: 400) {
      var tree = RowTree(.query)
      var twin: [Int] = []
      let bound = random.pick([5, 60, 900])
      for step in 0..<400 {
        let place = random.below(bound)
        let row = StoredRow.song(place, at: place)
        let spot = twin.firstIndex { $0 >= place } ?? twin.count
        let isThere = spot < twin.count && twin[spot] == place
        #expect(tree.find(row).rank == spot, "seed \(random.seed)")
        #expect((tree.find(row).row != nil) == isThere, "seed \(random.seed)")
        if random.oneIn(step < 200 ? 3 : 2) {
          #expect((tree.remove(row) != nil) == isThere, "seed \(random.seed)")
          if isThere { twin.remove(at: spot) }
        } else {
          #expect((tree.insert(row) != nil) == isThere, "seed \(random.seed)")
          if !isThere { twin.insert(place, at: spot) }
        }
        if random.oneIn(20) { try check(tree, twin, random.seed) }
      }
      try check(tree, twin, random.seed)
    }
  }

  @Test func aTreeThatIsEmptiedIsEmpty() throws {
    var tree = RowTree(.query)
    for place in 0..<500 { tree.insert(.song(place, at: place)) }
    for place in (0..<500).reversed() { tree.remove(StoredRow.song(place, at: place)) }
    try check(tree, [], 0)
    tree.insert(.song(7, at: 7))
    try check(tree, [7], 0)
  }

  @Test(arguments: [0, 1, 24, 25, 32, 33, 600, 601, 20_000])
  func aTreeBuiltFromSortedRowsHasThem(count: Int) throws {
    let rows = (0..<count).map { StoredRow.song($0, at: $0) }
    try check(RowTree(sorted: rows, by: .query), Array(0..<count), 0)
    try check(RowTree(rows.shuffled(), by: .query), Array(0..<count), 0)
  }

  @Test func ofRowsWithOneCodeTheLastCounts() throws {
    let rows = [3, 1, 3, 2].enumerated().map { StoredRow.song($1, at: $1, plays: $0) }
    let tree = RowTree(rows, by: .query)
    #expect(try tree.rows.map { try $0.song.plays } == [1, 3, 2])
  }

  @Test func anEarlierVersionStaysAsItWas() throws {
    var tree = RowTree(sorted: (0..<2_000).map { StoredRow.song($0, at: $0) }, by: .query)
    let earlier = tree
    for place in 500..<1_500 { tree.remove(StoredRow.song(place, at: place)) }
    for place in 2_000..<2_100 { tree.insert(.song(place, at: place)) }
    try check(earlier, Array(0..<2_000), 0)
    try check(tree, Array(0..<500) + Array(1_500..<2_100), 0)
  }

  @Test func aChangeSharesAllNodesButThoseOnItsWay() {
    var tree = RowTree(sorted: (0..<20_000).map { StoredRow.song($0, at: $0 * 2) }, by: .query)
    let earlier = tree
    tree.insert(.song(-1, at: 7_001))
    var nodes: Set<ObjectIdentifier> = []
    collect(earlier.root, into: &nodes)
    let shared = nodes.count
    collect(tree.root, into: &nodes)
    #expect(nodes.count - shared <= tree.root.height + 2)
  }

  private func collect(_ node: RowNode, into nodes: inout Set<ObjectIdentifier>) {
    nodes.insert(ObjectIdentifier(node))
    for child in node.children { collect(child.node, into: &nodes) }
  }

  private func check(_ tree: RowTree, _ twin: [Int], _ seed: UInt64) throws {
    #expect(tree.count == twin.count, "seed \(seed)")
    #expect(try tree.rows.map { try $0.song.id } == twin, "seed \(seed)")
    for rank in stride(from: 0, to: twin.count, by: max(1, twin.count / 40)) {
      #expect(try tree[rank].song.id == twin[rank], "seed \(seed)")
      var some: [Int] = []
      let end = min(rank + 70, twin.count)
      try tree.forEach(in: rank..<end) { some.append(try $0.song.id) }
      #expect(some == Array(twin[rank..<end]), "seed \(seed)")
    }
    checkShape(of: tree.root, isRoot: true, seed)
  }

  /// Each node is neither too full nor too empty, knows its rows, and all leaves are equally deep.
  private func checkShape(of node: RowNode, isRoot: Bool, _ seed: UInt64) {
    #expect(node.width <= RowNode.capacity, "seed \(seed)")
    if !isRoot { #expect(node.width >= RowNode.least, "seed \(seed)") }
    if node.isLeaf {
      #expect(node.count == node.entries.count, "seed \(seed)")
      return
    }
    #expect(node.children.count >= 2, "seed \(seed)")
    #expect(node.count == node.children.reduce(0) { $0 + $1.node.count }, "seed \(seed)")
    #expect(Set(node.children.map(\.node.height)).count == 1, "seed \(seed)")
    for child in node.children {
      #expect(child.count == child.node.count, "seed \(seed)")
      let own = RowNode.Child(child.node)
      #expect(child.prefix == own.prefix, "seed \(seed)")
      #expect(unsafe child.first.code(in: .query).elementsEqual(own.first.code(in: .query)))
      checkShape(of: child.node, isRoot: false, seed)
    }
  }
}
