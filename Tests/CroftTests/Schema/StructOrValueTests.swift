import Foundation
import Testing

@testable import Croft

// A property that turns into a struct, or out of one, under the same name.

enum PriceNumber {
  @Model struct Job: Hashable {
    @PrimaryKey var id: Int
    var price: Int = 0
    var isPaid: Bool = false
    var note: String? = nil
  }
}
enum PriceStruct {
  @Embedded struct Money: Hashable {
    var amount = 0
    var currency = "EUR"
  }
  @Model struct Job: Hashable {
    @PrimaryKey var id: Int
    var price: Money = Money()
    var isPaid: Money? = nil
    var note: Money? = nil
  }
}
enum PriceRenamed {
  @Model struct Job: Hashable {
    @PrimaryKey var id: Int
    @Renamed(from: "price") var cost: PriceStruct.Money = .init()
  }
}
enum CostNumber {
  @Model struct Job: Hashable {
    @PrimaryKey var id: Int
    @Renamed(from: "price") var cost: Int = 0
  }
}
/// Both: the number has another name from now on, and the struct is new.
enum PriceBoth {
  @Model struct Job: Hashable {
    @PrimaryKey var id: Int
    @Renamed(from: "price") var oldPrice: Int = 0
    var price: PriceStruct.Money = .init(amount: 7)
  }
}
/// Both: the struct has another name, and the number is new.
enum NumberBoth {
  @Model struct Job: Hashable {
    @PrimaryKey var id: Int
    @Renamed(from: "price") var oldPrice: PriceStruct.Money = .init()
    var price: Int = 7
  }
}
enum PriceRemoved {
  @Model @Removed("price") struct Job: Hashable {
    @PrimaryKey var id: Int
    var price: PriceStruct.Money = .init(amount: 7)
  }
}
/// A property of the struct moves out of it, and a flag takes the struct's name.
enum MarkTaken {
  @Embedded struct Address: Hashable { var city: String }
  @Model struct Old: Hashable {
    @PrimaryKey var id: Int
    var address: Address?
  }
  @Model @Renamed(from: "Old") struct New: Hashable {
    @PrimaryKey var id: Int
    @Renamed(from: "address.city") var city: String?
    var address: Bool = false
  }
  @Model @Renamed(from: "Old") @Removed("address.city") struct Other: Hashable {
    @PrimaryKey var id: Int
    var address: Bool = false
  }
}
enum DeepNumber {
  @Embedded struct Spot: Hashable {
    var x = 0
    var depth = 0
  }
  @Model struct Pin: Hashable {
    @PrimaryKey var id: Int
    var spot: Spot? = nil
  }
}
enum DeepStruct {
  @Embedded struct Depth: Hashable { var metres = 0 }
  @Embedded struct Spot: Hashable {
    var x = 0
    var depth = Depth()
  }
  @Model struct Pin: Hashable {
    @PrimaryKey var id: Int
    var spot: Spot? = nil
  }
}

/// Such a property opened without an error, and read its default, beside the stored values.
@Suite(.keepsFailedStores) struct StructOrValueTests {
  private func open(
    _ temporary: TemporaryStore, _ model: any Model.Type, _ migrations: Migration...
  ) throws -> Store {
    try Store.open(
      at: temporary.url, models: model, options: .forTests, migrations: migrations)
  }

  private func refusal(
    _ temporary: TemporaryStore, _ model: any Model.Type
  ) -> (field: String?, reason: String)? {
    do {
      _ = try open(temporary, model)
    } catch StoreError.schemaMismatch(_, let field, let reason) {
      return (field, reason)
    } catch {
      Issue.record(error)
    }
    return nil
  }

