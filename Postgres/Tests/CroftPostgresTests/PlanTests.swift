import CroftSync
import Foundation
import Testing

@testable import CroftPostgres

/// The plans of a push and of a pull stay those of an index, also where the table was never analysed.
@Suite struct PlanTests {
  private static let count = 100_000

  /// A database with many objects in one version, and a replica whose statements were planned on empty tables.
  private func largeDatabase() async throws -> (TestDatabase, TestReplica) {
    let database = try await TestDatabase()
    let replica = try await TestReplica(database)
    try await replica.hello()
    // Five executions, after which PostgreSQL may keep a plan.
    for number in 0..<8 {
      try await replica.push([.init(key: "w\(number)")], references: number > 0 ? ["w0"] : [])
    }
    let owner = try await TestReplica(database, as: "owner")
    try await owner.run(
      """
      INSERT INTO croft.objects
      SELECT id, 1, convert_to('key ' || i, 'UTF8'), 9, false, '\\x01', convert_to('value', 'UTF8'), 0, 9
      FROM croft.spaces, generate_series(1, \(Self.count)) i
      """)
    try await owner.run("UPDATE croft.spaces SET version = 9")
    #expect(
      try await owner.number(
        "SELECT reltuples::int8 FROM pg_class WHERE oid = 'croft.objects'::regclass") == -1)
    return (database, replica)
  }

  /// How many rows of the table the last transaction read by walking through it, and by an index.
  private func reads(_ replica: TestReplica) async throws -> (scanned: Int64, fetched: Int64) {
    let rows = try await replica.run(
      """
      SELECT seq_tup_read, idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relname = 'objects'
      """)
    let row = try rows.only()
    return (try rows.int8(row, 0), try rows.int8(row, 1))
  }

  /// One object that is there, with a reference: a handful of rows of a hundred thousand.
  ///
  /// The function is called in a transaction, which the procedure would end, and with it the counts.
  @Test(arguments: [1, 1_000])
  func aPushReadsItsOwnRowsOnly(count: Int) async throws {
    let (_, replica) = try await largeDatabase()
    try await replica.connection.run(script: "BEGIN", within: .seconds(60))
    let before = try await reads(replica)
    let objects = (1...count).map { TestReplica.Object(key: "key \($0)", base: 9, value: "new") }
    let rows = try await replica.run(
      replica.statement(
        objects, references: ["w0", "key 5"], call: "SELECT status FROM croft.merge"))
    #expect(try rows.text(rows.only(), 0) == "ok")
    let after = try await reads(replica)
    #expect(after.scanned == before.scanned)
    #expect(after.fetched - before.fetched <= Int64(2 * count + 8))
    try await replica.connection.run(script: "COMMIT", within: .seconds(60))
  }

  /// Pages of a version with a hundred thousand objects: none of them is sorted, and none is read twice.
  ///
  /// Without the settings the planner, which knows nothing of the table, sorts all that follows.
  @Test(arguments: [false, true]) func aPullFollowsItsIndex(isOfAPush: Bool) async throws {
    let (_, replica) = try await largeDatabase()
    let position = SyncPosition(9, SyncObject(model: 1, key: Array("key 500".utf8)))
    let pull = PostgresStatement.pull(
      after: position, of: replica.space, limit: 10_000, bytes: SyncPullAnswer.mostBytes,
      besides: isOfAPush ? UUID() : nil)
    try await replica.connection.run(script: "BEGIN", within: .seconds(60))
    try await replica.run(.settingsOfPull)
    let rows = try await replica.run(
      PostgresStatement("EXPLAIN (COSTS OFF) \(pull.sql)", pull.values))
    let plan = try (0..<rows.count).map { try rows.text($0, 0) }
    #expect(plan.contains { $0.contains("Index Scan using objects_version on objects") }, "\(plan)")
    #expect(!plan.contains { $0.contains("Sort") }, "\(plan)")
  }

  /// No statement of a pull is compiled, which takes longer than everything else that a commit waits for.
  ///
  /// A scan that the settings switch off counted as so dear that the look at the schema's version was.
  @Test func noStatementOfAPullIsCompiled() async throws {
    let database = try await TestDatabase()
    let replica = try await TestReplica(database)
    try await replica.hello()
    let pull = PostgresStatement.pulling(
      after: SyncPosition(0), of: replica.space, cursor: 0, limit: 10_000,
      bytes: SyncPullAnswer.mostBytes, besides: UUID())
    try await replica.connection.run(script: "BEGIN", within: .seconds(60))
    try await replica.run(.settingsOfPull)
    #expect(
      try await replica.number("SELECT (current_setting('jit') = 'off')::int4::int8") == 1)
    for statement in pull where statement.sql.contains("FROM croft") {
      let rows = try await replica.run(
        PostgresStatement("EXPLAIN \(statement.sql)", statement.values))
      let plan = try (0..<rows.count).map { try rows.text($0, 0) }
      #expect(!plan.contains { $0.contains("JIT") }, "\(plan)")
    }
  }
}
