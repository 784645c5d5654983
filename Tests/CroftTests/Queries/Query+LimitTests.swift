import Croft
import Testing

@Model private struct Ranked: Hashable {
  @PrimaryKey var id: Int
  var rank: Int
}

@Suite struct QueryLimitTests {
  @Test(arguments: [Int.max, Int.max - 1, Int.max / 2 + 1])
  func aLimitOfAllThatCanBeOnlyPassesOverTheOffset(limit: Int) throws {
    let store = try Store.inMemory(models: Ranked.self)
    try store.write { tx in
      try tx.insert(contentsOf: (0..<1_000).map { Ranked(id: $0, rank: -$0) })
    }
    let query = Ranked.all.order(by: \.rank).limit(limit, offset: 3)
    #expect(try store.fetch(query).map(\.id) == Array((0..<997).reversed()))
    #expect(try store.count(query) == 997)
  }
}
