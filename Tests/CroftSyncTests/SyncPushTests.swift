import Croft
import Foundation
import Synchronization
import Testing

@testable import CroftSync

/// Pushes that are too long for one message.
@Suite struct SyncPushTests {
  /// A store that sends ten rows at a time, and has nothing to send.
  private func sender() async throws -> (
    household: Household, store: Store, line: Household.Line, sync: Sync
  ) {
    let household = try Household()
    let store = try household.open("a")
    var options = Sync.Options()
    options.pushLimit = 10
    let line = Household.Line(to: household.server)
    let sync = try household.join(store, by: line, options: options)
    try await sync.now()
    return (household, store, line, sync)
  }

  /// A long push is sent in parts, and is one for others.
  @Test func aLongPushIsSentInParts() async throws {
    let household = try Household()
    let (a, b) = (try household.open("a"), try household.open("b"))
    try await a.write { tx in
      for id in 1...25 {
        try tx.insert(Group(id: id, name: nil, color: 0))
        try tx.insert(Part(id: id, title: 0, number: 0, group: Ref(id)))
      }
    }
    var options = Sync.Options()
    options.pushLimit = 10
    let line = Household.Line(to: household.server)
    let first = try household.join(a, by: line, options: options)
    try await first.now()
    #expect(line.state.withLock { $0.uploads } == 4)
    // The descriptions of the models, and the objects.
    #expect(household.server.version == 2)
    let second = try household.join(b)
    try await second.now()
    #expect(try b.world() == a.world())
    await first.stop()
    await second.stop()
  }

  /// The answer to a push of parts may take longer: the server has to write them too.
  @Test func aLongPushIsWaitedForLonger() async throws {
    let (household, store, line, sync) = try await sender()
    line.state.withLock { $0.isSilent = true }
    try await store.write { tx in
      for id in 1...25 { try tx.insert(Guest(id: id, title: 0, number: 0)) }
    }
    #expect(await household.time.delay(in: .seconds(21)..<(.seconds(30))) == .seconds(24))
    await sync.stop()
  }

  /// A long push that has to wait for another replica is not uploaded again each time.
  @Test func aLongPushThatIsHeldIsUploadedOnce() async throws {
    let (household, store, line, sync) = try await sender()
    let pushes = line.state.withLock(\.pushes)
    // Another replica is refused, and may push first for two seconds.
    let other = UUID()
    _ = try household.server.hello(SyncHello(replica: other, next: other, versions: []))
    let refused = SyncPush(
      id: UUID(), replica: other, cursor: 99, isStrict: true,
      last: SyncPush.Part(rows: [], references: []))
    #expect(household.server.push(refused).status == .overtaken)
    try await store.write { tx in
      for id in 1...25 { try tx.insert(Guest(id: id, title: 0, number: 0)) }
    }
    try await sync.now()
    #expect(try store.outbox().isEmpty)
    #expect(line.state.withLock { $0.pushes } > pushes + 2)
    #expect(line.state.withLock { $0.uploads } == 2)
    await sync.stop()
  }

  /// A long push that others overtake is sent again with the parts that the server has, unless it has to change.
  @Test(arguments: [false, true])
  func aLongPushThatIsOvertakenIsUploadedOnce(isChanged: Bool) async throws {
    let (household, a, line, sync) = try await sender()
    let b = try household.open("b")
    let other = try household.join(b)
    try await other.now()
    await other.stop()
    try await b.write { try $0.insert(Group(id: isChanged ? 1 : 99, name: "b", color: 0)) }
    let replica = try Replica(b)
    try replica.receive(try household.server.hello(try replica.makeHello()), local: 1)
    let theirs = try #require(try replica.makePush())
    let isFirst = Mutex(true)
    line.state.withLock { [server = household.server] state in
      state.beforePush = {
        let pushes = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        if pushes { _ = server.pushSilently(theirs) }
      }
    }
    try await a.write { tx in
      for id in 1...25 { try tx.insert(Group(id: id, name: nil, color: id)) }
    }
    try await sync.now()
    #expect(try a.outbox().isEmpty)
    #expect(try await a.count(Group.all) == (isChanged ? 25 : 26))
    #expect(line.state.withLock { $0.uploads } == (isChanged ? 4 : 2))
    await sync.stop()
  }

