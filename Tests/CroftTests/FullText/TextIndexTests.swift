import LMDB
import TestSupport
import Testing

@testable import Croft

/// A search index is kept by all ways of writing, and its plans find what a scan finds.
@Suite(.keepsFailedStores) struct TextIndexTests {
  /// A search in one of the texts, alone or beside other conditions.
  private struct Search {
    let query: String
    let isBody: Bool
    let year: Int
    let form: Int

    init(_ random: inout SeededGenerator, in memo: Memo?) {
      let isBody = random.oneIn(3)
      self.isBody = isBody
      let text = memo.flatMap { isBody ? $0.body : $0.title } ?? "우유"
      query = random.search(in: text)
      year = random.below(4)
      form = random.below(5)
    }

    var memos: Query<Memo> {
      let (query, isBody, year) = (query, isBody, year)
      func matches(_ memo: QueryColumn<Memo, Memo>) -> QueryCondition<Memo> {
        isBody ? memo.body.matches(query) : memo.title.matches(query)
      }
      return switch form {
      case 0: Memo.where { matches($0) }
      case 1: Memo.where { matches($0) && $0.year == year }
      case 2: Memo.where { matches($0) || $0.id == year }
      case 3: Memo.where { !matches($0) }
      default: Memo.where { matches($0) }.order(by: \.year.descending).limit(3)
      }
    }

    func run(_ memos: [Memo]) -> [Memo] {
      let search = NaiveSearch(query)
      func matches(_ memo: Memo) -> Bool {
        isBody ? memo.body.map(search.matches) ?? false : search.matches(memo.title)
      }
      return switch form {
      case 0: memos.filter(matches)
      case 1: memos.filter { matches($0) && $0.year == year }
      case 2: memos.filter { matches($0) || $0.id == year }
      case 3: memos.filter { !matches($0) }
      default:
        Array(
          memos.filter(matches).sorted { ($1.year, $0.id) < ($0.year, $1.id) }.prefix(3))
      }
    }
  }

  private func memo(_ id: Int, _ random: inout SeededGenerator) -> Memo {
    Memo(
      id: id, title: random.searchedText(), body: random.oneIn(3) ? nil : random.searchedText(),
      tags: (0..<random.below(3)).map { _ in random.searchedText() }, year: random.below(4))
  }

  /// One statement of a random kind, on the store and on a twin.
  private func change(
    _ tx: inout Croft.WriteTransaction, _ twin: inout [Int: Memo], _ random: inout SeededGenerator
  ) throws {
    let (id, year) = (random.below(40), random.below(4))
    switch random.below(9) {
    case 0:
      let memos = (40..<70).filter { twin[$0] == nil }.map { memo($0, &random) }
      try tx.insert(contentsOf: memos)
      for memo in memos { twin[memo.id] = memo }
    case 1, 2:
      let memo = memo(id, &random)
      try tx.upsert(memo)
      twin[id] = memo
    case 3:
      let body = memo(id, &random).body
      try tx.update(Memo.where { $0.year == year }, set: \.body, to: body)
      for (id, memo) in twin where memo.year == year { twin[id]?.body = body }
    case 4:
      try tx.update(Memo.where { $0.id == id }, set: \.year, to: year)
      twin[id]?.year = year
    case 5:
      try tx.delete(Memo.self, id)
      twin[id] = nil
    case 6:
      let search = Search(&random, in: twin[id])
      let found = search.run(twin.sorted)
      #expect(try tx.delete(search.memos) == found.count, "seed \(random.seed)")
      for memo in found { twin[memo.id] = nil }
    case 7 where random.oneIn(5):
      try tx.deleteAll(Memo.self)
      twin = [:]
    default:
      let isUndone = random.oneIn(2)
      var inner = twin
      do {
        try tx.savepoint { tx in
          for _ in 0..<3 { try change(&tx, &inner, &random) }
          let place = random.below(40)
          let search = Search(&random, in: inner[place])
          #expect(try tx.fetch(search.memos) == search.run(inner.sorted), "seed \(random.seed)")
          if isUndone { throw Refused() }
        }
        twin = inner
      } catch is Refused {}
    }
  }

