import Croft
import Foundation
import Synchronization
import Testing

@testable import CroftSync

/// Pushes that are too long for one message.
@Suite struct SyncPushTests {
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
    let household = try Household()
    let store = try household.open("a")
    var options = Sync.Options()
    options.pushLimit = 10
    let line = Household.Line(to: household.server)
    let sync = try household.join(store, by: line, options: options)
    try await sync.now()
    line.state.withLock { $0.isSilent = true }
    try await store.write { tx in
      for id in 1...25 { try tx.insert(Guest(id: id, title: 0, number: 0)) }
    }
    #expect(await household.time.delay(in: .seconds(21)..<(.seconds(30))) == .seconds(24))
    await sync.stop()
  }

  /// Parts have few rows or few bytes, and all of the push.
  @Test func partsAreAllOfAPush() {
    let rows = (0..<9 as Range<UInt8>).map { key in
      SyncPush.Row(
        object: SyncObject(model: 1, key: [key]), base: 0, isDeleted: false, stamps: [1],
        fields: Array(repeating: 0, count: Int(key)))
    }
    let references = (0..<9 as Range<UInt8>).map { SyncObject(model: 2, key: [$0]) }
    let push = SyncPush(
      id: UUID(), replica: UUID(), cursor: 3, isStrict: true,
      last: SyncPush.Part(rows: rows, references: references))
    for (count, bytes) in [(1, 99), (2, 99), (4, 7), (9, 8), (10, 999)] {
      let (parts, last) = push.parts(of: count, bytes: bytes)
      let all = parts + [last.last]
      #expect(last.uploadedParts == parts.count && last.id == push.id && last.isStrict)
      #expect(all.flatMap(\.rows) == rows && all.flatMap(\.references) == references)
      for part in all {
        #expect(part.rows.count <= count && part.references.count <= count)
        let size = part.rows.reduce(0) { $0 + 2 + ($1.fields?.count ?? 0) }
        #expect(part.rows.count < 2 || size <= bytes)
      }
    }
    #expect(push.parts(of: 10).uploaded.isEmpty)
  }
}