  /// A change that comes while a push is made is not in it, unless it counts as sent before.
  @Test func aPushThatOthersWriteDuringBeginsAgain() throws {
    let space = try Space([0])
    try space.sync(0)
    let (store, replica) = (space.store(0), space.replicas[0])
    try store.write { try $0.insert(Guest(id: 1, title: 0, number: 0)) }
    let first = try #require(try replica.beginPush())
    #expect(try replica.readPush(first, limit: 9, bytes: 999).push?.push.last.rows.count == 1)
    try store.write { try $0.insert(Guest(id: 2, title: 0, number: 0)) }
    let late = try replica.readPush(first, limit: 9, bytes: 999)
    #expect(!late.isWhole && late.push == nil)
    // Where programs write without a pause, they wait.
    #expect(try replica.makePush(limit: 9, reads: 0)?.push.last.rows.count == 2)
    // The last one was not sent: nobody has to hear of it.
    try store.write { try $0.insert(Guest(id: 3, title: 0, number: 0)) }
    try store.write { tx in for id in 1...3 { _ = try tx.delete(Guest.self, id) } }
    #expect(try store.outbox().count == 2)
  }

  /// Programs write while a push is made, which has nothing of which a deletion would not be told.
  @Test func whatIsSentCountsAsSentWhileOthersWrite() throws {
    let space = try Space([0])
    try space.sync(0)
    let (store, replica) = (space.store(0), space.replicas[0])
    // Not without an end: a push reads all that was written, so that pushes would take longer and
    // longer, and the map, which grows while nothing is read, would be full.
    let written = 300
    let isWritten = Mutex(false)
    let writing = DispatchGroup()
    DispatchQueue.global().async(group: writing) {
      defer { isWritten.withLock { $0 = true } }
      do {
        for id in 1...written {
          try store.write { try $0.insert(Guest(id: id, title: 0, number: 0)) }
        }
      } catch { Issue.record("\(error)") }
    }
    func expectSent(_ push: SyncPush) throws {
      let sent = try store.read { try $0.clock().sent }
      for row in push.last.rows {
        let stamp = try #require(ServerRow(SyncRow(row, version: 0))).latest
        #expect(stamp.time <= sent)
      }
    }
    while !isWritten.withLock({ $0 }) {
      guard let beginning = try replica.beginPush() else { continue }
      let push = try replica.readPush(beginning, limit: .max, bytes: .max).push
      if let push { try expectSent(push.push) }
    }
    writing.wait()
    let push = try #require(try replica.makePush())
    try expectSent(push)
    #expect(push.last.rows.count == written)
  }

  /// Parts have few rows or few bytes, and all of the push; but for one, they are in a file.
  @Test(arguments: [(1, 99), (2, 99), (4, 7), (9, 8), (10, 999)])
  func partsAreAllOfAPush(count: Int, bytes: Int) throws {
    let space = try Space([0])
    var writer = PushWriter(limit: count, bytes: bytes, of: space.store(0))
    writer.isStrict = true
    let rows = (0..<9 as Range<UInt8>).map { key in
      SyncPush.Row(
        object: SyncObject(model: 1, key: [key]), base: UInt64(key), isDeleted: key == 4,
        stamps: [1], fields: key == 4 ? nil : Array(repeating: 0, count: Int(key)))
    }
    // The last two refer to one object, of which each part has to know.
    let targets = (0..<9 as Range<UInt8>).map { SyncObject(model: 2, key: [min($0, 7)]) }
    for (row, target) in zip(rows, targets) { try writer.add(row, referringTo: [target]) }
    let outgoing = try #require(writer.push(of: UUID(), at: 3))
    let push = outgoing.push
    let all = try (0..<push.uploadedParts).map { try outgoing.part($0) } + [push.last]
    #expect(push.isStrict && push.cursor == 3 && all.flatMap(\.rows) == rows)
    var start = 0
    for part in all {
      let own = start..<start + part.rows.count
      start = own.upperBound
      #expect(part.references == Set(targets[own]).sorted())
      #expect(part.rows.count <= count)
      let size = part.rows.reduce(0) { $0 + 2 + ($1.fields?.count ?? 0) } + part.references.count
      #expect(part.rows.count < 2 || size <= bytes)
    }
    #expect(all.count == 1 || count < 10)
  }

  /// The first row of a part counts the bytes of all its references, also of those that the part before has.
  @Test func theNextPartCountsItsOwnReferences() throws {
    let space = try Space([0])
    var writer = PushWriter(limit: 100, bytes: 100, of: space.store(0))
    let target = SyncObject(model: 2, key: Array(repeating: 0, count: 50))
    for (key, size) in zip(0..<4 as Range<UInt8>, [40, 40, 20, 1]) {
      try writer.add(
        SyncPush.Row(
          object: SyncObject(model: 1, key: [key]), base: 0, isDeleted: false, stamps: [1],
          fields: Array(repeating: 0, count: size)),
        referringTo: [target])
    }
    let outgoing = try #require(writer.push(of: UUID(), at: 0))
    // Of 92 bytes, 92, and 75; the second one took the third row too.
    #expect(outgoing.push.uploadedParts == 2)
    for number in 0..<outgoing.push.uploadedParts {
      let part = try outgoing.part(number)
      #expect(part.rows.count == 1 && part.references == [target])
    }
    #expect(outgoing.push.last.rows.count == 2 && outgoing.push.last.references == [target])
  }

