import Croft
import Foundation
import TestSupport
import Testing

@testable import CroftSync

/// Programs of two versions share a space: the newer one has fields that the older one lacks.
@Suite struct SchemaVersionTests {
  private static let older: [any Model.Type] = [Version1.Task.self]
  private static let newer: [any Model.Type] = [Version2.Task.self]

  private func sync(_ space: Space, _ numbers: Int...) throws {
    for number in numbers {
      space.advance(milliseconds: 1_000)
      try space.sync(number)
      #expect(try space.store(number).verify().problems == [])
    }
  }

  private func tasks(_ space: Space, _ number: Int) throws -> [Version2.Task] {
    try space.store(number).read { try $0.fetch(Version2.Task.all) }
  }

  /// An older program pulls, edits and pushes an object, and the value that it does not know stays.
  ///
  /// When the program is replaced by the newer one, the values are there.
  @Test func aFieldThatAProgramLacksKeepsItsValue() throws {
    let space = try Space([0, 0, 0], models: [Self.older, Self.newer, Self.older])
    try space.store(0).write { tx in
      for id in 1...2 { try tx.insert(Version1.Task(id: id, title: "old")) }
    }
    try sync(space, 0, 1)
    #expect(try tasks(space, 1).map(\.urgency) == [3, 3])
    try space.store(1).write { tx in
      try tx.update(Version2.Task.self, 1) { ($0.urgency, $0.note) = (9, "n") }
    }
    try sync(space, 1, 0, 2)
    try space.store(0).write { _ = try $0.update(Version1.Task.self, 1) { $0.title = "new" } }
    try space.store(2).write { try $0.insert(Version1.Task(id: 3, title: "late")) }
    try sync(space, 0, 2, 1, 0, 2)
    let expected = [
      Version2.Task(id: 1, title: "new", urgency: 9, note: "n"),
      Version2.Task(id: 2, title: "old", urgency: 3, note: nil),
      Version2.Task(id: 3, title: "late", urgency: 3, note: nil),
    ]
    #expect(try tasks(space, 1) == expected)
    for number in [0, 2] {
      try space.reopen(number, Self.newer)
      #expect(try tasks(space, number) == expected)
      #expect(try space.replicas[number].makePush() == nil)
      #expect(try space.store(number).verify().problems == [])
    }
  }

