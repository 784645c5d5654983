import Foundation
import Testing

@testable import Croft

// A struct that one program may lack and another always has.

enum SpotOptional {
  @Embedded struct Spot: Hashable {
    var x: Int
    var y: Int
  }
  @Model struct Pin: Hashable {
    @PrimaryKey var id: Int
    var spot: Spot?
    var note = ""
    var next: Ref<Pin>?
  }
}
enum SpotRequired {
  @Embedded struct Spot: Hashable {
    var x: Int = 3
    var y: Int = 4
  }
  @Model struct Pin: Hashable {
    @PrimaryKey var id: Int
    var spot: Spot
    var note = ""
    var next: Ref<Pin>?
  }
}
enum SpotRenamed {
  @Model struct Pin: Hashable {
    @PrimaryKey var id: Int
    @Renamed(from: "spot") var place: SpotRequired.Spot
    var note = ""
    var next: Ref<Pin>?
  }
}

enum DepthOptional {
  @Embedded struct Depth: Hashable { var metres: Int }
  @Embedded struct Spot: Hashable {
    var x: Int
    var depth: Depth?
  }
  @Model struct Pin: Hashable {
    @PrimaryKey var id: Int
    var spot: Spot?
    var note = ""
  }
}
enum DepthAlways {
  @Embedded struct Depth: Hashable { var metres: Int = 5 }
  @Embedded struct Spot: Hashable {
    var x: Int = 3
    var depth: Depth
  }
  @Model struct Pin: Hashable {
    @PrimaryKey var id: Int
    var spot: Spot
    var note = ""
  }
}

/// An object that a newer program rewrote still lacked its struct for an older one: what that one
/// saved next took the struct's values away, and the store verified as sound.
@Suite(.keepsFailedStores) struct StructTurnsTests {
  private typealias Old = SpotOptional.Pin
  private typealias New = SpotRequired.Pin

  private func open(
    _ temporary: TemporaryStore, _ model: any Model.Type, _ migrations: [Migration] = []
  ) throws -> Store {
    try Store.open(
      at: temporary.url, models: model, options: .forTests, migrations: migrations)
  }

  /// The statements that give the object 1 the struct (70, 80).
  private static let statements: [@Sendable (inout WriteTransaction) throws -> Void] = [
    { _ = try $0.update(New.self, 1) { $0.spot = .init(x: 70, y: 80) } },
    { tx in _ = try tx.update(New.where { $0.id == 1 }) { $0.spot = .init(x: 70, y: 80) } },
    { try $0.upsert(New(id: 1, spot: .init(x: 70, y: 80))) },
    { tx in
      let pin = try #require(try tx.get(New.self, 1))
      try tx.upsert(New(id: 1, spot: .init(x: 70, y: 80)), .merge(from: pin))
    },
    { try $0.update(New.where { $0.id == 1 }, set: (\.spot.x, to: 70), (\.spot.y, to: 80)) },
    { tx in
      try tx.delete(New.self, 1)
      try tx.insert(New(id: 1, spot: .init(x: 70, y: 80)))
    },
  ]

  @Test(arguments: statements.indices, [0, 70_000])
  func theOlderProgramFindsTheStructThatTheNewerOneWrote(statement: Int, length: Int) throws {
    try withTemporaryStore(of: New.self) { temporary in
      let old = try open(temporary, Old.self)
      let note = String(repeating: "n", count: length)
      try old.write { tx in
        for id in 1...3 { try tx.insert(Old(id: id, spot: nil, note: note)) }
      }
      let new = try temporary.open()
      try new.write { tx in
        try Self.statements[statement](&tx)
        if length > 0 { _ = try tx.update(New.self, 1) { $0.note = note + "!" } }
      }
      #expect(try old.fetch(Old.all).map(\.spot) == [.init(x: 70, y: 80), nil, nil])
      for reopened in [old, try open(temporary, Old.self)] {
        try reopened.write { _ = try $0.update(Old.self, 1) { $0.note += "seen" } }
        #expect(try new.get(New.self, 1)?.spot == .init(x: 70, y: 80))
      }
      #expect(try temporary.open().fetch(New.all).map(\.spot.x) == [70, 3, 3])
      // The older program's own word that there is none counts.
      try old.write { _ = try $0.update(Old.self, 1) { $0.spot = nil } }
      #expect(try new.get(New.self, 1)?.spot == .init(x: 3, y: 4))
      #expect(try new.verify().problems == [])
    }
  }

