import Croft
import Foundation
import Testing

@testable import CroftSync

/// Objects that only a newer program can read, next to an older one.
@Suite struct AsideTests {
  private static let newer: [any Model.Type] = [NewerProgram.Chore.self, NewerProgram.Note.self]
  private static let older: [any Model.Type] = [OlderProgram.Chore.self, OlderProgram.Note.self]

  private func space() throws -> Space { try Space([0, 0], models: [Self.newer, Self.older]) }

  private func sync(_ space: Space, _ numbers: Int...) throws {
    for number in numbers {
      space.advance(milliseconds: 1_000)
      try space.sync(number)
      #expect(try space.store(number).verify().problems == [])
    }
  }

  private func olderChores(_ space: Space) throws -> [OlderProgram.Chore] {
    try space.store(1).read { try $0.fetch(OlderProgram.Chore.all) }
  }

  private func newerChores(_ space: Space, _ number: Int = 0) throws -> [NewerProgram.Chore] {
    try space.store(number).read { try $0.fetch(NewerProgram.Chore.all) }
  }

  /// A case that an older program lacks hides the object there, with what refers to it and its unsent edit.
  ///
  /// The newer program finds all of it.
  @Test func anUnknownCaseWaitsForTheProgramThatHasIt() throws {
    let space = try space()
    try space.store(0).write { tx in
      try tx.insert(NewerProgram.Chore(id: 1, name: "a", title: "old", state: .open))
      try tx.insert(NewerProgram.Note(id: 1, kind: .plain, chore: Ref(1)))
    }
    try sync(space, 0, 1)
    try space.store(1).write { _ = try $0.update(OlderProgram.Chore.self, 1) { $0.title = "new" } }
    try space.store(0).write { _ = try $0.update(NewerProgram.Chore.self, 1) { $0.state = .later } }
    try sync(space, 0, 1)
    #expect(try olderChores(space) == [])
    #expect(try space.store(1).count(OlderProgram.Note.all) == 0)
    #expect(try space.replicas[1].asideCount() == 2)
    #expect(try space.replicas[1].firstEvent()?.event.kind == .setAside)
    // Nothing is sent of what is not seen.
    try sync(space, 1, 0)
    #expect(try newerChores(space).map(\.title) == ["old"])
    try space.reopen(1, Self.newer)
    #expect(try space.replicas[1].asideCount() == 0)
    try sync(space, 1, 0)
    for number in [0, 1] {
      #expect(
        try newerChores(space, number) == [
          NewerProgram.Chore(id: 1, name: "a", title: "new", state: .later)
        ])
      #expect(try space.store(number).count(NewerProgram.Note.all) == 1)
    }
  }

  /// An object that becomes readable again comes back without another program.
  @Test func aKnownCaseBringsTheObjectBack() throws {
    let space = try space()
    try space.store(0).write {
      try $0.insert(NewerProgram.Chore(id: 1, name: "a", title: "", state: .later))
    }
    try sync(space, 0, 1)
    #expect(try olderChores(space) == [])
    // The older program inserts an object under the key that it does not see.
    try space.store(1).write {
      try $0.insert(OlderProgram.Chore(id: 1, name: "b", title: "mine", state: .done))
    }
    try sync(space, 1, 0)
    #expect(try newerChores(space).map(\.state) == [.later])
    #expect(try space.store(1).unsentCount() == 1)
    try space.store(0).write { _ = try $0.update(NewerProgram.Chore.self, 1) { $0.state = .open } }
    try sync(space, 0, 1, 0)
    // Both are one object by now, whose later values stay.
    let chores = try newerChores(space)
    #expect(chores.map(\.title) == ["mine"] && chores.map(\.state) == [.open])
    #expect(try olderChores(space).map(\.title) == ["mine"])
    #expect(try space.store(1).unsentCount() == 0)
  }

  /// A unique value of an object that is not seen is not given to another one.
  @Test func aValueThatIsNotSeenIsNotTaken() throws {
    let space = try space()
    try space.store(0).write {
      try $0.insert(NewerProgram.Chore(id: 1, name: "a", title: "", state: .later))
    }
    try sync(space, 0, 1)
    try space.store(1).write { tx in
      try tx.insert(OlderProgram.Chore(id: 2, name: "a", title: "", state: .open))
      try tx.insert(OlderProgram.Note(id: 2, kind: .plain, chore: Ref(2)))
      try tx.insert(OlderProgram.Chore(id: 3, name: "c", title: "", state: .open))
    }
    try sync(space, 1, 0)
    #expect(try newerChores(space).map(\.id) == [1, 3])
    #expect(try space.store(1).unsentCount() == 2)
    try space.store(0).write { _ = try $0.update(NewerProgram.Chore.self, 1) { $0.state = .done } }
    try sync(space, 0, 1, 0)
    #expect(try newerChores(space).map(\.id) == [1, 3])
    #expect(try olderChores(space).map(\.id) == [1, 3])
    let notes = try space.store(0).read { try $0.fetch(NewerProgram.Note.all) }
    #expect(notes.map(\.chore) == [Ref(1)])
  }

  /// An object that waits, and is deleted and inserted again, is still one that the server lacks.
  ///
  /// What refers to it was sent, and refused without end, when another push had passed its insertion.
  @Test func aReplacementThatTheServerHasNothingOfIsNotReferredTo() throws {
    let space = try space()
    try space.store(0).write {
      try $0.insert(NewerProgram.Chore(id: 1, name: "a", title: "", state: .later))
    }
    try sync(space, 0, 1)
    let waiting = OlderProgram.Chore(id: 2, name: "a", title: "", state: .open)
    try space.store(1).write { try $0.insert(waiting) }
    try sync(space, 1)
    try space.store(1).write {
      try $0.insert(OlderProgram.Chore(id: 3, name: "c", title: "", state: .open))
    }
    try sync(space, 1)
    #expect(try space.store(1).outbox().values.map(\.kind) == [.insertion])
    try space.store(1).write { _ = try $0.delete(OlderProgram.Chore.self, 2) }
    try space.store(1).write { try $0.insert(waiting) }
    #expect(try space.store(1).outbox().values.map(\.kind) == [.replacement])
    try space.store(1).write {
      try $0.insert(OlderProgram.Note(id: 2, kind: .plain, chore: Ref(2)))
    }
    // Nothing is sent, so that nothing is refused.
    #expect(try space.replicas[1].makePush() == nil)
    #expect(try space.replicas[1].waitingCount() == 2)
    try space.store(0).write { _ = try $0.update(NewerProgram.Chore.self, 1) { $0.name = "b" } }
    try space.store(0).write { _ = try $0.update(NewerProgram.Chore.self, 1) { $0.state = .done } }
    try sync(space, 0, 1, 0)
    #expect(try newerChores(space).map(\.name) == ["b", "a", "c"])
    #expect(try olderChores(space).map(\.name) == ["b", "a", "c"])
    #expect(try space.store(0).count(NewerProgram.Note.all) == 1)
    #expect(try space.store(1).unsentCount() == 0)
  }

  /// A replacement of an object that the server has does not make others wait for it.
  @Test func aReplacementThatTheServerHasAnObjectOfIsReferredTo() throws {
    let space = try space()
    try space.store(0).write { tx in
      try tx.insert(NewerProgram.Chore(id: 1, name: "a", title: "", state: .later))
      try tx.insert(NewerProgram.Chore(id: 2, name: "b", title: "", state: .open))
    }
    try sync(space, 0, 1)
    try space.store(1).write { _ = try $0.delete(OlderProgram.Chore.self, 2) }
    try space.store(1).write { tx in
      try tx.insert(OlderProgram.Chore(id: 2, name: "a", title: "", state: .open))
      try tx.insert(OlderProgram.Note(id: 2, kind: .plain, chore: Ref(2)))
    }
    try sync(space, 1, 0)
    #expect(try space.store(1).outbox().values.map(\.kind) == [.replacement])
    #expect(try space.store(0).count(NewerProgram.Note.all) == 1)
  }

  /// What an object that is not seen refers to is not deleted, until the program sees it.
  @Test func aDeletionWaitsForWhatIsNotSeen() throws {
    let space = try space()
    try space.store(0).write { tx in
      try tx.insert(NewerProgram.Chore(id: 1, name: "a", title: "", state: .open))
      try tx.insert(NewerProgram.Note(id: 1, kind: .loud, chore: Ref(1)))
    }
    try sync(space, 0, 1)
    #expect(try olderChores(space).count == 1)
    try space.store(1).write { _ = try $0.delete(OlderProgram.Chore.self, 1) }
    try sync(space, 1, 0)
    #expect(try newerChores(space).count == 1)
    try space.store(0).write { _ = try $0.update(NewerProgram.Note.self, 1) { $0.kind = .plain } }
    try sync(space, 0, 1, 0)
    // The rule is to delete the note with it.
    #expect(try newerChores(space) == [])
    #expect(try space.store(0).count(NewerProgram.Note.all) == 0)
    #expect(try space.store(1).unsentCount() == 0)
  }

  /// An object that is not seen is gone once it is deleted, also where the deletion was collected meanwhile.
  @Test func aCollectedDeletionOfWhatIsNotSeenIsFound() throws {
    let space = try space()
    try space.store(0).write { tx in
      try tx.insert(NewerProgram.Chore(id: 1, name: "a", title: "", state: .later))
      try tx.insert(NewerProgram.Chore(id: 2, name: "b", title: "", state: .open))
      try tx.insert(NewerProgram.Note(id: 1, kind: .loud, chore: Ref(2)))
    }
    try sync(space, 0, 1)
    #expect(try space.replicas[1].asideCount() == 2)
    try space.store(0).write { tx in
      _ = try tx.delete(NewerProgram.Chore.self, 1)
      _ = try tx.delete(NewerProgram.Note.self, 1)
    }
    try sync(space, 0)
    space.server.collect(before: space.server.version)
    try sync(space, 1)
    #expect(try space.replicas[1].asideCount() == 0)
    #expect(try olderChores(space).map(\.id) == [2])
    // Nothing waits for it any more.
    try space.store(1).write { tx in
      _ = try tx.delete(OlderProgram.Chore.self, 2)
      try tx.insert(OlderProgram.Chore(id: 3, name: "a", title: "", state: .open))
    }
    try sync(space, 1, 0)
    #expect(try newerChores(space).map(\.id) == [3])
  }

  /// An object under the key of one that is out of sight is inserted, counts as sent, and is deleted: that one stays.
  ///
  /// The deletion was taken for one of the object that the program did not see.
  @Test func aDeletionIsNotOfAnObjectThatIsNotSeen() throws {
    let space = try space()
    try space.store(0).write { tx in
      for id in 1...2 {
        try tx.insert(NewerProgram.Chore(id: id, name: nil, title: "\(id)", state: .open))
      }
      try tx.insert(NewerProgram.Note(id: 1, kind: .plain, chore: Ref(1)))
    }
    try sync(space, 0, 1)
    // The chore cannot be read, and the note refers to it.
    try space.store(0).write { _ = try $0.update(NewerProgram.Chore.self, 1) { $0.state = .later } }
    try sync(space, 0, 1)
    #expect(try space.replicas[1].asideCount() == 2)
    try space.store(1).write { tx in
      try tx.insert(OlderProgram.Chore(id: 1, name: "x", title: "mine", state: .done))
      try tx.insert(OlderProgram.Note(id: 1, kind: .plain, chore: Ref(2)))
      try tx.insert(OlderProgram.Chore(id: 3, name: nil, title: "3", state: .open))
    }
    // All changes count as sent where one is sent, whose answer would make two objects of one key one.
    _ = try #require(try space.replicas[1].makePush())
    try space.store(1).write { tx in
      _ = try tx.delete(OlderProgram.Note.self, 1)
      _ = try tx.delete(OlderProgram.Chore.self, 1)
    }
    #expect(try space.store(1).outbox().values.count { $0.kind == .deletion } == 2)
    try space.store(0).write { _ = try $0.update(NewerProgram.Chore.self, 1) { $0.state = .open } }
    try sync(space, 0, 1, 0)
    #expect(try newerChores(space).map(\.title) == ["1", "2", "3"])
    #expect(try olderChores(space).map(\.title) == ["1", "2", "3"])
    let notes = try space.store(0).read { try $0.fetch(NewerProgram.Note.all) }
    #expect(notes.map(\.chore) == [Ref(1)])
    #expect(try space.store(1).count(OlderProgram.Note.all) == 1)
    #expect(try space.store(1).unsentCount() == 0)
  }

  /// The same of an object whose row is no row, as a member with a fault writes it, once or twice.
  ///
  /// The second such row took the deletion with it, which was one of the object that the program did not see then.
  @Test(arguments: [1, 2])
  func aDeletionIsNotOfAnObjectWhoseRowCannotBeRead(rows: Int) throws {
    let space = try space()
    try space.store(0).write {
      try $0.insert(NewerProgram.Chore(id: 1, name: nil, title: "1", state: .open))
    }
    try sync(space, 0, 1)
    let chore = try #require(space.server.rows.values.first { $0.object.key.last == 1 })
    try write([1], of: chore, space)
    try space.store(1).write { tx in
      for id in [1, 2] {
        try tx.insert(OlderProgram.Chore(id: id, name: nil, title: "\(id)", state: .done))
      }
    }
    _ = try #require(try space.replicas[1].makePush())
    try space.store(1).write { _ = try $0.delete(OlderProgram.Chore.self, 1) }
    #expect(try space.store(1).outbox().values.count { $0.kind == .deletion } == 1)
    if rows == 2 { try write([2], of: chore, space) }
    try write(chore.fields, of: chore, space)
    try sync(space, 1, 0)
    #expect(try newerChores(space).map(\.title) == ["1", "2"])
    #expect(try olderChores(space).map(\.state) == [.open, .done])
    #expect(try space.store(1).unsentCount() == 0)
  }

  /// Writes a row as another member, and pulls it.
  private func write(_ fields: [UInt8]?, of row: SyncRow, _ space: Space) throws {
    let member = UUID()
    _ = try space.server.hello(SyncHello(replica: member, next: member, versions: []))
    let version = try #require(space.server.rows[row.object]).version
    let written = SyncPush.Row(
      object: row.object, base: version, isDeleted: false, stamps: row.stamps, fields: fields)
    let push = SyncPush(
      id: UUID(), replica: member, cursor: 0, isStrict: false,
      last: SyncPush.Part(rows: [written], references: []))
    #expect(space.server.push(push).status == .accepted)
    try space.introduce(1)
    try space.pull(1)
  }

  /// A program deletes an object, which others make one that it cannot read, and inserts another one.
  ///
  /// The two were merged by field, so that the deletion was lost.
  @Test(arguments: [true, false])
  func whatWasDeletedBeforeItWentOutOfSightStaysDeleted(isReplaced: Bool) throws {
    let space = try space()
    try space.store(0).write {
      try $0.insert(NewerProgram.Chore(id: 1, name: "a", title: "old", state: .open))
    }
    try sync(space, 0, 1)
    try space.store(1).write { _ = try $0.delete(OlderProgram.Chore.self, 1) }
    try space.store(0).write { _ = try $0.update(NewerProgram.Chore.self, 1) { $0.state = .later } }
    try space.sync(0)
    try space.introduce(1)
    try space.pull(1)
    let mine = OlderProgram.Chore(id: 1, name: nil, title: "new", state: .done)
    let another = OlderProgram.Chore(id: 2, name: nil, title: "2", state: .open)
    try space.store(1).write { tx in for chore in [mine, another] { try tx.insert(chore) } }
    try sync(space, 1)
    if !isReplaced { try space.store(1).write { _ = try $0.delete(OlderProgram.Chore.self, 1) } }
    try space.store(0).write { _ = try $0.update(NewerProgram.Chore.self, 1) { $0.state = .open } }
    try sync(space, 0, 1, 0)
    let expected = NewerProgram.Chore(id: 1, name: nil, title: "new", state: .done)
    #expect(try newerChores(space).first { $0.id == 1 } == (isReplaced ? expected : nil))
    #expect(try olderChores(space) == (isReplaced ? [mine, another] : [another]))
    #expect(try space.store(1).unsentCount() == 0)
  }

  /// The server has lost an object that is out of sight, and another one was inserted under its key: they are one.
  ///
  /// The other one was taken for one that replaces it.
  @Test func anObjectThatIsNotSeenIsGivenBack() throws {
    let space = try space()
    try sync(space, 0, 1)
    let backup = space.server.backUp()
    try space.store(0).write {
      try $0.insert(NewerProgram.Chore(id: 1, name: "a", title: "old", state: .open))
    }
    try sync(space, 0, 1)
    try space.store(0).write { _ = try $0.update(NewerProgram.Chore.self, 1) { $0.state = .later } }
    try sync(space, 0, 1)
    let rows = space.server.rows.values.filter { $0.object.model != SpaceSchema.model }
    let before = try #require(rows.first.flatMap { ServerRow($0) })
    try space.store(1).write {
      try $0.insert(OlderProgram.Chore(id: 1, name: "b", title: "mine", state: .done))
    }
    space.server.restore(backup)
    try sync(space, 1, 0, 1)
    let given = space.server.rows.values.filter { $0.object.model != SpaceSchema.model }
    let after = try #require(given.first.flatMap { ServerRow($0) })
    #expect(after.born == before.born && after.priorInsertions.isEmpty)
    #expect(try newerChores(space).map(\.title) == ["mine"])
    #expect(try olderChores(space).map(\.title) == ["mine"])
    #expect(try space.store(1).unsentCount() == 0)
  }

  /// What a replica knows of the server is not forgotten silently where it is damaged.
  @Test(arguments: [ReplicaTree.server, .staging, .aside])
  func damagedRecordsAreErrors(_ tree: ReplicaTree) throws {
    let space = try space()
    try space.store(0).write {
      try $0.insert(NewerProgram.Chore(id: 1, name: "a", title: "", state: .later))
    }
    try sync(space, 0)
    if tree == .aside { try sync(space, 1) } else { try space.pull(1, limit: 1) }
    let number = tree == .server ? 0 : 1
    try space.store(number).writeRemote { tx in
      let keys = try tx.values(in: tree).map(\.key)
      #expect(!keys.isEmpty)
      for key in keys { try tx.setValue([9], at: key, in: tree) }
    }
    try space.store(0).write { _ = try $0.update(NewerProgram.Chore.self, 1) { $0.title = "x" } }
    #expect(throws: StoreError.self) {
      try space.reopen(number, number == 0 ? Self.newer : Self.older)
      try space.pull(number)
      try space.sync(number)
    }
  }
}

/// The models of a program that has cases of its own.
enum NewerProgram {
  enum State: String, StoredEnum { case open, done, later }
  enum Kind: String, StoredEnum { case plain, loud }

  @Model struct Chore: Hashable {
    @PrimaryKey var id: Int
    @Indexed(.unique) var name: String?
    var title: String
    var state: State
  }

  @Model struct Note: Hashable {
    @PrimaryKey var id: Int
    var kind: Kind
    @Relation(onDelete: .cascade) var chore: Ref<Chore>
  }
}

/// The same models without those cases.
enum OlderProgram {
  enum State: String, StoredEnum { case open, done }
  enum Kind: String, StoredEnum { case plain }

  @Model struct Chore: Hashable {
    @PrimaryKey var id: Int
    @Indexed(.unique) var name: String?
    var title: String
    var state: State
  }

  @Model struct Note: Hashable {
    @PrimaryKey var id: Int
    var kind: Kind
    @Relation(onDelete: .cascade) var chore: Ref<Chore>
  }
}
