import Croft
import Foundation
import Testing

// A model with an embedded struct, as its versions declare it.

enum HomeFirst {
  @Embedded struct Address: Hashable {
    var street: String
    var number: Int16
    var city = "Seoul"
  }
  @Model struct Guest: Hashable {
    @PrimaryKey var id: Int
    var home: Address
    var work: Address?
  }
}

/// Reordered, widened, with a property more, one less, and one under another name.
enum HomeSecond {
  @Embedded struct Address: Hashable {
    var zip = "none"
    var number: Int
    @Renamed(from: "street") var road: String
    var floor: Int?
  }
  @Model struct Guest: Hashable {
    @PrimaryKey var id: Int
    var work: Address?
    var home: Address
  }
}

/// The struct itself has another name, and one of its properties is beside it.
enum HomeThird {
  @Embedded struct Address: Hashable {
    var number: Int16
    var city = "Seoul"
  }
  @Model struct Guest: Hashable {
    @PrimaryKey var id: Int
    @Renamed(from: "home") var place: Address
    @Renamed(from: "home.street") var street: String
  }
}

enum HomeWithoutDefault {
  @Embedded struct Address: Hashable {
    var street: String
    var number: Int16
    var city = "Seoul"
    var zip: String
  }
  @Model struct Guest: Hashable {
    @PrimaryKey var id: Int
    var home: Address
  }
}

enum HomeOptional {
  @Model struct Guest: Hashable {
    @PrimaryKey var id: Int
    var home: HomeFirst.Address?
    var work: HomeFirst.Address?
  }
}

enum WorkRequired {
  @Model struct Guest: Hashable {
    @PrimaryKey var id: Int
    var home: HomeFirst.Address
    var work: HomeFirst.Address
  }
}

enum HomeAsText {
  @Embedded struct Address: Hashable {
    var street: String
    var number: String
    var city = "Seoul"
  }
  @Model struct Guest: Hashable {
    @PrimaryKey var id: Int
    var home: Address
  }
}

/// What changes inside an embedded struct changes as a property of the model does.
@Suite(.keepsFailedStores) struct EmbeddedEvolutionTests {
  private static let guests = (0..<40).map { id in
    HomeFirst.Guest(
      id: id, home: .init(street: "s\(id)", number: Int16(id), city: "c\(id % 3)"),
      work: id % 2 == 0 ? nil : .init(street: "w\(id)", number: -1))
  }

  private func withGuests(_ body: (TemporaryStore) throws -> Void) throws {
    try withTemporaryStore(of: HomeFirst.Guest.self, checksAtEnd: false) { temporary in
      try temporary.open().write { try $0.insert(contentsOf: Self.guests) }
      try body(temporary)
    }
  }

  private func open(
    _ temporary: TemporaryStore, _ model: any Model.Type, _ migrations: [Migration] = []
  ) throws -> Store {
    try Store.open(
      at: temporary.url, models: model, options: .forTests, migrations: migrations)
  }

