import CroftSync
import Foundation
import Testing

@testable import CroftPostgres

/// What a replica sees of the server through a session.
@Suite struct SessionTests {
  private func object(_ key: String) -> SyncObject {
    SyncObject(model: 1, key: Array(key.utf8))
  }

  private func row(_ key: String, base: UInt64 = 0, _ value: String? = "value") -> SyncPush.Row {
    SyncPush.Row(
      object: object(key), base: base, isDeleted: value == nil, stamps: [1, 2],
      fields: value.map { Array($0.utf8) })
  }

  /// A session that has said hello, as an identity.
  private func session(
    _ database: TestDatabase, as role: String = "writer"
  ) async throws -> (session: any SyncSession, id: UUID, state: SyncServerState) {
    let session = try await database.server(as: role).connect(to: database.space)
    let id = UUID()
    let state = try await session.hello(SyncHello(replica: UUID(), next: id, versions: [1]))
    return (session, id, state)
  }

  private func push(
    _ id: UUID, _ rows: [SyncPush.Row], cursor: UInt64 = 0, strict: Bool = false,
    references: [SyncObject] = []
  ) -> SyncPush {
    SyncPush(
      id: UUID(), replica: id, cursor: cursor, isStrict: strict,
      last: SyncPush.Part(rows: rows, references: references))
  }

  /// Everything after a position, in parts of some rows.
  private func all(
    of session: any SyncSession, limit: Int, after start: SyncPosition = SyncPosition(0)
  ) async throws -> [SyncRow] {
    var rows: [SyncRow] = []
    var position = start
    while true {
      let answer = try await session.pull(after: position, cursor: 0, limit: limit)
      rows += answer.rows
      guard answer.isPart, let last = answer.rows.last else { return rows }
      #expect(answer.rows.count <= limit)
      position = SyncPosition(last.version, last.object)
    }
  }