  @Test func anObjectThatStaysEqualIsNotWrittenAndItsStructStaysNil() throws {
    try withTemporaryStore(of: New.self) { temporary in
      let old = try open(temporary, Old.self)
      try old.write { try $0.insert(Old(id: 1, spot: nil)) }
      let new = try temporary.open()
      let before = try new.sequence
      try new.write { tx in
        _ = try tx.update(New.self, 1) { $0.spot = .init() }
        #expect(try tx.upsert(New(id: 1, spot: .init())) == .unchanged)
        try tx.update(New.all, set: \.spot.x, to: 3)
      }
      #expect(try new.sequence == before)
      #expect(try old.get(Old.self, 1)?.spot == nil)
    }
  }

  @Test func aRowThatADeleteRuleRewritesHasItsStruct() throws {
    try withTemporaryStore(of: New.self) { temporary in
      let old = try open(temporary, Old.self)
      try old.write { tx in
        try tx.insert(Old(id: 1, spot: nil))
        try tx.insert(Old(id: 2, spot: nil, next: Ref(1)))
        try tx.insert(Old(id: 3, spot: .init(x: 1, y: 2), next: Ref(1)))
      }
      let new = try temporary.open()
      try new.write { _ = try $0.delete(New.self, 1) }
      #expect(try old.fetch(Old.all).map(\.spot) == [.init(x: 3, y: 4), .init(x: 1, y: 2)])
      #expect(try new.fetch(New.all).map(\.spot) == [.init(x: 3, y: 4), .init(x: 1, y: 2)])
    }
  }

  @Test func aStructThatIsRenamedAsItBecomesRequiredIsThereForTheOlderProgram() throws {
    typealias Renamed = SpotRenamed.Pin
    try withTemporaryStore(of: Renamed.self) { temporary in
      let old = try open(temporary, Old.self)
      try old.write { try $0.insert(Old(id: 1, spot: nil)) }
      let new = try temporary.open()
      try new.write { tx in
        _ = try tx.update(Renamed.self, 1) { $0.place = .init(x: 70, y: 80) }
        try tx.insert(Renamed(id: 2, place: .init(x: 7, y: 8)))
      }
      #expect(try old.fetch(Old.all).map(\.spot) == [.init(x: 70, y: 80), .init(x: 7, y: 8)])
      try old.write { tx in _ = try tx.update(Old.all) { $0.note = "seen" } }
      #expect(try new.fetch(Renamed.all).map(\.place.x) == [70, 7])
    }
  }

  @Test func aMigrationThatFillsTheStructShowsItToTheOlderProgram() throws {
    try withTemporaryStore(of: New.self) { temporary in
      let old = try open(temporary, Old.self)
      try old.write { try $0.insert(Old(id: 1, spot: nil)) }
      let filling = Migration("spots", New.self) { _, new in new?.spot = .init(x: 70, y: 80) }
      let new = try open(temporary, New.self, [filling])
      #expect(try old.get(Old.self, 1)?.spot == .init(x: 70, y: 80))
      try old.write { _ = try $0.update(Old.self, 1) { $0.note = "seen" } }
      #expect(try new.get(New.self, 1)?.spot == .init(x: 70, y: 80))
    }
  }

  @Test func anInnerStructIsThereAsWellAsTheOneAroundIt() throws {
    typealias Always = DepthAlways.Pin
    try withTemporaryStore(of: Always.self) { temporary in
      let old = try open(temporary, DepthOptional.Pin.self)
      try old.write { tx in
        try tx.insert(DepthOptional.Pin(id: 1, spot: .init(x: 1, depth: nil)))
        try tx.insert(DepthOptional.Pin(id: 2, spot: nil))
      }
      let new = try temporary.open()
      try new.write { tx in
        _ = try tx.update(Always.self, 1) { $0.spot.depth.metres = 70 }
        _ = try tx.update(Always.self, 2) { $0.spot.depth.metres = 80 }
        try tx.insert(Always(id: 3, spot: .init(x: 6, depth: .init(metres: 60))))
      }
      let expected: [DepthOptional.Spot?] = [
        .init(x: 1, depth: .init(metres: 70)), .init(x: 3, depth: .init(metres: 80)),
        .init(x: 6, depth: .init(metres: 60)),
      ]
      #expect(try old.fetch(DepthOptional.Pin.all).map(\.spot) == expected)
      try old.write { tx in _ = try tx.update(DepthOptional.Pin.all) { $0.note += "seen" } }
      #expect(try new.fetch(Always.all).map(\.spot.depth.metres) == [70, 80, 60])
    }
  }
}
