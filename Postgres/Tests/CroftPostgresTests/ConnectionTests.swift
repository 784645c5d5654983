import Foundation
import Testing

@testable import CroftPostgres

/// A connection, from its address to its end.
@Suite struct ConnectionTests {
  private static let patience: Duration = .seconds(60)

  @Test(arguments: [
    ("postgres://anna@db1,db2/app", true), ("postgres://anna@db1/app?sslmode=verify-full", true),
    ("postgres://anna@localhost,127.0.0.1/app", true),
    ("postgres://[::1]/app?sslmode=disable", true),
    ("postgres:///app?host=/run/postgresql", true), ("host=db1 user=anna", true),
    ("postgres://anna@db1/app?sslmode=require", false),
    ("postgres://anna@localhost,db2/app?sslmode=disable", false),
    ("postgres://anna@localhost/app?hostaddr=10.0.0.1&sslmode=disable", false),
    ("postgres://anna:secret@localhost/app", false), ("host=localhost password=secret", false),
    ("postgres:///app", false), ("postgres://anna@localhost,/app", false), ("secret", false),
    ("postgres://localhost/app?secret=1", false),
  ])
  func anAddressIsProtectedOrRefused(address: String, isGood: Bool) throws {
    var error: (any Error)?
    do { _ = try PostgresServer(address) } catch let refusal { error = refusal }
    #expect((error == nil) == isGood)
    // The error does not repeat the address.
    #expect(!"\(error.map { "\($0)" } ?? "")".contains("secret"))
  }

  @Test func anAddressMaySayThatItIsNotProtected() throws {
    let server = try PostgresServer("postgres://anna@db1/app?sslmode=disable", security: .insecure)
    #expect(server.options["sslmode"] == nil)
    #expect(try PostgresServer("postgres://anna@db1/app").options["sslmode"] == "verify-full")
    #expect(try PostgresServer("postgres://localhost/app").options["sslmode"] == nil)
  }

  /// The server has no TLS, so that nothing is sent to it.
  @Test func aServerWithoutTLSIsNotUsedWhereItIsAskedFor() async throws {
    let database = try await TestDatabase(installed: false)
    let address = "postgres://\(database.role("writer"))@127.0.0.1:\(database.cluster.port)/"
    let server = try PostgresServer(
      address + "\(database.name)?sslmode=verify-full&sslrootcert=/dev/null", password: { "secret" }
    )
    await #expect(throws: PostgresError.self) { try await PostgresConnection.open(server) }
  }

  @Test(arguments: ["secret", "wr0ng", nil])
  func aPasswordIsAskedForAndNeverShown(password: String?) async throws {
    let database = try await TestDatabase(installed: false)
    let address = "postgres://\(database.role("writer"))@127.0.0.1:\(database.cluster.port)/"
    let server = try PostgresServer(
      address + database.name, password: password.map { password in { @Sendable in password } })
    var error: PostgresError?
    do { await (try PostgresConnection.open(server)).close() } catch let refusal as PostgresError {
      error = refusal
    }
    switch error {
    case nil: #expect(password == "secret")
    case .unauthorised: #expect(password != "secret")
    default: Issue.record("\(error.debugDescription)")
    }
    var dumped = ""
    dump(server, to: &dumped)
    dump(error, to: &dumped)
    #expect(!dumped.contains(password ?? "secret"))
  }

  @Test func aPasswordThatCannotBeReadEndsTheAttempt() async throws {
    let server = try PostgresServer("postgres://localhost/app") {
      throw CocoaError(.fileNoSuchFile)
    }
    await #expect(throws: CocoaError.self) { try await PostgresConnection.open(server) }
  }

  /// The first host takes no connections, and the second is the server.
  @Test func manyHostsAreTriedInOrder() async throws {
    let database = try await TestDatabase(installed: false)
    let cluster = database.cluster
    let closed = try TestListener().port
    let server = try PostgresServer(
      "postgres:///\(database.name)?host=127.0.0.1,\(cluster.folder.path)&port=\(closed),\(cluster.port)"
        + "&user=\(database.role("writer"))")
    let connection = try await PostgresConnection.open(server)
    let rows = try await connection.run(PostgresStatement("SELECT 1"), within: Self.patience)
    #expect(try rows.int4(rows.only(), 0) == 1)
    await connection.close()
  }