  /// An object that the older program replaces has the default.
  @Test func aReplacedObjectHasTheDefault() throws {
    let space = try Space([0, 0], models: [Self.newer, Self.older])
    try space.store(0).write { tx in
      for id in 1...2 { try tx.insert(Version2.Task(id: id, title: "a", urgency: 9, note: "n")) }
    }
    try sync(space, 0, 1)
    try space.store(1).write { tx in
      try tx.delete(Version1.Task.self, 1)
      try tx.insert(Version1.Task(id: 1, title: "b"))
      try tx.update(Version1.Task.self, 2) { $0.title = "c" }
    }
    try sync(space, 1, 0)
    #expect(
      try tasks(space, 0) == [
        Version2.Task(id: 1, title: "b", urgency: 3, note: nil),
        Version2.Task(id: 2, title: "c", urgency: 9, note: "n"),
      ])
  }

  /// Without the law the older program stops.
  @Test func unknownFieldsAreNeeded() throws {
    let space = try Space([0, 0], models: [Self.newer, Self.older])
    try sync(space, 0)
    let replica = try Replica(space.store(1), laws: Laws.all.subtracting(.unknownFields))
    let pull = space.server.pull(after: SyncPosition(0), cursor: 0, limit: 100)
    #expect(throws: SyncError.self) { try replica.receive(pull, after: SyncPosition(0)) }
  }

  /// Stores whose programs are replaced by newer and older ones come to the same objects.
  @Test(arguments: 0..<24 as Range<UInt64>)
  func alternatingProgramsConverge(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var isNewer = (0..<3).map { _ in random.oneIn(2) }
    let space = try Space(
      [0, 50_000, -50_000], models: isNewer.map { $0 ? Self.newer : Self.older })
    for _ in 0..<100 {
      space.advance(milliseconds: 1_000)
      let number = random.below(3)
      switch random.below(10) {
      case 0:
        isNewer[number].toggle()
        try space.reopen(number, isNewer[number] ? Self.newer : Self.older)
      case 1..<5: try sync(space, number)
      default: try change(space.store(number), isNewer[number], &random)
      }
    }
    try sync(space, 0, 1, 2, 0, 1, 2)
    for number in 0..<3 { try space.reopen(number, Self.newer) }
    try sync(space, 0, 1, 2, 0, 1, 2)
    let expected = try tasks(space, 0)
    for number in 1..<3 { #expect(try tasks(space, number) == expected, "seed \(seed)") }
    for number in 0..<3 {
      #expect(try space.store(number).unsentCount() == 0, "seed \(seed)")
      #expect(try space.replicas[number].asideCount() == 0, "seed \(seed)")
    }
  }

  private func change(
    _ store: Store, _ isNewer: Bool, _ random: inout SeededGenerator
  ) throws {
    let (id, value, choice) = (random.below(6), random.below(99), random.below(6))
    try store.write { tx in
      switch (choice, isNewer) {
      case (0, false):
        if try tx.get(Version1.Task.self, id) == nil {
          try tx.insert(Version1.Task(id: id, title: "\(value)"))
        }
      case (0, true):
        if try tx.get(Version2.Task.self, id) == nil {
          try tx.insert(Version2.Task(id: id, title: "\(value)", urgency: value, note: nil))
        }
      case (1, false): try tx.delete(Version1.Task.self, id)
      case (1, true): try tx.delete(Version2.Task.self, id)
      case (_, false): try tx.update(Version1.Task.self, id) { $0.title = "\(value)" }
      case (2...3, true): try tx.update(Version2.Task.self, id) { $0.urgency = value }
      case (4, true): try tx.update(Version2.Task.self, id) { $0.note = "\(value)" }
      case (_, true): try tx.update(Version2.Task.self, id) { $0.title = "\(value)" }
      }
    }
  }

  /// Two programs that add one field agree on the value of old objects: that of the first one.
  @Test func twoDefaultsBecomeOne() throws {
    let space = try Space([0, 0, 0], models: [Self.older, Self.older, Self.older])
    try space.store(0).write { try $0.insert(Version1.Task(id: 1, title: "a")) }
    try sync(space, 0, 1, 2)
    try space.reopen(0, Self.newer)
    try sync(space, 0)
    try space.reopen(1, [Version3.Task.self])
    #expect(try space.store(1).read { try $0.fetch(Version3.Task.all) }.map(\.urgency) == [7])
    try sync(space, 1, 2)
    #expect(try tasks(space, 0).map(\.urgency) == [3])
    #expect(try space.store(1).read { try $0.fetch(Version3.Task.all) }.map(\.urgency) == [3])
    try space.reopen(2, Self.newer)
    #expect(try tasks(space, 2).map(\.urgency) == [3])
  }

  /// Where an index has the other default of old objects, the program stops and its store stays sound.
  ///
  /// An index of a store whose objects all have values of their own is no reason to stop.
  @Test func aDefaultInAnIndexStays() throws {
    let space = try Space([0, 0, 0], models: [Self.older, Self.older, [Version4.Task.self]])
    try space.store(0).write { try $0.insert(Version1.Task(id: 1, title: "a")) }
    try sync(space, 0, 1)
    try space.reopen(0, Self.newer)
    try sync(space, 0)
    try space.reopen(1, [Version4.Task.self])
    let error = #expect(throws: SyncError.self) { try space.sync(1) }
    guard case .schemaMismatch("Task", "urgency", _) = error else {
      throw try #require(error)
    }
    let tasks = try space.store(1).read { try $0.fetch(Version4.Task.where { $0.urgency == 7 }) }
    #expect(tasks.map(\.id) == [1])
    #expect(try space.store(1).verify().problems == [])
    try space.store(2).write { try $0.insert(Version4.Task(id: 2, title: "b")) }
    try sync(space, 2, 0)
    let all = try space.store(2).read { try $0.fetch(Version4.Task.where { $0.urgency < 9 }) }
    #expect(all.sorted { $0.id < $1.id }.map(\.urgency) == [3, 7])
    #expect(try self.tasks(space, 0).map(\.urgency) == [3, 7])
  }

  /// A model that a program lacks is kept aside until the program has it.
  @Test func aModelThatAProgramLacksWaits() throws {
    let space = try Space([0, 0], models: [Self.newer + [Version2.Label.self], Self.newer])
    try space.store(0).write { tx in
      try tx.insert(Version2.Label(id: 1, text: "red"))
      try tx.insert(Version2.Task(id: 1, title: "a", urgency: 1, note: nil))
    }
    try sync(space, 0, 1)
    #expect(try tasks(space, 1).count == 1)
    #expect(try space.replicas[1].asideCount() == 1)
    try space.store(1).write { _ = try $0.update(Version2.Task.self, 1) { $0.title = "b" } }
    try sync(space, 1, 0)
    #expect(try tasks(space, 0).map(\.title) == ["b"])
    try space.reopen(1, Self.newer + [Version2.Label.self])
    try sync(space, 1)
    #expect(try space.store(1).read { try $0.fetch(Version2.Label.all) }.map(\.text) == ["red"])
    #expect(try space.replicas[1].asideCount() == 0)
  }
}

/// The models of the first version.
enum Version1 {
  @Model struct Task: Hashable {
    @PrimaryKey var id: Int
    var title: String
  }
}

/// The models of the next one.
enum Version2 {
  @Model struct Task: Hashable {
    @PrimaryKey var id: Int
    var title: String
    @Indexed var urgency: Int = 3
    var note: String?
  }

  @Model struct Label: Hashable {
    @PrimaryKey var id: Int
    var text: String
  }
}

/// The models of another program, which gives a field another default.
enum Version3 {
  @Model struct Task: Hashable {
    @PrimaryKey var id: Int
    var title: String
    var urgency: Int = 7
    var note: String?
  }
}

/// The models of another program, which has an index with that field.
enum Version4 {
  @Model struct Task: Hashable {
    @PrimaryKey var id: Int
    var title: String
    @Indexed var urgency: Int = 7
    var note: String?
  }
}
