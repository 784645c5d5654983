import Foundation
import Testing

@testable import CroftPostgres

/// A client that stops in the middle of what it sends blocks nobody.
@Suite struct StoppedClientTests {
  /// Connects a writer through a relay.
  private func writer(_ database: TestDatabase, through relay: TestRelay) async throws
    -> TestReplica
  {
    try await TestReplica(
      database,
      address: PostgresServer(
        "postgres://\(database.role("writer"))@127.0.0.1:\(relay.port)/\(database.name)",
        deadline: .seconds(60)))
  }

  /// How many bytes a push of one object is.
  private func size(_ database: TestDatabase) async throws -> Int {
    let relay = try TestRelay(to: database.cluster)
    let replica = try await writer(database, through: relay)
    try await replica.hello()
    let before = relay.sent
    try await replica.push([.init(key: UUID().uuidString)])
    return relay.sent - before
  }

  /// Stops a writer after some bytes of a push, and then pushes as another replica.
  ///
  /// - Returns: Whether that one was held up.
  private func isBlocked(
    _ database: TestDatabase, after count: Int, call: String, patience: String
  ) async throws -> Bool {
    let relay = try TestRelay(to: database.cluster)
    let stopped = try await writer(database, through: relay)
    let other = try await TestReplica(database)
    for replica in [stopped, other] { try await replica.hello() }
    let pid = try await stopped.connection.processID
    relay.stop(after: count)
    let key = UUID().uuidString
    let task = Task {
      try await stopped.run(stopped.statement([.init(key: key)], call: call))
    }
    await relay.waitUntilStopped()
    // The server has read all and does nothing more, or it has answered already. What others wait for is shown
    // to a superuser only.
    let admin = try await PostgresConnection.open(
      PostgresServer(database.cluster.address("postgres", as: "postgres")))
    try await wait(
      for: 1,
      """
      SELECT count(*) FROM pg_stat_activity WHERE pid = \(pid) AND wait_event = 'ClientRead'
      """, on: admin)
    await admin.close()
    try await other.run("SELECT set_config('lock_timeout', $1, false)", .text(patience))
    var error: PostgresError?
    do {
      #expect(try await other.push([.init(key: UUID().uuidString)]).status == "ok")
    } catch let refusal as PostgresError { error = refusal }
    await stopped.connection.close()
    relay.close()
    _ = await task.result
    guard let error else { return false }
    guard case .refused("55P03", _) = error else { throw error }
    return true
  }

  @Test func aClientThatStopsAtAnyByteOfAPushBlocksNobody() async throws {
    let database = try await TestDatabase()
    let size = try await size(database)
    // All places of the last messages, and some of what is before.
    let counts = Array(stride(from: 0, to: size, by: 97)) + Array(max(0, size - 24)...size)
    for count in counts {
      let isBlocked = try await isBlocked(
        database, after: count, call: "CALL croft.push", patience: "60s")
      #expect(!isBlocked, "after \(count) of \(size) bytes")
    }
  }

  /// Why it is a procedure: the locks of a function are held until the last message, of five bytes, has come.
  @Test func aFunctionHoldsItsLocksUntilTheLastMessage() async throws {
    let database = try await TestDatabase()
    let size = try await size(database)
    let call = "SELECT croft.merge"
    // The text of the statement is longer.
    let count = size + call.utf8.count - "CALL croft.push".utf8.count
    for missing in 1...5 {
      #expect(
        try await isBlocked(database, after: count - missing, call: call, patience: "20ms"))
    }
    #expect(try await !isBlocked(database, after: count, call: call, patience: "60s"))
  }
}