  @Test func rowsComeBackInTheirOrder() async throws {
    let database = try await TestDatabase()
    let (session, id, state) = try await session(database)
    #expect(state.version == 0 && state.number == 1 && state.isWritable && state.pushes == [:])
    let first = push(id, (0..<5).map { row("\($0)") })
    #expect(try await session.push(first, limit: 9).status == .accepted)
    let second = push(id, [row("3", base: 1, nil), row("x", "")], cursor: 1, strict: true)
    let answer = try await session.push(second, limit: 9)
    #expect(answer.status == .accepted && answer.version == 2)
    #expect(abs(Double(answer.time) / 1_000 - Date.now.timeIntervalSince1970) < 3_600)

    let expected = ["0", "1", "2", "4", "3", "x"].map(object)
    for limit in [1, 2, 6, 100] {
      let rows = try await all(of: session, limit: limit)
      #expect(rows.map(\.object) == expected)
      #expect(rows.map(\.version) == [1, 1, 1, 1, 2, 2])
      #expect(rows.map(\.isDeleted) == [false, false, false, false, true, false])
      #expect(rows.map(\.fields) == Array(repeating: Array("value".utf8), count: 4) + [nil, []])
      #expect(rows.allSatisfy { $0.stamps == [1, 2] })
    }
    #expect(
      try await all(of: session, limit: 9, after: SyncPosition(1)).map(\.object)
        == expected.suffix(2))
    #expect(try await all(of: session, limit: 9, after: SyncPosition(2)).isEmpty)
    let head = try await session.pull(after: SyncPosition(.max), cursor: 1, limit: 9)
    #expect(head.version == 2 && head.push == second.id && head.pushAtCursor == first.id)
    await session.close()
    await #expect(throws: SyncError.self) {
      try await session.pull(after: SyncPosition(0), cursor: 0, limit: 1)
    }
  }

  /// An answer ends with the row with which it has its bytes; a row that alone has more is one answer.
  @Test(arguments: [1, 24, 25, 26, 1_000]) func answersHaveFewBytes(bytes: Int) async throws {
    let database = try await TestDatabase()
    let (session, id, _) = try await session(database)
    // One and two bytes for key and stamps; the third one's value is stored apart from its row.
    let sizes = [9, 10, 20_000, 0, 5, 9]
    var random = TestGenerator(seed: 1)
    let rows = sizes.enumerated().map { key, size in
      row("\(key)", random.text(size))
    }
    #expect(try await session.push(push(id, rows), limit: 9).status == .accepted)
    var server = try database.server(as: "other")
    server.mostBytes = bytes
    let other = try await server.connect(to: database.space)
    let otherID = UUID()
    _ = try await other.hello(SyncHello(replica: UUID(), next: otherID, versions: []))
    var pulled: [SyncRow] = []
    var answer = try await other.pull(after: SyncPosition(0), cursor: 0, limit: 9)
    while true {
      pulled += answer.rows
      let size = answer.rows.reduce(0) { $0 + $1.byteCount }
      #expect(answer.isPart == (size >= bytes))
      #expect(answer.rows.dropLast().reduce(0) { $0 + $1.byteCount } < bytes)
      guard answer.isPart, let last = answer.rows.last else { break }
      answer = try await other.pull(
        after: SyncPosition(last.version, last.object), cursor: 0, limit: 9)
    }
    #expect(pulled.map(\.object) == rows.map(\.object))
    #expect(pulled.map(\.fields) == rows.map(\.fields))
    // So has the answer to a push.
    let pushed = try await other.push(push(otherID, [row("x")]), limit: 9)
    let size = pushed.pull.rows.reduce(0) { $0 + $1.byteCount }
    #expect(pushed.status == .accepted && pushed.pull.isPart == (size >= bytes))
    #expect(pushed.pull.rows.map(\.object) == rows.prefix(pushed.pull.rows.count).map(\.object))
    await session.close()
    await other.close()
  }

  @Test func eachStatusIsTold() async throws {
    let database = try await TestDatabase()
    let (session, id, _) = try await session(database)
    let (other, otherID, _) = try await self.session(database, as: "other")
    #expect(try await session.push(push(UUID(), [row("a")]), limit: 9).status == .unknownReplica)
    #expect(try await session.push(push(id, [row("a")]), limit: 9).status == .accepted)
    #expect(
      try await other.push(push(otherID, [row("b")], references: [object("x")]), limit: 9).status
        == .missingReference)
    #expect(try await other.push(push(otherID, [row("a")]), limit: 9).status == .conflict)
    #expect(try await session.push(push(id, [row("c")]), limit: 9).status == .held)
    #expect(
      try await other.push(push(otherID, [row("b")], cursor: 0, strict: true), limit: 9).status
        == .overtaken)
    #expect(
      try await other.push(push(otherID, [row("b")], cursor: 1, strict: true), limit: 9).status
        == .accepted)
    let hello = try await session.hello(
      SyncHello(replica: id, next: UUID(), versions: [0, 1, 2, 3]))
    #expect(hello.pushes.keys.sorted() == [1, 2] && hello.number == 1)
  }

  /// A session asks for the last push of the one before, which the server has or will not write any more.
  @Test func aHelloAsksForThePushThatWasNotAnswered() async throws {
    let database = try await TestDatabase()
    let (session, id, _) = try await session(database)
    let first = push(id, [row("a")])
    #expect(try await session.push(first, limit: 9).status == .accepted)
    let last = push(id, [row("b")])
    #expect(try await session.push(last, limit: 9).status == .accepted)
    try await Postgres.collect(before: .distantFuture, on: database.owner)
    var (former, next) = (id, UUID())
    let answers: [(UUID, [UInt64: UUID])] = [
      (last.id, [2: last.id]), (UUID(), [:]), (first.id, [:]),
    ]
    for (asked, expected) in answers {
      let hello = SyncHello(replica: former, next: next, versions: [], unanswered: asked)
      #expect(try await session.hello(hello).pushes == expected)
      (former, next) = (next, UUID())
    }
    #expect(try await session.push(last, limit: 9).status == .unknownReplica)
    await session.close()
  }

  /// An answer ends inside of a version of as many rows, or one more, and the next one continues there.
  @Test func versionsHaveAsManyRowsAsAnAnswer() async throws {
    let database = try await TestDatabase()
    let (session, id, _) = try await session(database)
    let (other, otherID, _) = try await self.session(database, as: "other")
    let limit = Sync.Options().pullLimit
    let counts = [limit - 1, limit, limit + 1]
    var rows: [[SyncRow]] = []
    for (version, count) in counts.enumerated() {
      let pushed = (0..<count).map { row("\(version) \($0)") }.sorted { $0.object < $1.object }
      let cursor = UInt64(version)
      #expect(
        try await session.push(push(id, pushed, cursor: cursor), limit: 9).status == .accepted)
      rows.append(
        pushed.map {
          SyncRow(
            object: $0.object, version: cursor + 1, isDeleted: false, stamps: $0.stamps,
            fields: $0.fields)
        })
    }
    for start in counts.indices {
      let position = SyncPosition(UInt64(start))
      let found = try await all(of: other, limit: limit, after: position)
      #expect(found == Array(rows[start...].joined()), "after \(start)")
    }
    // The answer to a push has no more rows.
    let pushed = try await other.push(push(otherID, [row("x")], cursor: 2), limit: limit)
    #expect(pushed.status == .accepted && pushed.pull.isPart)
    #expect(pushed.pull.rows == Array(rows[2].prefix(limit)))
    await session.close()
    await other.close()
  }

  /// The rows of others come with the answer to a push, whether it is accepted or not, and its own do not.
  @Test(arguments: [1, 9]) func aPushGetsTheRowsOfOthers(limit: Int) async throws {
    let database = try await TestDatabase()
    let (session, id, _) = try await session(database)
    let (other, otherID, _) = try await self.session(database, as: "other")
    #expect(
      try await session.push(push(id, [row("a"), row("b")]), limit: 9).status == .accepted)
    let accepted = try await other.push(push(otherID, [row("c")]), limit: limit)
    #expect(accepted.status == .accepted && accepted.version == 2 && accepted.pull.version == 2)
    let refused = try await other.push(push(otherID, [row("a")]), limit: limit)
    #expect(refused.status == .conflict && refused.pull.version == 2)
    for (answer, keys) in [(accepted, ["a", "b"]), (refused, ["a", "b", "c"])] {
      #expect(answer.pull.isPart == (limit == 1))
      #expect(answer.pull.rows.map(\.object) == keys.prefix(limit).map(object))
    }
    let last = try await other.push(push(otherID, [row("d")], cursor: 2, strict: true), limit: 9)
    #expect(last.status == .accepted && last.pull.rows.isEmpty)
    #expect(last.pull.pushAtCursor == accepted.pull.push && last.pull.push != nil)
    await session.close()
    await other.close()
  }

  /// A push that comes twice is accepted both times, and gets the rows of others and not its own.
  @Test(arguments: [0, 1]) func aPushComesTwice(parts: Int) async throws {
    let database = try await TestDatabase()
    let (session, id, _) = try await session(database)
    let (other, otherID, _) = try await self.session(database, as: "other")
    #expect(try await session.push(push(id, [row("a")]), limit: 9).status == .accepted)
    var push = push(otherID, [row("b")])
    push.uploadedParts = parts
    for number in 0..<parts {
      let part = SyncPush.Part(rows: [row("part")], references: [])
      try await other.upload(part, number: number, of: push.id)
    }
    for keys in [["a"], ["a", "c"]] {
      let answer = try await other.push(push, limit: 9)
      #expect(answer.status == .accepted && answer.version == 2)
      #expect(answer.pull.rows.map(\.object) == keys.map(object))
      #expect(answer.pull.version == UInt64(keys.count) + 1)
      // The second time it is refused: the object is there.
      _ = try await session.push(self.push(id, [row("c")]), limit: 9)
    }
    #expect(
      Set(try await all(of: session, limit: 9).map(\.object))
        == Set((["a", "b", "c"] + Array(repeating: "part", count: parts)).map(object)))
    await session.close()
    await other.close()
  }

  @Test func aLargePushIsUploadedInParts() async throws {
    let database = try await TestDatabase()
    let (session, id, _) = try await session(database)
    var push = push(id, [row("last")], references: [object("part")])
    push.uploadedParts = 1
    #expect(try await session.push(push, limit: 9).status == .conflict)
    let part = SyncPush.Part(rows: [row("part")], references: [object("last")])
    for _ in 0..<2 { try await session.upload(part, number: 0, of: push.id) }
    #expect(try await session.push(push, limit: 9).status == .accepted)
    #expect(try await all(of: session, limit: 9).map(\.object) == [object("last"), object("part")])
  }

  @Test func rightsAreAskedFor() async throws {
    let database = try await TestDatabase()
    await #expect(throws: SyncError.forbidden) { try await self.session(database, as: "stranger") }
    let (reader, id, state) = try await session(database, as: "reader")
    #expect(!state.isWritable && state.number == 0)
    await #expect(throws: SyncError.forbidden) {
      try await reader.push(self.push(id, [self.row("a")]), limit: 9)
    }
    // The connection is still there: it reads further.
    #expect(try await all(of: reader, limit: 9).isEmpty)
    try await Postgres.revoke(database.role("reader"), from: database.space, on: database.owner)
    await #expect(throws: SyncError.forbidden) { try await self.all(of: reader, limit: 9) }
  }

  @Test func aServerThatIsNotPreparedIsTold() async throws {
    let bare = try await TestDatabase(installed: false)
    await #expect(throws: SyncError.noSuchSpace) { try await self.session(bare) }
    let database = try await TestDatabase()
    let owner = try await TestReplica(database, as: "owner")
    try await owner.run("UPDATE croft.format SET version = 3")
    await #expect(throws: SyncError.newerServer(format: 3)) { try await self.session(database) }
    // Its clients cannot read rows of this program.
    try await owner.run("UPDATE croft.format SET version = 1, functions = 2")
    await #expect(throws: SyncError.olderServer(format: 1)) { try await self.session(database) }
    try await Postgres.install(on: database.owner)
    let (connected, _, _) = try await session(database)
    #expect(try await all(of: connected, limit: 9).isEmpty)
    // A session that has begun does not read the rows of a newer program either.
    try await owner.run("UPDATE croft.format SET version = 3")
    await #expect(throws: SyncError.newerServer(format: 3)) {
      try await self.all(of: connected, limit: 9)
    }
  }

  /// Another replica's push wakes, and one's own does not.
  @Test func pushesOfOthersWake() async throws {
    let database = try await TestDatabase()
    let (listener, listenerID, _) = try await session(database)
    let (other, otherID, _) = try await session(database, as: "other")
    var wakes = listener.wakes.makeAsyncIterator()
    for number in 0..<3 {
      #expect(try await other.push(push(otherID, [row("\(number)")]), limit: 9).status == .accepted)
      #expect(await wakes.next() != nil)
    }
    // Neither of these is told: a push of its own, and one that is refused.
    #expect(try await listener.push(push(listenerID, [row("own")]), limit: 9).status == .accepted)
    #expect(try await other.push(push(otherID, [row("own")]), limit: 9).status == .conflict)
    await listener.close()
    #expect(await wakes.next() == nil)
  }

  /// Where very many listen a session does not, and its replica asks from time to time.
  @Test(arguments: [200, 0])
  func aCrowdedDatabaseIsPolled(mostListeners: Int) async throws {
    let database = try await TestDatabase()
    var server = try database.server(as: "writer")
    server.mostListeners = mostListeners
    let session = try #require(try await server.connect(to: database.space) as? PostgresSession)
    let rows = try await session.connection.run(
      PostgresStatement("SELECT count(*) FROM pg_listening_channels()"), within: .seconds(60))
    #expect(try rows.int8(rows.only(), 0) == (mostListeners > 0 ? 1 : 0))
    await session.close()

    let (a, b) = (try TestStore(), try TestStore())
    let first = try a.join(server, database.space, pollInterval: .milliseconds(10))
    let second = try b.join(server, database.space, pollInterval: .milliseconds(10))
    try await a.add(Book(id: 1, title: "one"))
    try await b.reaches { $0.books.map(\.id) == [1] }
    await first.stop()
    await second.stop()
  }

  @Test func aServerThatEndsIsUnreachable() async throws {
    let database = try await TestDatabase()
    let (session, id, _) = try await session(database)
    let admin = try await PostgresConnection.open(
      PostgresServer(database.cluster.address(database.name, as: "postgres")))
    try await admin.run(
      PostgresStatement(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1::text::name",
        .text(database.role("writer"))), within: .seconds(60))
    do {
      _ = try await session.push(push(id, [row("a")]), limit: 9)
      Issue.record("the connection is lost")
    } catch let error as SyncError { #expect(error.isRetryable) }
    let again = try await self.session(database)
    #expect(try await again.session.push(push(again.id, [row("a")]), limit: 9).status == .accepted)
  }
}
