import Croft
import Foundation
import Testing

// A model whose key has two parts, and which refers to others, as its versions declare it.

enum SeatFirst {
  @Model struct Hall: Hashable {
    @PrimaryKey var name: String
    var seats = 0
  }
  @Model struct Seat: Hashable {
    @PrimaryKey var row: Int16
    @PrimaryKey var number: UInt8
    var label: String
    @Indexed var price: Float
    @Relation(onDelete: .cascade) var hall: Ref<Hall>?
    @Coded var marks: [String: Int] = [:]
  }
}

/// The key's parts are wider, a property has another name, and the indexes are others.
enum SeatSecond {
  @Model struct Seat: Hashable {
    @PrimaryKey var row: Int
    @PrimaryKey var number: UInt64
    @Renamed(from: "label") @Indexed var title: String
    var price: Double
    var note: String?
    @Relation(onDelete: .deny) var hall: Ref<SeatFirst.Hall>?
    @Coded var marks: [String: Int] = [:]
    #Index<Seat>([\.note, \.title.descending], [\.price.descending, \.title])
  }
}

/// The parts of the key in the other order.
enum SeatTurned {
  @Model struct Seat: Hashable {
    @PrimaryKey var number: UInt8
    @PrimaryKey var row: Int16
    var label: String
    @Indexed var price: Float
    var hall: Ref<SeatFirst.Hall>?
    @Coded var marks: [String: Int] = [:]
  }
}

/// A part more in the key.
enum SeatLonger {
  @Model struct Seat: Hashable {
    @PrimaryKey var row: Int16
    @PrimaryKey var number: UInt8
    @PrimaryKey var label: String
    @Indexed var price: Float
    var hall: Ref<SeatFirst.Hall>?
    @Coded var marks: [String: Int] = [:]
  }
}

/// The key is one part alone.
enum SeatShorter {
  @Model struct Seat: Hashable {
    @PrimaryKey var row: Int16
    var number: UInt8
    var label: String
    @Indexed var price: Float
    var hall: Ref<SeatFirst.Hall>?
    @Coded var marks: [String: Int] = [:]
  }
}

/// There must be a hall.
enum SeatInHall {
  @Model struct Seat: Hashable {
    @PrimaryKey var row: Int16
    @PrimaryKey var number: UInt8
    var label: String
    @Indexed var price: Float
    @Relation(onDelete: .cascade) var hall: Ref<SeatFirst.Hall>
    @Coded var marks: [String: Int] = [:]
  }
}

/// The JSON holds something else.
enum SeatWithOtherMarks {
  struct Mark: Codable, Hashable { var text: String }

  @Model struct Seat: Hashable {
    @PrimaryKey var row: Int16
    @PrimaryKey var number: UInt8
    var label: String
    @Indexed var price: Float
    var hall: Ref<SeatFirst.Hall>?
    @Coded var marks: [Mark] = []
  }
}

/// Changes of keys, names, indexes, references and JSON, several at a time.
@Suite(.keepsFailedStores) struct SeveralChangesTests {
  private typealias First = SeatFirst.Seat
  private static let halls = ["great", "small"].map { SeatFirst.Hall(name: $0) }
  private static let seats = (-3..<3).flatMap { row in
    [0, 1, 255].map { seat(row, $0) }
  }

  private static func seat(_ row: Int16, _ number: UInt8) -> First {
    let hall: Ref<SeatFirst.Hall>? = row < 0 ? nil : Ref(halls[Int(row) % 2])
    return First(
      row: row, number: number, label: "\(row)/\(number)", price: Float(number) / 2, hall: hall,
      marks: row == 2 ? ["a": 1] : [:])
  }

  private func withSeats(_ body: (TemporaryStore) throws -> Void) throws {
    try withTemporaryStore(of: First.self, SeatFirst.Hall.self, checksAtEnd: false) { temporary in
      try temporary.open().write { tx in
        try tx.insert(contentsOf: Self.halls)
        try tx.insert(contentsOf: Self.seats)
      }
      try body(temporary)
    }
  }

  private func open(
    _ temporary: TemporaryStore, _ model: any Model.Type, _ migrations: [Migration] = []
  ) throws -> Store {
    try Store.open(
      at: temporary.url, models: SeatFirst.Hall.self, model, options: .forTests,
      migrations: migrations)
  }

  /// The refusal of a schema, which changes nothing; the reason.
  private func refusal(
    _ temporary: TemporaryStore, _ model: any Model.Type, _ field: String
  ) throws -> String {
    let before = try Data(contentsOf: temporary.url)
    let error = StoreError.thrown { _ = try open(temporary, model) }
    #expect(try Data(contentsOf: temporary.url) == before)
    guard case .schemaMismatch("Seat", field, let reason) = error else {
      Issue.record("another error: \(String(describing: error))")
      return ""
    }
    return reason
  }

