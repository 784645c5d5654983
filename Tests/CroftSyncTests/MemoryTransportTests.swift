import CroftFoundation
import Synchronization
import TestSupport
import Testing

@testable import CroftSync

/// The server in memory keeps to the contract of ``SyncSession``, and the transport loses what it says.
@Suite struct MemoryTransportTests {
  private let time = Time()
  private let server: MemoryServer
  private static let space = UUID()

  private final class Time: Sendable {
    let milliseconds = Mutex<UInt64>(1_000)
  }

  init() {
    server = MemoryServer { [time] in time.milliseconds.withLock { $0 } }
  }

  private func row(_ key: UInt8, over base: UInt64, isDeleted: Bool = false) -> SyncPush.Row {
    SyncPush.Row(
      object: SyncObject(model: 1, key: [key]), base: base, isDeleted: isDeleted, stamps: [key],
      fields: isDeleted ? nil : [key])
  }

  private func push(
    _ rows: [SyncPush.Row], by replica: UUID, cursor: UInt64 = 0, isStrict: Bool = false,
    references: [SyncObject] = []
  ) -> SyncPush {
    SyncPush(
      id: UUID(), replica: replica, cursor: cursor, isStrict: isStrict,
      last: SyncPush.Part(rows: rows, references: references))
  }

  private func introduce(_ former: UUID = UUID(), as next: UUID = UUID()) throws -> (UUID, UInt16) {
    (next, try server.hello(SyncHello(replica: former, next: next, versions: [])).number)
  }

  @Test func aPushIsWrittenWholeOrNotAtAll() throws {
    let (replica, _) = try introduce()
    #expect(server.push(push([row(1, over: 0), row(2, over: 0)], by: replica)).status == .accepted)
    #expect(server.push(push([row(3, over: 0), row(1, over: 0)], by: replica)).status == .conflict)
    #expect(server.push(push([row(1, over: 1)], by: replica)).version == 2)
    #expect(server.rows.mapValues(\.version).values.sorted() == [1, 2])
  }

