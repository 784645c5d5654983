import Croft
import Foundation
import Testing

@testable import CroftSync

/// Loads that come in parts, and are applied some rows at a time.
@Suite struct FirstLoadTests {
  @discardableResult
  private func load(
    _ replica: Replica, from server: MemoryServer, limit: Int
  ) throws -> [ReplicaEvent] {
    var events: [ReplicaEvent] = []
    repeat {
      let position = replica.position
      events += try replica.receive(
        server.pull(after: position, cursor: replica.cursor, limit: limit), after: position)
    } while replica.state.staged != nil
    return events
  }

  /// A space with many objects, which refer to objects before and after them.
  private func filled() throws -> Space {
    let space = try Space([0, 0])
    try space.store(0).write { tx in
      for id in 0..<150 { try tx.insert(Group(id: id, name: "\(id)", color: 0)) }
      for id in 0..<150 {
        try tx.insert(Part(id: id, title: id, number: 0, group: Ref(149 - id)))
        try tx.update(Group.self, id) { $0.parent = Ref((id + 75) % 150) }
      }
    }
    try space.sync(0)
    return space
  }

  /// So many rows are in memory as a block has, however many there are.
  @Test(arguments: [(limit: 7, block: 3), (40, 100), (1_000, 20)])
  func rowsAreAppliedSomeAtATime(limit: Int, block: Int) throws {
    let space = try filled()
    let store = space.store(1)
    let replica = try Replica(store, blockLimit: block)
    try load(replica, from: space.server, limit: limit)
    #expect(replica.largestBlock == block)
    #expect(try store.world() == space.store(0).world())
    #expect(try store.writeRemote { try $0.values(in: .staging) }.isEmpty)
    #expect(try store.verify().problems == [])
  }

  /// Objects exchange unique values, and one gets that of a deleted one, whichever of them comes first.
  @Test(arguments: 1...4) func uniqueValuesAreExchanged(block: Int) throws {
    let space = try Space([0, 0])
    try space.store(0).write { tx in
      for id in 0..<6 { try tx.insert(Group(id: id, name: "\(id)", color: 0)) }
    }
    try space.sync(0)
    let store = space.store(1)
    let replica = try Replica(store, blockLimit: block)
    try load(replica, from: space.server, limit: 2)
    try space.store(0).write { tx in
      for id in 0..<5 { try tx.update(Group.self, id) { $0.name = nil } }
      for id in 0..<5 { try tx.update(Group.self, id) { $0.name = "\((id + 2) % 5)" } }
      try tx.delete(Group.self, 5)
      for id in [-1, 9] { try tx.insert(Group(id: id, name: id < 0 ? "5" : "9", color: 0)) }
    }
    try space.sync(0)
    // None was out of sight in between.
    #expect(try load(replica, from: space.server, limit: 2).isEmpty)
    let world = try store.world()
    #expect(try world == space.store(0).world())
    #expect(world.groups.map(\.name) == ["5", "2", "3", "4", "0", "1", "9"])
    #expect(try replica.asideCount() == 0 && store.verify().problems == [])
  }

  /// A load whose last part is staged, and which is not applied then, is applied by the next program.
  @Test func aLoadThatWasNotAppliedIsAppliedLater() throws {
    struct Stopped: Error {}
    let space = try filled()
    let store = space.store(1)
    let first = try Replica(store) { _, _ in throw Stopped() }
    #expect(throws: Stopped.self) { try load(first, from: space.server, limit: 50) }
    #expect(try store.world() == World())
    let second = try Replica(store)
    let position = second.position
    let rest = space.server.pull(after: position, cursor: second.cursor, limit: 50)
    #expect(rest.rows.isEmpty)
    try second.receive(rest, after: position)
    #expect(try store.world() == space.store(0).world())
    #expect(try store.verify().problems == [])
  }
}