  @Test func aRenameAWiderKeyAndOtherIndexesComeTogether() throws {
    try withSeats { temporary in
      let store = try open(temporary, SeatSecond.Seat.self)
      let twin = Self.seats.map {
        SeatSecond.Seat(
          row: Int($0.row), number: UInt64($0.number), title: $0.label, price: Double($0.price),
          note: nil, hall: $0.hall, marks: $0.marks)
      }
      #expect(try store.fetch(SeatSecond.Seat.all) == twin)
      #expect(
        try store.get(SeatSecond.Seat.self, .init(row: -1, number: 255))?.title == "-1/255")
      for query in [
        SeatSecond.Seat.where { $0.title == "0/1" },
        SeatSecond.Seat.where { $0.note.isNil && $0.title >= "1" },
        SeatSecond.Seat.where { $0.price > 100 }.order(by: \.price.descending, \.title),
      ] {
        #expect(!(try store.explain(query).description.contains("scan")), "\(query)")
      }
      #expect(try store.fetch(SeatSecond.Seat.where { $0.title == "0/1" }) == [twin[10]])
      #expect(
        try store.fetch(SeatSecond.Seat.where { $0.price > 100 }.order(by: \.title)).map(\.title)
          == twin.filter { $0.price > 100 }.map(\.title).sorted())
      // Three indexes and the one of references; the one over the price alone is gone.
      #expect(try store.verify().problems == [])
      #expect(try store.statistics.models.first { $0.name == "Seat" }?.indexes.count == 4)
      // The newer rule holds.
      #expect(throws: StoreError.self) {
        try store.write { _ = try $0.delete(SeatFirst.Hall.self, "great") }
      }
      try store.write {
        try $0.insert(SeatSecond.Seat(row: 1 << 40, number: 1 << 40, title: "", price: 0))
      }
      // An older program would truncate the key.
      #expect(try refusal(temporary, First.self, "row").contains("int64"))
    }
  }

  @Test(arguments: [
    (SeatTurned.Seat.self as any Model.Type, "number"), (SeatLonger.Seat.self, "row"),
    (SeatShorter.Seat.self, "row"),
  ])
  func anotherCompoundKeyIsRefusedAndNamesTheStoredOne(
    model: any Model.Type, field: String
  ) throws {
    try withSeats { temporary in
      let reason = try refusal(temporary, model, field)
      for word in [
        "primary key is row, number", "migrations: [.convert(\\Seat.\(field))",
      ] {
        #expect(reason.contains(word), "\(reason)")
      }
    }
  }

  @Test func aCompoundKeyChangesThroughAMigration() throws {
    try withSeats { temporary in
      do {
        let store = try open(
          temporary, SeatLonger.Seat.self,
          [.convert(\SeatLonger.Seat.label) { _, _ in }])
        #expect(
          try store.fetch(SeatLonger.Seat.all).map(\.label) == Self.seats.map(\.label))
        #expect(try store.verify().problems == [])
      }
      let turned = try open(
        temporary, SeatTurned.Seat.self,
        [.convert(\SeatTurned.Seat.number) { _, _ in }])
      #expect(
        try turned.fetch(SeatTurned.Seat.all).map(\.label)
          == Self.seats.sorted { ($0.number, $0.row) < ($1.number, $1.row) }.map(\.label))
      #expect(
        try turned.fetch(SeatTurned.Seat.where { $0.price == 0.5 }).count
          == Self.seats.count { $0.price == 0.5 })
      #expect(try turned.verify().problems == [])
    }
  }

  @Test func twoObjectsOfOneShorterKeyAreRefused() throws {
    try withSeats { temporary in
      #expect(throws: StoreError.duplicateKey(model: "Seat", fields: ["row"], key: "-3")) {
        _ = try open(
          temporary, SeatShorter.Seat.self,
          [.convert(\SeatShorter.Seat.row) { _, _ in }])
      }
      let stored = try temporary.open().fetch(First.all)
      #expect(stored == Self.seats)
    }
  }

  @Test func aReferenceThatMustBeThereNeedsAMigrationForThoseWithout() throws {
    try withSeats { temporary in
      let reason = try refusal(temporary, SeatInHall.Seat.self, "hall")
      #expect(reason.contains("new?.hall = …"), "\(reason)")
      let filling = Migration.convert(\SeatInHall.Seat.hall) { old, new in
        new?.hall = Ref<SeatFirst.Hall>(try old["hall", as: String?.self] ?? "small")
      }
      let store = try open(temporary, SeatInHall.Seat.self, [filling])
      #expect(
        try store.fetch(SeatInHall.Seat.all).map(\.hall)
          == Self.seats.map { $0.hall ?? Ref<SeatFirst.Hall>("small") })
      #expect(try store.verify().problems == [])
      let small = Self.seats.count { $0.hall?.key != "great" }
      try store.write { _ = try $0.delete(SeatFirst.Hall.self, "small") }
      #expect(try store.count(SeatInHall.Seat.all) == Self.seats.count - small)
    }
  }

  @Test func JSONThatNoLongerFitsIsNamedWhereItIsReadAndMendedByAMigration() throws {
    try withSeats { temporary in
      let store = try open(temporary, SeatWithOtherMarks.Seat.self)
      let error = StoreError.thrown { _ = try store.fetch(SeatWithOtherMarks.Seat.all) }
      guard case .schemaMismatch("Seat", "marks", let reason) = error else {
        Issue.record("another error: \(String(describing: error))")
        return
      }
      #expect(reason.contains("(-3, 0)"), "\(reason)")
      // Conditions, counts and deletes do not read it, and the other program still does.
      #expect(try store.count(SeatWithOtherMarks.Seat.where { $0.price > 100 }) == 6)
      #expect(try temporary.open().fetch(First.all) == Self.seats)
    }
  }
}
