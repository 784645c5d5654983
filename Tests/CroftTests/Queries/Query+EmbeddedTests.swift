import Croft
import Testing

/// Sums, groups, sections and rows over the properties of a struct that is not optional.
@Suite(.keepsFailedStores) struct QueryEmbeddedTests {
  private static let shops = [
    Shop(id: 1, place: Site(city: "Rome", spot: Spot(x: 1, y: 5)), rooms: 3),
    Shop(id: 2, place: Site(city: "Oslo", spot: Spot(x: -4, y: nil)), rooms: 1),
    Shop(id: 3, place: Site(city: "Rome", spot: Spot(x: 2, y: 1)), rooms: 2),
    Shop(id: 4, place: Site(city: "Lima", spot: Spot(x: 9, y: 7)), rooms: 4),
  ]

  private func withShops(_ body: (Store) throws -> Void) throws {
    try withStore(of: Shop.self) { store in
      try store.write { try $0.insert(contentsOf: Self.shops) }
      try body(store)
    }
  }

  @Test func propertiesOfAStructAreAddedUp() throws {
    try withShops { store throws in
      #expect(try store.fetch(Shop.all.sum(\.place.spot.x)) == 8)
      #expect(try store.fetch(Shop.where { $0.place.city == "Rome" }.sum(\.place.spot.y)) == 6)
      #expect(try store.fetch(Shop.all.average(\.place.spot.y)) == 13.0 / 3)
      #expect(try store.fetch(Shop.all.min(\.place.spot.x)) == -4)
      #expect(try store.fetch(Shop.all.max(\.place.city)) == "Rome")
    }
  }

  @Test func objectsAreGroupedAndSectionedByAPropertyOfAStruct() throws {
    try withShops { store throws in
      let groups = try store.fetch(
        Shop.all.grouped(by: \.place.city, .count, .sum(\.place.spot.x), .max(\.rooms)))
      #expect(groups.map(\.key) == ["Lima", "Oslo", "Rome"])
      #expect(groups.map { $0.values.0 } == [1, 1, 2])
      #expect(groups.map { $0.values.1 } == [9, -4, 3])
      #expect(groups.map { $0.values.2 } == [4, 1, 3])
      let sections = try store.fetch(Shop.all.order(by: \.rooms).sections(by: \.place.city))
      #expect(sections.map(\.key) == ["Lima", "Oslo", "Rome"])
      #expect(sections.map { $0.objects.map(\.id) } == [[4], [2], [3, 1]])
      let nilFirst = try store.fetch(Shop.all.grouped(by: \.place.spot.y, .count))
      #expect(nilFirst.map(\.key) == [nil, 1, 5, 7])
    }
  }

  @Test func rowsAndBulkSetsReachIntoAStruct() throws {
    try withShops { store throws in
      var found: [String] = []
      try store.forEachRow(Shop.where { $0.rooms > 1 }) { row in
        found.append("\(try row[\.place.city]) \(try row[\.place.spot.x]) \(try row[\.rooms])")
      }
      #expect(found == ["Rome 1 3", "Rome 2 2", "Lima 9 4"])
      let count = try store.write { tx in
        try tx.update(Shop.where { $0.place.city == "Rome" }, set: \.place.spot.y, to: nil)
      }
      #expect(count == 2)
      #expect(try store.fetch(Shop.where { $0.place.spot.y.isNil }).map(\.id) == [1, 2, 3])
    }
  }
}

@Embedded struct Spot: Hashable {
  var x: Int
  var y: Int?
}

@Embedded struct Site: Hashable {
  var city: String
  var spot: Spot
}

@Model struct Shop: Hashable {
  @PrimaryKey var id: Int
  var place: Site
  var rooms: Int
}