  @Test func aHostThatTakesNoConnectionsIsUnreachable() async throws {
    let closed = try TestListener().port
    let server = try PostgresServer("postgres://anna@127.0.0.1:\(closed)/app")
    do {
      _ = try await PostgresConnection.open(server)
      Issue.record("there is no server")
    } catch PostgresError.unreachable(let reason) {
      #expect(reason.contains("\(closed)"))
    }
  }

  /// A program that listens and says nothing.
  @Test func aHostThatSaysNothingIsGivenUp() async throws {
    let listener = try TestListener()
    let server = try PostgresServer(
      "postgres://anna@127.0.0.1:\(listener.port)/app", deadline: .milliseconds(50))
    await #expect(throws: PostgresError.unanswered) { try await PostgresConnection.open(server) }
    withExtendedLifetime(listener) {}
  }

  /// A statement that waits for a lock: the client stops waiting, and the connection is not used again.
  @Test func aStatementThatTakesTooLongEndsTheConnection() async throws {
    let (holder, waiting) = try await lockedDatabase()
    await #expect(throws: PostgresError.unanswered) {
      try await waiting.run(Self.locked, within: .milliseconds(50))
    }
    await #expect(throws: PostgresError.unanswered) {
      try await waiting.run(PostgresStatement("SELECT 1"), within: Self.patience)
    }
    await holder.close()
  }

  @Test func aTaskThatIsCancelledEndsTheConnection() async throws {
    let (holder, waiting) = try await lockedDatabase()
    let pid = try await waiting.processID
    let task = Task { try await waiting.run(Self.locked, within: Self.patience) }
    try await wait(
      for: 1, "SELECT count(*) FROM pg_locks WHERE NOT granted AND pid = \(pid)", on: holder)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await holder.close()
  }

  /// The server ends a statement: its outcome is known, and the connection is used further.
  @Test func aStatementThatTheServerEndsIsRefused() async throws {
    let (holder, waiting) = try await lockedDatabase()
    let pid = try await waiting.processID
    let task = Task { try await waiting.run(Self.locked, within: Self.patience) }
    try await wait(
      for: 1, "SELECT count(*) FROM pg_locks WHERE NOT granted AND pid = \(pid)", on: holder)
    try await holder.run(
      PostgresStatement("SELECT pg_cancel_backend(\(pid))"), within: Self.patience)
    do {
      _ = try await task.value
      Issue.record("the statement is refused")
    } catch PostgresError.refused(let code, _) {
      #expect(code == "57014")
    }
    try await waiting.run(PostgresStatement("SELECT 1"), within: Self.patience)
    await holder.close()
  }

  @Test func aConnectionThatTheServerEndsIsLost() async throws {
    let (holder, waiting) = try await lockedDatabase()
    let pid = try await waiting.processID
    let task = Task { try await waiting.run(Self.locked, within: Self.patience) }
    try await wait(
      for: 1, "SELECT count(*) FROM pg_locks WHERE NOT granted AND pid = \(pid)", on: holder)
    try await holder.run(
      PostgresStatement("SELECT pg_terminate_backend(\(pid))"), within: Self.patience)
    do {
      _ = try await task.value
      Issue.record("the connection is lost")
    } catch PostgresError.connectionLost {}
    // The stream of announcements ends with it.
    for await _ in waiting.wakes {}
    await holder.close()
  }

  /// Statements of one flight are apart: one that is refused leaves the others.
  @Test func aFlightHasAnAnswerForEachStatement() async throws {
    let database = try await TestDatabase(installed: false)
    let connection = try await PostgresConnection.open(database.server(as: "writer"))
    let answers = try await connection.run(
      [
        PostgresStatement("SELECT 1"), PostgresStatement("SELECT 1 / 0"),
        PostgresStatement("no statement"),
        PostgresStatement("SELECT $1 || $2", .text("a"), .text("")),
        PostgresStatement("SELECT generate_series(1, 3)"),
      ], within: Self.patience)
    #expect(answers.map { (try? $0.get())?.count } == [1, nil, nil, 1, 3])
    #expect(answers.compactMap(\.refusal) == ["22012", "42601"])
    try await withThrowingTaskGroup { group in
      for number in 0..<50 as Range<Int32> {
        group.addTask {
          let rows = try await connection.run(
            PostgresStatement("SELECT $1", .int4(number)), within: Self.patience)
          return try rows.int4(rows.only(), 0) == number
        }
      }
      for try await isOwn in group { #expect(isOwn) }
    }
    await connection.close()
    await #expect(throws: PostgresError.self) {
      try await connection.run(PostgresStatement("SELECT 1"), within: Self.patience)
    }
  }

  /// More than the buffers of the system hold, in both directions at once.
  @Test func aFlightMayBeLargerThanAllBuffers() async throws {
    let database = try await TestDatabase(installed: false)
    let connection = try await PostgresConnection.open(database.server(as: "writer"))
    let large = [UInt8](repeating: 7, count: 4_000_000)
    let answers = try await connection.run(
      (0..<4).map { _ in PostgresStatement("SELECT $1", .byteas([large])) }, within: Self.patience)
    #expect(
      try answers.map { try $0.get().bytes(0, 0).count } == Array(repeating: 4_000_024, count: 4))
    await connection.close()
  }

  /// A commit that no standby confirmed comes as a success with this warning: it counts as not known.
  @Test func aCommitThatNoStandbyConfirmedIsNotKnown() async throws {
    let database = try await TestDatabase(installed: false)
    let connection = try await PostgresConnection.open(database.server(as: "writer"))
    try await connection.run(script: "DO 'BEGIN RAISE NOTICE ''x''; END'", within: Self.patience)
    let script = "DO $$BEGIN RAISE WARNING 'x' USING ERRCODE = '01000'; END$$"
    await #expect(throws: PostgresError.unconfirmed) {
      try await connection.run(PostgresStatement(script), within: Self.patience)
    }
    await #expect(throws: PostgresError.unconfirmed) {
      try await connection.run(PostgresStatement("SELECT 1"), within: Self.patience)
    }
  }

  @Test func anAnnouncementWakes() async throws {
    let database = try await TestDatabase(installed: false)
    let listener = try await PostgresConnection.open(database.server(as: "reader"))
    let other = try await PostgresConnection.open(database.server(as: "writer"))
    try await listener.run(PostgresStatement("LISTEN a_channel"), within: Self.patience)
    var wakes = listener.wakes.makeAsyncIterator()
    for _ in 0..<3 {
      try await other.run(PostgresStatement("NOTIFY a_channel"), within: Self.patience)
      #expect(await wakes.next() != nil)
    }
    await listener.close()
    #expect(await wakes.next() == nil)
    await other.close()
  }

  // MARK: A statement that waits

  private static let locked = PostgresStatement("SELECT FROM a_table FOR UPDATE")

  /// A connection that holds a lock, and one that can wait for it.
  private func lockedDatabase() async throws -> (PostgresConnection, PostgresConnection) {
    let database = try await TestDatabase(installed: false)
    let holder = try await PostgresConnection.open(database.owner)
    try await holder.run(
      script: "CREATE TABLE a_table AS SELECT 1 AS a", within: Self.patience)
    try await holder.run(script: "BEGIN; LOCK TABLE a_table", within: Self.patience)
    return (holder, try await PostgresConnection.open(database.owner))
  }
}

/// Asks until a number is what is waited for.
func wait(for number: Int64, _ sql: String, on connection: PostgresConnection) async throws {
  while true {
    let rows = try await connection.run(PostgresStatement(sql), within: .seconds(60))
    if try rows.int8(rows.only(), 0) == number { return }
    await Task.yield()
  }
}

extension PostgresConnection {
  /// The number of the server's process.
  var processID: Int32 {
    get async throws {
      let rows = try await run(PostgresStatement("SELECT pg_backend_pid()"), within: .seconds(60))
      return try rows.int4(rows.only(), 0)
    }
  }
}

extension Result<PostgresRows, PostgresError> {
  /// The code with which a statement was refused.
  var refusal: String? {
    if case .failure(.refused(let code, _)) = self { code } else { nil }
  }
}
