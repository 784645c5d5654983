import Foundation
import Testing

@testable import Croft

@Embedded struct Point: Hashable {
  var latitude: Double
  var longitude = 0.0
}

@Embedded struct Address: Hashable {
  var street: String
  var city = "서울"
  var zip: String?
  var point: Point
  var entrance: Point?
  @Coded var notes: [String: [Int]] = [:]
  @Transient var isShown = true
}

@Model struct Resident: Hashable {
  @PrimaryKey var id: Int
  var home: Address
  var work: Address?
  var name = ""
  @Transient var selection = 7
  #Index<Resident>([\.home.city, \.name.descending], [\.work.zip.caseFolded])
  #Unique<Resident>([\.home.point.latitude, \.name])
}

@Suite(.keepsFailedStores) struct EmbeddedTests {
  private let address = Address(
    street: "a", city: "b", zip: nil, point: Point(latitude: 1, longitude: -0.0),
    entrance: nil, notes: ["x": [1, 2]])

  private func reread(_ objects: [Resident]) throws -> [Resident] {
    var read: [Resident] = []
    try withTemporaryStore(of: Resident.self) { temporary in
      try temporary.open().write { try $0.insert(contentsOf: objects) }
      read = try temporary.open().fetch(Resident.all)
    }
    return read
  }

  @Test func aStructsPropertiesAreColumnsUnderItsName() {
    #expect(
      Resident._schema.erased.columns.map(\.name) == [
        "id", "home.street", "home.city", "home.zip", "home.point.latitude",
        "home.point.longitude", "home.entrance", "home.entrance.latitude",
        "home.entrance.longitude", "home.notes", "work", "work.street", "work.city", "work.zip",
        "work.point", "work.point.latitude", "work.point.longitude", "work.entrance",
        "work.entrance.latitude", "work.entrance.longitude", "work.notes", "name",
      ])
    #expect(
      Resident._schema.erased.columns.filter { $0.name.hasPrefix("work.") }.allSatisfy {
        $0.storage.isOptional || $0.storage.kind == .bool
      })
  }

  @Test func presentAndAbsentStructsComeBackAsTheyWere() throws {
    var full = address
    full.zip = "1"
    full.entrance = Point(latitude: 2, longitude: 3)
    let people = [
      Resident(id: 0, home: address, work: nil, name: "a"),
      Resident(id: 1, home: full, work: address, name: "b"),
      Resident(id: 2, home: address, work: full, name: "c"),
    ]
    #expect(try reread(people) == people)
  }

  @Test func aTransientPropertyIsNotStoredAndComesBackWithItsDefault() throws {
    var person = Resident(id: 0, home: address, work: address)
    person.selection = 99
    person.home.isShown = false
    let read = try #require(try reread([person]).first)
    #expect(read.selection == 7)
    #expect(read.home.isShown)
  }

  @Test func defaultsOfColumnsComeFromTheStructOrItsProperties() throws {
    let layout = RecordLayout(schema: Resident._schema.erased, id: 1)
    func hasDefault(_ name: String) -> Bool {
      Resident._schema.erased.columns.first { $0.name == name }?.storeDefault != nil
    }
    #expect(hasDefault("home.city") && hasDefault("home.zip") && hasDefault("work.street"))
    #expect(hasDefault("work") && hasDefault("name") && hasDefault("home.notes"))
    #expect(!hasDefault("home.street") && !hasDefault("home.point.latitude"))
    #expect(layout.columns.count == Resident._schema.erased.columns.count)
  }

  @Test func indexesNameColumnsInsideStructs() {
    let schema = Resident._schema.erased
    let names = schema.indexes.map { index in
      index.columns.map {
        schema.columns[$0.places[0]].name + ($0.isDescending ? "-" : "")
          + ($0.isCaseFolded ? "~" : "")
      }.joined(separator: ",") + (index.isUnique ? "!" : "")
    }
    #expect(names == ["home.city,name-", "work.zip~", "home.point.latitude,name!"])
  }
}