  /// A push of as many bytes as a part may have is one message, and one of a byte more is two.
  @Test(arguments: [0, 1]) func aPushOfMoreBytesIsSentInParts(more: Int) throws {
    let space = try Space([0])
    var writer = PushWriter(limit: 100, bytes: SyncPullAnswer.mostBytes, of: space.store(0))
    for key in 0..<4 as Range<UInt8> {
      let rest = key < 3 ? 0 : more
      try writer.add(
        SyncPush.Row(
          object: SyncObject(model: 1, key: [key]), base: 0, isDeleted: false, stamps: [1],
          fields: Array(repeating: key, count: SyncPullAnswer.mostBytes / 4 - 2 + rest)),
        referringTo: [])
    }
    let outgoing = try #require(writer.push(of: UUID(), at: 0))
    #expect(outgoing.push.uploadedParts == more)
    #expect(outgoing.push.last.rows.count == (more == 0 ? 4 : 1))
  }

  /// Objects of many bytes, one with more than a part and an answer have, come to another store.
  @Test func largeObjectsAreSentAndPulledOneByOne() throws {
    let models: [any Model.Type] = [Letter.self]
    let space = try Space([0, 0], models: models)
    let sizes = [100, 5_000, 40, 2_000, 2_001, 10]
    try space.store(0).write { tx in
      for (id, size) in sizes.enumerated() {
        try tx.insert(Letter(id: id, text: String(repeating: "x", count: size)))
      }
    }
    try space.introduce(0)
    let replica = space.replicas[0]
    let description = try #require(try replica.makePush())
    try replica.receive(space.server.push(description), to: description)
    let outgoing = try #require(try replica.makePush(limit: 100, bytes: 4_000))
    // The first; the one that is too large; the next two; the last two.
    #expect(outgoing.push.uploadedParts == 3)
    for number in 0..<outgoing.push.uploadedParts {
      space.server.upload(try outgoing.part(number), number: number, of: outgoing.push.id)
    }
    let answer = space.server.push(outgoing.push)
    #expect(answer.status == .accepted)
    try replica.receive(answer, to: outgoing)
    #expect(replica.cursor == space.server.version && replica.state.staged == nil)
    #expect(try space.store(0).outbox().isEmpty)
    #expect(try space.store(0).writeRemote { try $0.values(in: .staging) }.isEmpty)
    // Nothing is left to send, nor to pull.
    try space.sync(0)
    #expect(space.server.version == 2)
    try space.sync(1)
    #expect(try space.store(1).count(Letter.all) == sizes.count)
    for (id, size) in sizes.enumerated() {
      #expect(try space.store(1).get(Letter.self, id)?.text.count == size)
    }
  }

  /// A process ends while it stages the rows of its own push: the rest is pulled.
  @Test func aLongPushThatWasHalfAcknowledgedIsPulled() throws {
    let space = try Space([0, 0])
    try space.sync(0)
    try space.store(0).write { tx in
      for id in 0..<20 { try tx.insert(Guest(id: id, title: id, number: 0)) }
    }
    let outgoing = try #require(try space.replicas[0].makePush(limit: 3))
    for number in 0..<outgoing.push.uploadedParts {
      space.server.upload(try outgoing.part(number), number: number, of: outgoing.push.id)
    }
    let answer = space.server.push(outgoing.push)
    #expect(answer.status == .accepted)
    // As far as the third part.
    var rows: [SyncRow] = []
    for number in 0..<3 {
      rows += try outgoing.part(number).rows.map { SyncRow($0, version: answer.version) }
    }
    var part = answer.pull
    (part.rows, part.isPart) = (rows, true)
    try space.replicas[0].receive(part, after: SyncPosition(outgoing.push.cursor), isOfPush: true)
    try space.reopen(0, World.models)
    #expect(space.replicas[0].state.staged != nil)
    for number in [0, 1] { try space.sync(number) }
    #expect(try space.store(0).outbox().isEmpty && space.server.version == answer.version)
    #expect(try space.store(1).world() == space.store(0).world())
    // The answer comes once more.
    try space.replicas[0].receive(answer, to: outgoing)
    #expect(space.replicas[0].state.staged == nil)
  }
}

/// An object that may have many bytes.
@Model private struct Letter {
  @PrimaryKey var id: Int
  var text: String
}
