import Croft
import Foundation
import Testing

/// Seats by row and number, which guests refer to.
enum ByNumber {
  @Model struct Seat: Hashable {
    @PrimaryKey var row: Int
    @PrimaryKey var number: Int32
    var name: String
  }
  @Model struct Guest: Hashable {
    @PrimaryKey var id: Int
    var seat: Ref<Seat>
    var wishes: [Ref<Seat>] = []
  }
}

/// The same with wider numbers, whose key codes are the same.
enum ByWiderNumber {
  @Model struct Seat: Hashable {
    @PrimaryKey var row: Int
    @PrimaryKey var number: Int
    var name: String
  }
  @Model struct Guest: Hashable {
    @PrimaryKey var id: Int
    var seat: Ref<Seat>?
    var wishes: [Ref<Seat>] = []
  }
}

/// Seats by row and name.
enum SeatsByName {
  @Model struct Seat: Hashable {
    @PrimaryKey var row: Int
    @PrimaryKey var name: String
    var number: Int32
  }
  @Model struct Guest: Hashable {
    @PrimaryKey var id: Int
    var seat: Ref<Seat>
    var wishes: [Ref<Seat>] = []
  }
}

@Suite(.keepsFailedStores) struct CompoundKeyMigrationTests {
  private static let seats = (1...3).map { ByNumber.Seat(row: $0, number: 7, name: "s\($0)") }
  private static let guests = [
    ByNumber.Guest(id: 1, seat: Ref(seats[0]), wishes: [Ref(seats[1]), Ref(seats[2])]),
    ByNumber.Guest(id: 2, seat: Ref(seats[2])),
  ]

  private func fill(_ temporary: TemporaryStore) throws {
    let store = try Store.open(
      at: temporary.url, models: ByNumber.Seat.self, ByNumber.Guest.self, options: .forTests)
    try store.write { tx throws in
      try tx.insert(contentsOf: Self.seats)
      try tx.insert(contentsOf: Self.guests)
    }
  }

  @Test func widerPartsChangeNoReference() throws {
    try withTemporaryStore(of: ByWiderNumber.Seat.self, ByWiderNumber.Guest.self) { temporary in
      try fill(temporary)
      let store = try temporary.open()
      let seats = Self.seats.map {
        ByWiderNumber.Seat(row: $0.row, number: Int($0.number), name: $0.name)
      }
      #expect(
        try store.fetch(ByWiderNumber.Guest.all) == [
          ByWiderNumber.Guest(id: 1, seat: Ref(seats[0]), wishes: [Ref(seats[1]), Ref(seats[2])]),
          ByWiderNumber.Guest(id: 2, seat: Ref(seats[2])),
        ])
      try store.write { _ = try $0.update(ByWiderNumber.Guest.self, 2) { $0.seat = nil } }
      #expect(try store.count(ByWiderNumber.Guest.referring(to: seats[2], by: \.wishes)) == 1)
    }
  }

  @Test func anotherKeyNeedsAMigrationOfWhatRefersToIt() throws {
    try withTemporaryStore(of: SeatsByName.Seat.self, SeatsByName.Guest.self) { temporary in
      try fill(temporary)
      let error = #expect(throws: StoreError.self) { try temporary.open() }
      #expect("\(try #require(error))".contains("Seat"))
      let migrations: [Migration] = [
        .convert(\SeatsByName.Seat.name) { old, new in
          new?.name = try old["name", as: String.self]
        },
        .convert(\SeatsByName.Guest.seat, \SeatsByName.Guest.wishes) { old, new in
          func named(_ key: ByNumber.Seat.PrimaryKey) -> Ref<SeatsByName.Seat> {
            Ref(SeatsByName.Seat.PrimaryKey(row: key.row, name: "s\(key.row)"))
          }
          new?.seat = named(try old["seat", as: Ref<ByNumber.Seat>.self].key)
          new?.wishes = try old["wishes", as: [Ref<ByNumber.Seat>].self].map { named($0.key) }
        },
      ]
      let store = try Store.open(
        at: temporary.url, models: SeatsByName.Seat.self, SeatsByName.Guest.self,
        options: .forTests,
        migrations: migrations)
      let seats = Self.seats.map {
        SeatsByName.Seat(row: $0.row, name: $0.name, number: $0.number)
      }
      #expect(try store.fetch(SeatsByName.Seat.all) == seats)
      #expect(
        try store.fetch(SeatsByName.Guest.all) == [
          SeatsByName.Guest(id: 1, seat: Ref(seats[0]), wishes: [Ref(seats[1]), Ref(seats[2])]),
          SeatsByName.Guest(id: 2, seat: Ref(seats[2])),
        ])
      #expect(try store.count(SeatsByName.Guest.referring(to: seats[2], by: \.seat)) == 1)
    }
  }

  @Test func rulesHoldForAProgramThatKnowsOnlyTheModelReferredTo() throws {
    try withTemporaryStore(of: ByNumber.Seat.self, ByNumber.Guest.self) { temporary in
      try fill(temporary)
      let store = try Store.open(
        at: temporary.url, models: ByNumber.Seat.self, options: .forTests)
      try store.write { tx throws in
        try tx.delete(ByNumber.Seat.self, Self.seats[1]._primaryKey)
        #expect(
          throws: StoreError.deniedByRelation(
            model: "Guest", field: "seat", key: "1", target: "Seat (1, 7)", count: 1)
        ) { try tx.delete(ByNumber.Seat.self, Self.seats[0]._primaryKey) }
      }
      let both = try temporary.open()
      #expect(try both.get(ByNumber.Guest.self, 1)?.wishes == [Ref(Self.seats[2])])
    }
  }
}
