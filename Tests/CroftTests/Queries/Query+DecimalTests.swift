import Croft
import Foundation
import Testing

@Model private struct Offer: Hashable {
  @PrimaryKey var id: Int
  @Indexed var prices: [Decimal] = []
  var name = ""
}

@Suite struct QueryDecimalTests {
  @Test func aDecimalThatIsNoNumberIsTheLastForAnIndexAndAScanAlike() throws {
    let store = try Store.inMemory(models: Offer.self)
    try store.write { tx in
      try tx.insert(Offer(id: 0, prices: [.nan]))
      try tx.insert(Offer(id: 1, prices: [1]))
      try tx.insert(contentsOf: (2..<400).map { Offer(id: $0, prices: [100]) })
    }
    let scanned = { (query: Query<Offer>) in
      // No index helps with the second term, so that all rows are tested.
      try store.fetch(query.where { $0.prices.count == 1 && !($0.name == "none") }).map(\.id)
    }
    let less = Offer.where { $0.prices.any { $0 < 5 } || $0.name == "none" }
    #expect(try scanned(less) == [1])
    #expect(try store.fetch(Offer.where { $0.prices.any { $0 < 5 } }).map(\.id) == [1])
    let greater = Offer.where { $0.prices.any { $0 > 500 } || $0.name == "none" }
    #expect(try scanned(greater) == [0])
    #expect(try store.fetch(Offer.where { $0.prices.any { $0 > 500 } }).map(\.id) == [0])
    #expect(try scanned(Offer.where { $0.prices.any { $0 == .nan } || $0.name == "none" }) == [0])
  }
}
