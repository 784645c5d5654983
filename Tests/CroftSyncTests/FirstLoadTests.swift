import Croft
import Foundation
import TestSupport
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

  /// Blocks that are few rows at a time come to the same objects.
  @Test(arguments: [(limit: 7, block: 3), (40, 100), (1_000, 20)])
  func rowsAreAppliedSomeAtATime(limit: Int, block: Int) throws {
    let space = try filled()
    let store = space.store(1)
    let replica = try Replica(store, blockLimit: block)
    try load(replica, from: space.server, limit: limit)
    #expect(try store.world() == space.store(0).world())
    #expect(try store.writeRemote { try $0.values(in: .staging) }.isEmpty)
    #expect(try store.verify().problems == [])
  }

  /// Staged rows are read in blocks of few rows or few bytes, and all of them, in their order.
  @Test(arguments: 0..<20 as Range<UInt64>) func blocksHaveFewRowsOrFewBytes(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let space = try Space([0])
    let rows = (0..<random.below(200)).map { number in
      SyncRow(
        object: SyncObject(model: 1, key: [UInt8(number)]), version: 1, isDeleted: false,
        stamps: [], fields: Array(repeating: 7, count: random.below(5_000)))
    }
    let (limit, bytes) = (1 + random.below(30), 1 + random.below(20_000))
    // As many rows as fit, one after the other.
    var expected: [[SyncRow]] = []
    for row in rows {
      let size = row.bytes.count
      if let last = expected.last, last.count < limit,
        last.reduce(size, { $0 + $1.bytes.count }) <= bytes
      {
        expected[expected.count - 1].append(row)
      } else {
        expected.append([row])
      }
    }
    var blocks: [[SyncRow]] = []
    try space.store(0).writeRemote { tx in
      for row in rows.shuffled(using: &random) { try tx.stage(row) }
      try PulledRows.staged.forEachBlock(of: limit, bytes: bytes, &tx) { block, _ in
        blocks.append(block)
      }
    }
    #expect(blocks == expected, "seed \(seed)")
  }

  /// No more than 8 MiB are read at a time, but for a row that alone has more.
  @Test func blocksHaveNoMoreThanTheirBytes() throws {
    let space = try Space([0])
    var counts: [Int] = []
    try space.store(0).writeRemote { tx in
      for (key, mebibytes) in ([3, 3, 3, 9, 1] as [Int]).enumerated() {
        try tx.stage(
          SyncRow(
            object: SyncObject(model: 1, key: [UInt8(key)]), version: 1, isDeleted: false,
            stamps: [], fields: Array(repeating: 7, count: mebibytes << 20)))
      }
      try PulledRows.staged.forEachBlock(of: Replica.mostRows, &tx) { block, _ in
        counts.append(block.count)
      }
    }
    #expect(counts == [2, 1, 1, 1])
  }

  /// An answer ends with the row with which it has its bytes, and there is always one.
  @Test(arguments: [1, 30, 31, 32, 62, 63, 1_000])
  func answersHaveFewBytes(bytes: Int) throws {
    let server = MemoryServer(mostBytes: bytes) { 1_000_000_000 }
    let id = UUID()
    _ = try server.hello(SyncHello(replica: UUID(), next: id, versions: []))
    let sizes = [10, 10, 60, 0, 10, 9]
    let rows = sizes.enumerated().map { key, size in
      SyncPush.Row(
        object: SyncObject(model: 1, key: [UInt8(key)]), base: 0, isDeleted: false,
        stamps: [1, 2, 3, 4, 5], fields: Array(repeating: 7, count: size))
    }
    let push = SyncPush(
      id: UUID(), replica: id, cursor: 0, isStrict: false,
      last: SyncPush.Part(rows: rows, references: []))
    #expect(server.push(push).status == .accepted)
    var pulled: [SyncRow] = []
    var position = SyncPosition(0)
    while true {
      let answer = server.pull(after: position, cursor: 0, limit: 100)
      pulled += answer.rows
      let size = answer.rows.dropLast().reduce(0) { $0 + $1.byteCount }
      #expect(!answer.rows.isEmpty && size < bytes)
      #expect(answer.isPart == (pulled.count < rows.count))
      guard answer.isPart, let last = answer.rows.last else { break }
      #expect(answer.rows.reduce(0) { $0 + $1.byteCount } >= bytes)
      position = SyncPosition(last.version, last.object)
    }
    #expect(pulled.map(\.object) == rows.map(\.object))
  }

  /// A row without an object of a model, in a version.
  private func row(_ version: Int, _ number: Int) -> SyncPush.Row {
    SyncPush.Row(
      object: SyncObject(model: 1, key: Array("\(version) \(number)".utf8)), base: 0,
      isDeleted: false, stamps: [1, 2, 3], fields: [])
  }

  /// An answer ends inside of a version of as many rows, or of one more, and the next one continues there.
  @Test(arguments: [
    [9_999], [10_000], [10_001], [4_000, 5_999], [4_000, 6_000], [4_000, 6_001, 10_001],
  ])
  func versionsHaveAsManyRowsAsAnAnswer(counts: [Int]) throws {
    let server = MemoryServer { 1_000_000_000 }
    let id = UUID()
    _ = try server.hello(SyncHello(replica: UUID(), next: id, versions: []))
    var pushed: [SyncObject] = []
    for (version, count) in counts.enumerated() {
      let rows = (0..<count).map { row(version, $0) }.sorted { $0.object < $1.object }
      let push = SyncPush(
        id: UUID(), replica: id, cursor: UInt64(version), isStrict: true,
        last: SyncPush.Part(rows: rows, references: []))
      #expect(server.push(push).status == .accepted)
      pushed += rows.map(\.object)
    }
    let limit = Sync.Options().pullLimit
    var pulled: [SyncObject] = []
    var position = SyncPosition(0)
    while true {
      let answer = server.pull(after: position, cursor: 0, limit: limit)
      #expect(answer.rows.count <= limit)
      pulled += answer.rows.map(\.object)
      guard answer.isPart, let last = answer.rows.last else { break }
      #expect(answer.rows.count == limit)
      position = SyncPosition(last.version, last.object)
    }
    #expect(pulled == pushed)
  }

  /// A version of more rows than an answer has is applied whole.
  @Test func aVersionOfMoreRowsThanAnAnswerIsAppliedWhole() throws {
    let space = try Space([0, 0])
    let limit = Sync.Options().pullLimit
    for range in [0..<99, 99..<99 + limit + 1] {
      try space.store(0).write { tx in
        for id in range { try tx.insert(Guest(id: id, title: id, number: 0)) }
      }
      try space.sync(0)
    }
    let replica = space.replicas[1]
    var answers: [Int] = []
    repeat {
      #expect(try space.store(1).count(Guest.all) == 0)
      let position = replica.position
      let answer = space.server.pull(after: position, cursor: replica.cursor, limit: limit)
      answers.append(answer.rows.count)
      try replica.receive(answer, after: position)
    } while replica.state.staged != nil
    // The descriptions of the models are the first rows.
    #expect(answers == [limit, 99 + 1 + World.models.count])
    #expect(try space.store(1).world() == space.store(0).world())
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
