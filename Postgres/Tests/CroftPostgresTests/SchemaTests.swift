import Foundation
import Testing

@testable import CroftPostgres

/// The schema of a database, and the owner's work on it.
@Suite struct SchemaTests {
  @Test func installingTwiceChangesNothing() async throws {
    let database = try await TestDatabase()
    let owner = try await TestReplica(database, as: "owner")
    // Whatever is written again has the number of another transaction.
    func writers() async throws -> String {
      let rows = try await owner.run(
        """
        SELECT string_agg(x.xmin::text, ' ' ORDER BY x.xmin::text) FROM (
          SELECT c.xmin FROM pg_class c WHERE c.relnamespace = 'croft'::regnamespace
          UNION ALL SELECT p.xmin FROM pg_proc p WHERE p.pronamespace = 'croft'::regnamespace
          UNION ALL SELECT f.xmin FROM croft.format f) x
        """)
      return try rows.text(rows.only(), 0)
    }
    let before = try await writers()
    try await Postgres.install(on: database.owner)
    #expect(try await writers() == before)
  }

  @Test func programsThatInstallAtTheSameTimeMakeOneSchema() async throws {
    let database = try await TestDatabase(installed: false)
    let owner = try database.owner
    try await withThrowingTaskGroup { group in
      for _ in 0..<4 { group.addTask { try await Postgres.install(on: owner) } }
      try await group.waitForAll()
    }
    let replica = try await TestReplica(database, as: "owner")
    #expect(try await replica.number("SELECT count(*) FROM croft.format") == 1)
  }

  @Test func aSchemaOfANewerProgramIsRefused() async throws {
    let database = try await TestDatabase()
    let owner = try await TestReplica(database, as: "owner")
    try await owner.run("UPDATE croft.format SET version = 2")
    let server = try database.owner
    await #expect(throws: PostgresError.newerServer(version: 2)) {
      try await Postgres.install(on: server)
    }
    await #expect(throws: PostgresError.newerServer(version: 2)) {
      try await Postgres.createSpace(on: server)
    }
    await #expect(throws: PostgresError.newerServer(version: 2)) {
      try await Postgres.collect(before: .now, on: server)
    }
    #expect(try await owner.number("SELECT count(*) FROM croft.spaces") == 1)
  }

  @Test func aDatabaseWithoutTheSchemaSaysSo() async throws {
    let database = try await TestDatabase(installed: false)
    let server = try database.owner
    await #expect(
      throws: PostgresError.notInstalled(reason: "relation \"croft.format\" does not exist")
    ) {
      try await Postgres.createSpace(on: server)
    }
  }

  /// A function with the owner's rights that looks names up where its caller says would run the caller's code.
  @Test func allFunctionsHaveTheOwnersRightsAndTheirOwnSearchPath() async throws {
    let database = try await TestDatabase()
    let owner = try await TestReplica(database, as: "owner")
    let rows = try await owner.run(
      """
      SELECT proname::text, prosecdef, coalesce(array_to_string(proconfig, ' '), '')
      FROM pg_proc WHERE pronamespace = 'croft'::regnamespace ORDER BY proname
      """)
    for row in 0..<rows.count {
      let name = try rows.text(row, 0)
      // These two only call the functions, with the caller's rights.
      let isProcedure = ["hello", "push"].contains(name)
      #expect(try rows.bool(row, 1) != isProcedure, "\(name)")
      #expect(
        try rows.text(row, 2) == (isProcedure ? "" : "search_path=pg_catalog, pg_temp"), "\(name)")
    }
    #expect(rows.count == 11)
  }

  @Test func onlyRolesAndSpacesThatAreThereAreGranted() async throws {
    let database = try await TestDatabase()
    let server = try database.owner
    let (space, writer) = (database.space, database.role("writer"))
    await #expect(throws: PostgresError.refused(code: "42704", reason: "there is no role nobody")) {
      try await Postgres.grant(.read, on: space, to: "nobody", on: server)
    }
    let other = UUID()
    await #expect(
      throws: PostgresError.notInstalled(
        reason: "there is no space \(other.uuidString.lowercased())")
    ) { try await Postgres.grant(.read, on: other, to: writer, on: server) }
  }
}