  @Test func aStrictPushIsWrittenOnlyAtTheHead() throws {
    let (replica, _) = try introduce()
    #expect(server.push(push([row(1, over: 0)], by: replica, isStrict: true)).status == .accepted)
    #expect(server.push(push([row(2, over: 0)], by: replica, isStrict: true)).status == .overtaken)
    #expect(
      server.push(push([row(2, over: 0)], by: replica, cursor: 1, isStrict: true)).status
        == .accepted)
  }

  @Test func whatAPushRefersToHasToBeThereAfterIt() throws {
    let (replica, _) = try introduce()
    let one = SyncObject(model: 1, key: [1])
    #expect(
      server.push(push([row(2, over: 0)], by: replica, references: [one])).status
        == .missingReference)
    #expect(server.rows.isEmpty)
    #expect(
      server.push(push([row(1, over: 0), row(2, over: 0)], by: replica, references: [one])).status
        == .accepted)
    let deletion = push([row(1, over: 1, isDeleted: true)], by: replica, references: [one])
    #expect(server.push(deletion).status == .missingReference)
    #expect(server.rows[one]?.isDeleted == false)
  }

  /// A replica that was refused may push first, for two seconds.
  @Test func aRefusedReplicaComesNext() throws {
    let (first, _) = try introduce()
    let (second, _) = try introduce()
    #expect(server.push(push([row(1, over: 0)], by: first)).status == .accepted)
    #expect(server.push(push([row(1, over: 0)], by: second)).status == .conflict)
    #expect(server.push(push([row(2, over: 0)], by: first)).status == .held)
    time.milliseconds.withLock { $0 += 2_000 }
    #expect(server.push(push([row(2, over: 0)], by: first)).status == .accepted)
  }

  /// Of two copies of a store the second one gets a number of its own, and the first one finds out.
  @Test func aCopyGetsANumberOfItsOwn() throws {
    let original = UUID()
    let (first, number) = try introduce(original)
    #expect(try introduce(original, as: first).1 == number, "the answer was lost")
    let (copy, other) = try introduce(original)
    #expect(number != other)
    #expect(server.push(push([row(1, over: 0)], by: copy)).status == .accepted)
    let (_, again) = try introduce(first)
    #expect(again == number)
    #expect(server.push(push([row(2, over: 0)], by: first)).status == .unknownReplica)
  }

  @Test func partsAreWrittenTogether() throws {
    let (replica, _) = try introduce()
    var whole = push([row(3, over: 0)], by: replica)
    whole.uploadedParts = 2
    for number in [0, 1, 0] {
      server.upload(
        SyncPush.Part(rows: [row(UInt8(number + 1), over: 0)], references: []), number: number,
        of: whole.id)
    }
    #expect(server.rows.isEmpty)
    #expect(server.push(whole).status == .accepted)
    #expect(server.rows.count == 3)
    var missing = push([row(4, over: 0)], by: replica)
    missing.uploadedParts = 1
    #expect(server.push(missing).status == .conflict)
  }

  /// An answer has what others have pushed since the push's cursor, and not the push's own rows.
  @Test(arguments: [1, 9]) func aPushGetsTheRowsOfOthers(limit: Int) throws {
    let (replica, _) = try introduce()
    #expect(server.push(push([row(1, over: 0), row(2, over: 0)], by: replica)).status == .accepted)
    let own = push([row(3, over: 0)], by: replica)
    let refused = push([row(1, over: 0)], by: replica)
    for (push, status) in [(own, SyncPushAnswer.Status.accepted), (refused, .conflict)] {
      let answer = server.push(push, limit: limit)
      #expect(answer.status == status && answer.version == 2 && answer.pull.version == 2)
      #expect(answer.pull.isPart == (limit == 1))
      let keys = answer.pull.rows.map(\.object.key)
      let all: [[UInt8]] = status == .accepted ? [[1], [2]] : [[1], [2], [3]]
      #expect(keys == Array(all.prefix(limit)))
    }
    // It comes once more, when its row was written again.
    #expect(server.push(push([row(3, over: 2)], by: replica)).version == 3)
    let again = server.push(own)
    #expect(again.status == .accepted && again.version == 2 && server.version == 3)
    #expect(again.pull.rows.map(\.object.key) == [[1], [2], [3]])
  }

  /// Rows come in the order of versions, each once, whatever the limit is.
  @Test(arguments: 1...4) func rowsArePulledInParts(limit: Int) throws {
    let (replica, _) = try introduce()
    #expect(server.push(push((1...3).map { row($0, over: 0) }, by: replica)).status == .accepted)
    #expect(server.push(push([row(2, over: 1)], by: replica)).status == .accepted)
    var keys: [[UInt8]] = []
    var position = SyncPosition(0)
    while true {
      let answer = server.pull(after: position, cursor: 1, limit: limit)
      #expect(answer.pushAtCursor != nil && answer.push != nil && answer.version == 2)
      keys += answer.rows.map(\.object.key)
      guard answer.isPart, let last = answer.rows.last else { break }
      position = SyncPosition(last.version, last.object)
    }
    #expect(keys == [[1], [3], [2]])
    server.collect(before: 2)
    let after = server.pull(after: position, cursor: 1, limit: limit)
    #expect(after.floor == 2 && after.pushAtCursor == nil)
  }

  @Test func sessionsAreWoken() async throws {
    let session = try MemoryTransport(to: server).connect(to: Self.space)
    let (replica, _) = try introduce()
    #expect(server.push(push([row(1, over: 0)], by: replica)).status == .accepted)
    var wakes = session.wakes.makeAsyncIterator()
    #expect(await wakes.next() != nil)
    await session.close()
    #expect(await wakes.next() == nil)
    await #expect(throws: SyncError.self) {
      try await session.pull(after: SyncPosition(0), cursor: 0, limit: 1)
    }
  }

  /// Each fault occurs, and a run with the same seed is the same.
  @Test func faultsFollowFromTheSeed() async throws {
    func run(_ seed: UInt64) async throws -> [String] {
      let server = MemoryServer { 1_000 }
      let replica = UUID()
      _ = try server.hello(SyncHello(replica: replica, next: replica, versions: []))
      let faults = MemoryTransport.Faults(
        lost: 5, unanswered: 5, doubled: 5, late: 5, unconnected: 5)
      let transport = MemoryTransport(to: server, faults, random: SeededGenerator(seed: seed))
      var seen: [String] = []
      for key in 0..<200 as Range<UInt8> {
        do {
          let session = try transport.connect(to: Self.space)
          let answer = try await session.push(
            push([row(key, over: 0)], by: replica), limit: 9)
          seen.append("\(answer.status)")
        } catch { seen.append("\(error)") }
        seen.append("\(server.rows.count)")
      }
      transport.deliverAll()
      return seen + ["\(server.rows.count)"]
    }
    let seen = try await run(7)
    #expect(try await run(7) == seen)
    for text in ["lost", "late", "no connection", "accepted"] {
      #expect(seen.contains { $0.contains(text) }, "\(text)")
    }
  }
}
