import Croft
import Testing

@testable import CroftSync

/// Changes that are taken back, and those that come back into sight.
@Suite struct TakenBackTests {
  /// A server that was restored gets back what it lost: objects, edits and deletions.
  @Test func aRestoredServerGetsBackWhatItLost() throws {
    let space = try Space([0, 0, 0])
    try space.store(0).write { tx in
      for id in 1...2 { try tx.insert(Guest(id: id, title: 0, number: 0)) }
    }
    for number in 0..<3 { try space.sync(number) }
    let backup = space.server.backUp()
    try space.store(0).write { tx in
      try tx.insert(Guest(id: 3, title: 0, number: 0))
      try tx.update(Guest.self, 1) { $0.title = 5 }
      try tx.delete(Guest.self, 2)
    }
    for number in 0..<2 { try space.sync(number) }
    space.server.restore(backup)
    // One that knows nothing of it writes first.
    try space.store(2).write { tx in
      try tx.insert(Guest(id: 4, title: 0, number: 0))
      try tx.update(Guest.self, 1) { $0.number = 6 }
    }
    for number in [2, 1, 0, 2, 1] { try space.sync(number) }
    for number in 0..<3 {
      let guests = try space.store(number).world().guests
      #expect(guests.map(\.id) == [1, 3, 4], "replica \(number)")
      #expect(guests.first == Guest(id: 1, title: 5, number: 6), "replica \(number)")
    }
  }

  /// The server lost an object, whose deletion is withdrawn, and another replica deletes what it refers to.
  ///
  /// It was sent as an update over nothing, and no reference of it was looked up.
  @Test func aLostObjectThatIsTakenBackIsPushedWhole() throws {
    let space = try Space([0, 0])
    try space.store(0).write { try $0.insert(Group(id: 1, name: "a", color: 0)) }
    for number in [0, 1] { try space.sync(number) }
    let backup = space.server.backUp()
    try space.store(0).write { try $0.insert(Part(id: 1, title: 0, number: 0, group: Ref(1))) }
    try space.sync(0)
    space.server.restore(backup)
    try space.store(0).write { _ = try $0.delete(Group.self, 1) }
    try space.store(1).write { try $0.insert(Anchor(id: 1, title: 0, number: 0, group: Ref(1))) }
    try space.sync(1)
    try space.introduce(0)
    try space.pull(0)
    #expect(try space.store(0).count(Part.all) == 1)
    let push = try #require(try space.replicas[0].makePush())
    #expect(push.last.references.count == 1)
    try space.store(1).write { tx in
      _ = try tx.delete(Anchor.self, 1)
      _ = try tx.delete(Group.self, 1)
    }
    try space.sync(1)
    #expect(space.server.push(push).status == .missingReference)
    for number in [0, 1, 0] { try space.sync(number) }
    for number in [0, 1] { #expect(try space.store(number).world() == World()) }
  }

  /// Names of earlier objects stay with a change of an object in the place of one that is out of sight.
  @Test(arguments: [true, false]) func namesOfWhatIsOutOfSightAreSent(isOfRow: Bool) throws {
    let space = try Space([0, 0])
    for number in [0, 1] { try space.sync(number) }
    let (store, name) = (space.store(0), Stamp(time: 5, replica: 9))
    try store.write { try $0.insert(Guest(id: 1, title: 0, number: 0)) }
    let object = try #require(try store.outbox().keys.first)
    try store.writeRemote { tx in
      var hidden = OutboxEntry(.deletion, at: Stamp(time: 6, replica: 9))
      hidden.priorInsertions = [name]
      try tx.setAside(Aside(row: nil, entry: hidden, local: nil), of: object)
    }
    let row = Guest(id: isOfRow ? 1 : 2, title: 1, number: 0)
    try space.store(1).write { try $0.insert(row) }
    for number in [1, 0] { try space.sync(number) }
    let names = space.server.rows.values.compactMap { ServerRow($0)?.priorInsertions }
    #expect(names.contains { $0.contains(name) })
    #expect(try store.outbox().isEmpty)
  }
}