  @Test func aNumberThatBecomesAStructIsRefusedAndMigrated() throws {
    typealias Old = PriceNumber.Job
    typealias New = PriceStruct.Job
    try withTemporaryStore(of: Old.self, checksAtEnd: false) { temporary in
      let old = Old(id: 1, price: 4200, isPaid: true, note: "n")
      try temporary.open().write { try $0.insert(old) }
      let refused = try #require(refusal(temporary, New.self))
      #expect(refused.field == "isPaid")
      #expect(refused.reason.contains("holds bool, the program declares a struct"))
      #expect(refused.reason.contains("[.convert(\\Job.isPaid)"))
      #expect(try temporary.open().fetch(Old.all) == [old])
      let migrated = try open(
        temporary, New.self,
        .convert(\New.price, \New.isPaid, \New.note) { old, new in
          let (price, isPaid) = (try old["price", as: Int.self], try old["isPaid", as: Bool.self])
          new?.price = .init(amount: price)
          new?.isPaid = isPaid ? .init(amount: price) : nil
          new?.note = try old["note", as: String?.self].map { .init(currency: $0) }
        })
      let expected = New(
        id: 1, price: .init(amount: 4200), isPaid: .init(amount: 4200),
        note: .init(currency: "n"))
      #expect(try migrated.fetch(New.all) == [expected])
      try migrated.write { try $0.insert(New(id: 2, price: .init(amount: 5))) }
      let reopened = try open(temporary, New.self)
      #expect(try reopened.fetch(New.all) == [expected, New(id: 2, price: .init(amount: 5))])
      #expect(try reopened.verify().problems == [])
    }
  }

  @Test func aStructThatBecomesANumberIsRefusedAndMigrated() throws {
    typealias Old = PriceStruct.Job
    typealias New = PriceNumber.Job
    try withTemporaryStore(of: Old.self, checksAtEnd: false) { temporary in
      let old = Old(id: 1, price: .init(amount: 4200), isPaid: .init(amount: 1), note: nil)
      try temporary.open().write { try $0.insert(old) }
      let refused = try #require(refusal(temporary, New.self))
      #expect(refused.field == "price")
      #expect(refused.reason.contains("holds a struct, the program declares int64"))
      #expect(try temporary.open().fetch(Old.all) == [old])
      let migrated = try open(
        temporary, New.self,
        .convert(\New.price, \New.isPaid, \New.note) { old, new in
          new?.price = try old["price.amount", as: Int.self]
          new?.isPaid = try old["isPaid", as: Bool.self]
        })
      #expect(try migrated.fetch(New.all) == [New(id: 1, price: 4200, isPaid: true)])
      try migrated.write { try $0.insert(New(id: 2, price: 5, isPaid: false)) }
      let reopened = try open(temporary, New.self)
      #expect(try reopened.fetch(New.all).map(\.price) == [4200, 5])
      #expect(try reopened.verify().problems == [])
    }
  }

  @Test(
    arguments: [
      (PriceNumber.Job.self, PriceRenamed.Job.self, "cost"),
      (PriceStruct.Job.self, CostNumber.Job.self, "cost"),
      (DeepNumber.Pin.self, DeepStruct.Pin.self, "spot.depth"),
      (DeepStruct.Pin.self, DeepNumber.Pin.self, "spot.depth"),
    ] as [(any Model.Type, any Model.Type, String)])
  func soIsOneThatIsRenamedAtTheSameTimeOrInsideAStruct(
    old: any Model.Type, new: any Model.Type, field: String
  ) throws {
    try withTemporaryStore(of: old) { temporary in
      try temporary.open().write { try insertOne(of: old, &$0) }
      #expect(refusal(temporary, new)?.field == field)
    }
  }

  private func insertOne(of model: any Model.Type, _ tx: inout WriteTransaction) throws {
    switch model {
    case is PriceNumber.Job.Type: try tx.insert(PriceNumber.Job(id: 1))
    case is PriceStruct.Job.Type: try tx.insert(PriceStruct.Job(id: 1))
    case is DeepNumber.Pin.Type: try tx.insert(DeepNumber.Pin(id: 1))
    default: try tx.insert(DeepStruct.Pin(id: 1))
    }
  }