  @Test func everyPlanFindsWhatALoopFinds() throws {
    var random = SeededGenerator.forTest("TextIndexTests")
    for _ in 0..<Torture.steps(short: 3, long: 100) {
      var twin: [Int: Memo] = [:]
      let bounds = TextIndexBounds(
        waitingRows: random.pick([0, 3, 30]), segmentsPerMerge: 2 + random.below(3),
        longestBlock: random.pick([20, 300]), leastMoved: random.pick([1, 500]),
        keptBytes: random.pick([1, 60, 1 << 20]))
      try withStore(of: Memo.self) { store in
        _ = try TextIndex.add(to: store, bounds)
        for _ in 0..<15 {
          try store.write { tx in
            for _ in 0..<3 {
              try change(&tx, &twin, &random)
              let place = random.below(40)
              let search = Search(&random, in: twin[place])
              #expect(try tx.fetch(search.memos) == search.run(twin.sorted), "seed \(random.seed)")
            }
          }
          for _ in 0..<4 {
            let place = random.below(40)
            let search = Search(&random, in: twin[place])
            let expected = search.run(twin.sorted)
            let plans = try store.everyPlan(of: search.memos) { found, plan in
              #expect(found == expected, "seed \(random.seed), \(search.query): \(plan)")
            }
            // The scan, and the index where the condition is not negated.
            #expect(plans >= (search.form == 3 ? 1 : 2), "seed \(random.seed)")
            #expect(try store.count(search.memos) == expected.count, "seed \(random.seed)")
          }
          #expect(try store.verify().problems == [], "seed \(random.seed)")
        }
      }
    }
  }

  /// An index that a build makes has what statements would have written.
  @Test func anIndexIsBuiltInSteps() throws {
    var random = SeededGenerator.forTest("TextIndexTests")
    try withStore(of: Memo.self) { store in
      let index = try TextIndex.add(
        to: store, TextIndexBounds(segmentsPerMerge: 3, longestBlock: 50, leastMoved: 100))
      let memos = (0..<300).map { memo($0, &random) }
      try store.write { tx in
        try tx.insert(contentsOf: memos)
        try tx.flush(index)
        try tx.base.empty(index.tree.tree)
        let table = try tx.table(of: Memo._schema.erased)
        try table.build(index, in: &tx.base, runBytes: 2_000)
        #expect(try index.tree.head(in: tx.base).live == 300)
        #expect(try index.tree.head(in: tx.base).nextSegment > 2)
      }
      #expect(try store.verify().problems == [])
      for _ in 0..<20 {
        let memo = random.pick(memos)
        let search = Search(&random, in: memo)
        #expect(try store.fetch(search.memos) == search.run(memos), "seed \(random.seed)")
      }
    }
  }

