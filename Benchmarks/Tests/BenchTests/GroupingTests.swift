import Croft
import Testing

@Model struct Sale {
  @PrimaryKey var id: Int
  var shop: String
  var price: Double
  var count: Int?
}

/// Groups with several aggregates, built for release: parameter packs are optimised there.
@Suite struct GroupingTests {
  @Test func groupsOfSeveralAggregatesAreThoseOfPlainSwift() throws {
    let store = try Store.inMemory(models: Sale.self)
    let sales = (0..<1_000).map {
      Sale(id: $0, shop: "shop \($0 % 7)", price: Double($0), count: $0 % 3 == 0 ? nil : $0)
    }
    try store.write { try $0.insert(contentsOf: sales) }
    let groups = try store.read { tx in
      try tx.fetch(
        Sale.all.grouped(
          by: \.shop, .count, .sum(\.price), .min(\.count), .max(\.price), .average(\.price)))
    }
    #expect(groups.map(\.key) == (0..<7).map { "shop \($0)" })
    for (number, group) in groups.enumerated() {
      let own = sales.filter { $0.shop == "shop \(number)" }
      let (count, sum, least, greatest, average) = group.values
      #expect(count == own.count)
      #expect(sum == own.map(\.price).reduce(0, +))
      #expect(least == own.compactMap(\.count).min())
      #expect(greatest == own.map(\.price).max())
      #expect(average == sum / Double(own.count))
    }
    let counts = try store.read { try $0.fetch(Sale.all.grouped(by: \.shop, .count)) }
    #expect(counts.map(\.values) == groups.map(\.values.0))
  }
}