  @Test func propertiesInsideAreAddedRemovedRenamedReorderedAndWidened() throws {
    try withGuests { temporary in
      var twin = Self.guests.map { guest in
        func renewed(_ old: HomeFirst.Address) -> HomeSecond.Address {
          HomeSecond.Address(number: Int(old.number), road: old.street, floor: nil)
        }
        return HomeSecond.Guest(
          id: guest.id, work: guest.work.map(renewed), home: renewed(guest.home))
      }
      do {
        let store = try open(temporary, HomeSecond.Guest.self)
        #expect(try store.fetch(HomeSecond.Guest.all) == twin)
        #expect(
          try store.fetch(HomeSecond.Guest.where { $0.home.road == "s7" }).map(\.id) == [7])
        #expect(try store.count(HomeSecond.Guest.where { $0.home.zip == "none" }) == 40)
        try store.write { _ = try $0.update(HomeSecond.Guest.self, 3) { $0.home.zip = "1" } }
      }
      twin[3].home.zip = "1"
      let store = try open(temporary, HomeSecond.Guest.self)
      #expect(try store.fetch(HomeSecond.Guest.all) == twin)
      // The city is hidden, and was kept where its row was rewritten.
      let late = Migration("late", HomeSecond.Guest.self) { old, _ in
        let (id, city) = try (old["id", as: Int.self], old["home.city", as: String.self])
        #expect(city == "c\(id % 3)")
      }
      _ = try open(temporary, HomeSecond.Guest.self, [late])
    }
  }

  @Test func theStructIsRenamedAndAPropertyMovesOutOfIt() throws {
    try withGuests { temporary in
      let store = try open(temporary, HomeThird.Guest.self)
      #expect(
        try store.fetch(HomeThird.Guest.all)
          == Self.guests.map {
            HomeThird.Guest(
              id: $0.id, place: .init(number: $0.home.number, city: $0.home.city),
              street: $0.home.street)
          })
      #expect(try store.verify().isSound)
      // The older program finds all of it under the names that it knows.
      #expect(try temporary.open().fetch(HomeFirst.Guest.all) == Self.guests)
    }
  }

  @Test func aStructBecomesOptionalAndKeepsItsValues() throws {
    try withGuests { temporary in
      let store = try open(temporary, HomeOptional.Guest.self)
      #expect(try store.fetch(HomeOptional.Guest.all).map(\.home) == Self.guests.map(\.home))
      #expect(try store.fetch(HomeOptional.Guest.all).map(\.work) == Self.guests.map(\.work))
      try store.write { tx in
        try tx.update(HomeOptional.Guest.self, 1) { $0.home = nil }
        try tx.update(HomeOptional.Guest.self, 2) { $0.home?.street = "new" }
      }
      #expect(try store.fetch(HomeOptional.Guest.where { $0.home.street.isNil }).map(\.id) == [1])
      #expect(try store.get(HomeOptional.Guest.self, 2)?.home?.street == "new")
      // An older program has no word for a guest without a home.
      guard
        case .schemaMismatch("Guest", "home.street", _) =
          StoreError.thrown(by: { _ = try temporary.open() })
      else {
        Issue.record("it was opened")
        return
      }
    }
  }

  @Test func anOptionalStructBecomesRequiredThroughAMigrationAndNotByItself() throws {
    try withGuests { temporary in
      let before = try Data(contentsOf: temporary.url)
      let error = StoreError.thrown { _ = try open(temporary, WorkRequired.Guest.self) }
      guard case .schemaMismatch("Guest", "work.street", let reason) = error else {
        Issue.record("another error: \(String(describing: error))")
        return
      }
      #expect(
        reason.contains(
          "[.convert(\\Guest.work.street) { old, new in new?.work.street = … }]"))
      #expect(try Data(contentsOf: temporary.url) == before)
      let filling = Migration.convert(\WorkRequired.Guest.work) { old, new in
        new?.work.street = try old["work.street", as: String?.self] ?? "at home"
      }
      do {
        let store = try open(temporary, WorkRequired.Guest.self, [filling])
        #expect(
          try store.fetch(WorkRequired.Guest.all).map(\.work.street)
            == Self.guests.map { $0.work?.street ?? "at home" })
      }
      // What the newer program inserts is no nil for a program that may have one.
      var guest = WorkRequired.Guest(id: 200, home: Self.guests[0].home, work: Self.guests[1].home)
      guest.work.street = "new"
      try open(temporary, WorkRequired.Guest.self).write { try $0.insert(guest) }
      #expect(try temporary.open().get(HomeFirst.Guest.self, 200)?.work == guest.work)
    }
  }

  @Test(arguments: [
    (HomeWithoutDefault.Guest.self as any Model.Type, "home.zip", "give the property a default"),
    (HomeAsText.Guest.self, "home.number", "the store holds int16, the program declares string"),
  ])
  func whatDoesNotFitIsNamedByStructAndProperty(
    model: any Model.Type, field: String, words: String
  ) throws {
    try withGuests { temporary in
      let before = try Data(contentsOf: temporary.url)
      let error = StoreError.thrown { _ = try open(temporary, model) }
      guard case .schemaMismatch("Guest", field, let reason) = error else {
        Issue.record("another error: \(String(describing: error))")
        return
      }
      for word in [
        words, "migrations: [.convert(\\Guest.\(field))", "new?.\(field)",
      ] {
        #expect(reason.contains(word), "\(reason)")
      }
      #expect(try Data(contentsOf: temporary.url) == before)
      #expect(try temporary.open().fetch(HomeFirst.Guest.all) == Self.guests)
    }
  }
}