  @Test func whatGetsAnotherNameMakesRoomForTheOther() throws {
    try withTemporaryStore(of: PriceNumber.Job.self, checksAtEnd: false) { temporary in
      try temporary.open().write { try $0.insert(PriceNumber.Job(id: 1, price: 42)) }
      #expect(
        try open(temporary, PriceBoth.Job.self).fetch(PriceBoth.Job.all)
          == [.init(id: 1, oldPrice: 42, price: .init(amount: 7))])
    }
    try withTemporaryStore(of: PriceStruct.Job.self, checksAtEnd: false) { temporary in
      try temporary.open().write { try $0.insert(PriceStruct.Job(id: 1, price: .init(amount: 42))) }
      #expect(
        try open(temporary, NumberBoth.Job.self).fetch(NumberBoth.Job.all)
          == [.init(id: 1, oldPrice: .init(amount: 42), price: 7)])
    }
  }

  @Test func whatIsRemovedOrInNoObjectIsNoObstacle() throws {
    try withTemporaryStore(of: PriceNumber.Job.self, checksAtEnd: false) { temporary in
      try temporary.open().write { try $0.insert(PriceNumber.Job(id: 1, price: 42)) }
      let removed = try open(temporary, PriceRemoved.Job.self)
      #expect(try removed.fetch(PriceRemoved.Job.all).map(\.price.amount) == [7])
    }
    for (old, new) in [
      (PriceNumber.Job.self, PriceStruct.Job.self), (PriceStruct.Job.self, PriceNumber.Job.self),
    ] as [(any Model.Type, any Model.Type)] {
      try withTemporaryStore(of: old, checksAtEnd: false) { temporary in
        _ = try temporary.open()
        let store = try open(temporary, new)
        try store.write { try insertOne(of: new, &$0) }
        #expect(try store.verify().problems == [])
      }
    }
  }

  /// The mark that said whether there is a struct was read as the flag.
  @Test func theMarkOfAStructIsNoFlag() throws {
    typealias New = MarkTaken.New
    try withTemporaryStore(of: MarkTaken.Old.self, checksAtEnd: false) { temporary in
      try temporary.open().write { tx in
        try tx.insert(MarkTaken.Old(id: 0, address: .init(city: "x")))
        try tx.insert(MarkTaken.Old(id: 1, address: nil))
      }
      #expect(refusal(temporary, New.self)?.field == "address")
      #expect(refusal(temporary, MarkTaken.Other.self)?.field == "address")
      let store = try open(
        temporary, New.self,
        .convert(\New.address) { old, new in
          new?.address = try old["address.city", as: String?.self] == "x"
        })
      let expected = [New(id: 0, city: "x", address: true), New(id: 1, city: nil, address: false)]
      #expect(try store.fetch(New.all) == expected)
      let reopened = try open(temporary, New.self)
      #expect(try reopened.fetch(New.all) == expected)
      #expect(try reopened.verify().problems == [])
    }
  }

  /// The older program would read its default for what the newer one has in the struct.
  @Test func theOlderProgramIsRefusedAfterwards() throws {
    typealias Old = PriceNumber.Job
    typealias New = PriceStruct.Job
    try withTemporaryStore(of: Old.self, checksAtEnd: false) { temporary in
      try temporary.open().write { try $0.insert(Old(id: 1, price: 42)) }
      let migration = Migration.convert(\New.price, \New.isPaid, \New.note) { old, new in
        new?.price = .init(amount: try old["price", as: Int.self])
      }
      _ = try open(temporary, New.self, migration)
      let refused = try #require(refusal(temporary, Old.self))
      #expect(refused.reason.contains("open the store with the newer version of the program"))
      #expect(try open(temporary, New.self, migration).fetch(New.all).map(\.price.amount) == [42])
    }
  }
}
