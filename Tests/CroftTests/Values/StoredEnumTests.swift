import Foundation
import Testing

@testable import Croft

/// What a program of yesterday and one of today call by the same name.
enum Newer {
  enum Mood: Int, StoredEnum { case calm, glad, wild = 900 }
  @Model struct Day: Hashable {
    @PrimaryKey var id: Int
    @Indexed var mood: Mood = .calm
    var other: Mood?
  }
  @Model struct Tone: Hashable { @PrimaryKey var id: Newer.Mood; var text = "" }
}
enum Older {
  enum Mood: Int, StoredEnum { case calm, glad }
  @Model struct Day: Hashable {
    @PrimaryKey var id: Int
    @Indexed var mood: Mood = .calm
    var other: Mood?
  }
  @Model struct Tone: Hashable { @PrimaryKey var id: Older.Mood; var text = "" }
}

@Suite(.keepsFailedStores) struct StoredEnumTests {
  /// A store that the newer program wrote, open in the older one.
  private func withOlderProgram(_ body: (Store) throws -> Void) throws {
    try withTemporaryStore(of: Older.Day.self, Older.Tone.self) { temporary in
      do {
        let newer = try Store.open(
          at: temporary.url, models: Newer.Day.self, Newer.Tone.self, options: .forTests)
        try newer.write { tx in
          try tx.insert(Newer.Day(id: 41, mood: .glad))
          try tx.insert(Newer.Day(id: 42, mood: .wild))
          try tx.insert(Newer.Day(id: 43, mood: .calm, other: .wild))
          try tx.insert(Newer.Tone(id: .wild))
        }
      }
      try body(try temporary.open())
    }
  }

  @Test func aRawValueWithoutACaseIsNamedWithModelFieldKeyAndValue() throws {
    try withOlderProgram { store throws in
      for (key, field) in [(42, "mood"), (43, "other")] {
        let error = #expect(throws: StoreError.self) { try store.get(Older.Day.self, key) }
        guard case .schemaMismatch("Day", let named, let reason) = error else {
          Issue.record("not a schema mismatch: \(String(describing: error))")
          continue
        }
        #expect(named == field)
        #expect(reason.contains("\(key)"))
        #expect(reason.contains("900"))
        #expect(reason.contains("Mood"))
        #expect(error?.description.hasPrefix("Day.\(field) ") == true)
      }
      #expect(throws: StoreError.self) { try store.fetch(Older.Day.all) }
      let error = #expect(throws: StoreError.self) { try store.fetch(Older.Tone.all) }
      guard case .schemaMismatch("Tone", "id", _) = error else {
        Issue.record("not a schema mismatch: \(String(describing: error))")
        return
      }
    }
  }

  @Test func conditionsCountsAndDeletesWorkOnARawValueWithoutACase() throws {
    try withOlderProgram { store in
      #expect(try store.count(Older.Day.all) == 3)
      #expect(try store.count(Older.Day.where { $0.mood > .glad }) == 1)
      #expect(try store.count(Older.Day.where { $0.mood != .calm }) == 2)
      #expect(try store.count(Older.Day.where { $0.other.isNil }) == 2)
      #expect(try store.fetch(Older.Day.where { $0.mood == .glad }).map(\.id) == [41])
      try store.write { tx throws in
        #expect(throws: StoreError.self) { try tx.update(Older.Day.self, 42) { $0.mood = .calm } }
        #expect(try tx.upsert(Older.Day(id: 43)) == .updated(changed: ["other"]))
        #expect(try tx.delete(Older.Day.where { $0.mood > .glad }) == 1)
        #expect(try tx.delete(Older.Tone.where { $0.id > .glad }) == 1)
      }
      #expect(try store.fetch(Older.Day.all).map(\.id) == [41, 43])
    }
  }

  @Test func enumsOfTextsAndOptionalsOfThemAreComparedByRawValue() throws {
    try withStore(of: Anything.self) { store in
      try store.write { tx throws in
        for (id, shade) in [nil, .empty, .light, .dark as Shade?].enumerated() {
          try tx.insert(Anything(id: id, genre: id == 2 ? .jazz : nil, shade: shade))
        }
      }
      #expect(try store.fetch(Anything.where { $0.shade >= .light }).map(\.id) == [2, 3])
      #expect(try store.fetch(Anything.where { $0.shade.in([.dark, nil]) }).map(\.id) == [0, 3])
      #expect(try store.fetch(Anything.where { $0.genre == .jazz }).map(\.id) == [2])
      #expect(
        try store.fetch(Anything.all.order(by: \.shade.descending)).map(\.id) == [3, 2, 1, 0])
    }
  }
}