  @Test func aLookupIsExplained() throws {
    try withStore(of: Memo.self) { store in
      _ = try TextIndex.add(to: store, TextIndexBounds())
      try store.write { tx in
        try tx.insert(
          contentsOf: (0..<2_000).map { Memo(id: $0, title: $0 % 500 == 0 ? "우유" : "빵") })
      }
      let found = try store.explain(Memo.where { $0.title.matches("우유") })
      #expect(
        found.description == """
          Memo by the index over title, body, tags: title matches "우유"
            rows: 4
            test: title matches "우유"
            order: by primary key
          """)
    }
  }

  /// A row whose texts stay the same keeps its number, and does not wait.
  @Test func updatesOfOtherPropertiesLeaveTheIndexAlone() throws {
    try withStore(of: Memo.self) { store in
      let index = try TextIndex.add(to: store, TextIndexBounds(waitingRows: 0))
      try store.write { try $0.insert(Memo(id: 1, title: "우유")) }
      let head = try store.environment.read { try index.tree.head(in: $0) }
      try store.write { try $0.update(Memo.where { $0.id == 1 }, set: \.year, to: 5) }
      #expect(try store.environment.read { try index.tree.head(in: $0) } == head)
      try store.write { try $0.update(Memo.where { $0.id == 1 }, set: \.title, to: "빵") }
      #expect(try store.environment.read { try index.tree.head(in: $0) }.nextNumber == 2)
    }
  }

  // MARK: - Damage

  /// Each part of the tree that is changed or removed is found, and said to be of the index.
  @Test func damageIsFound() throws {
    var random = SeededGenerator.forTest("TextIndexTests")
    try withStore(of: Memo.self) { store in
      let index = try TextIndex.add(
        to: store, TextIndexBounds(waitingRows: 6, longestBlock: 120))
      for place in 0..<30 {
        try store.write { try $0.upsert(memo(place % 20, &random)) }
      }
      #expect(try store.verify().problems == [])
      var entries: [(key: [UInt8], value: [UInt8])] = []
      try store.environment.read { transaction in
        try transaction.forEachBlock(of: index.tree.tree) { block in
          for place in 0..<block.count {
            entries.append((block.key(at: place).copied(), block.value(at: place).copied()))
          }
          return true
        }
      }
      #expect(Set(entries.map { $0.key[0] }).count == 6)
      var blocks: [Bool] = []
      for (key, value) in entries where key[0] < 5 || random.oneIn(5) {
        var changed = value
        changed[random.below(changed.count)] ^= 1 << UInt8(random.below(8))
        for other in [changed, nil] {
          _ = try store.writeInEngine { transaction in
            if let other {
              try transaction.put(other.span.bytes, at: key.span.bytes, in: index.tree.tree)
            } else {
              try transaction.delete(key.span.bytes, in: index.tree.tree)
            }
          }
          let found = try store.verify()
          // Bits of numbers that no row has had yet, and postings of dead numbers, change nothing.
          if key[0] == TextIndexKey.block.rawValue { blocks.append(found.isSound) }
          #expect(
            !found.isSound || [2, 5].contains(key[0]),
            "seed \(random.seed): \(key), \(value), \(other ?? [])")
          #expect(found.isSound || found.isMendedByRebuildingIndexes, "\(found.problems)")
          _ = try? store.fetch(Memo.where { $0.title.matches("우 OR a* OR ㅇ -빵") })
        }
        _ = try store.writeInEngine {
          try $0.put(value.span.bytes, at: key.span.bytes, in: index.tree.tree)
        }
      }
      #expect(try store.verify().problems == [])
      #expect(blocks.count { !$0 } > blocks.count / 3)
    }
  }

  /// Lists in another order are all there, and a search would not find some of them.
  @Test func listsOutOfOrderAreFound() throws {
    try withBlocks(of: [[2, 1, 0]]) { found in
      #expect(found.problems.contains { $0.hasSuffix("has a damaged block") })
      #expect(found.isMendedByRebuildingIndexes)
    }
  }

  /// A search would not find the first term of a block that precedes the block before it.
  @Test func blocksOutOfOrderAreFound() throws {
    try withBlocks(of: [[1], [0, 2]]) { found in
      #expect(found.problems.contains { $0.hasSuffix("has blocks out of order") })
      #expect(found.isMendedByRebuildingIndexes)
    }
  }

  /// Writes the lists of three terms in other blocks, by their ordinals, and passes what a check finds.
  private func withBlocks(
    of blocks: [[Int]], _ body: (Verification) throws -> Void
  ) throws {
    try withStore(of: Memo.self) { store in
      let index = try TextIndex.add(to: store, TextIndexBounds(waitingRows: 0))
      try store.write { try $0.insert(Memo(id: 1, title: "milk bread tea")) }
      #expect(try store.verify().problems == [])
      try store.writeInEngine { transaction in
        let segment = try #require(try index.tree.head(in: transaction).segments.first)
        let run = try SegmentRun(of: segment, in: index.tree, upTo: .max, transaction)
        var lists: [(term: [UInt8], first: UInt32, list: [UInt8])] = []
        while run.nextTerm(before: nil) != nil {
          run.readNext { lists.append((Array($0), $1, $2.copied())) }
        }
        #expect(lists.count == 3)
        var writer = PostingWriter(segment: segment.id, longestBlock: .max)
        var changes = TreeChanges()
        for block in blocks {
          for (term, first, list) in block.map({ lists[$0] }) {
            term.withUnsafeBytes { writer.begin($0, &changes) }
            writer.add(list.span.bytes, from: first)
          }
          writer.finish(&changes)
        }
        try transaction.deleteRange(
          .prefix(TextIndexKey.block.key(segment.id)), in: index.tree.tree)
        try changes.apply(to: index.tree.tree, in: &transaction)
      }
      try body(try store.verify())
    }
  }
}

extension [Int: Memo] {
  /// The memos by their keys.
  fileprivate var sorted: [Memo] { values.sorted { $0.id < $1.id } }
}
