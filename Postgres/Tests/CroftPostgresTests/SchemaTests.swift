import Foundation
import Synchronization
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

  /// A database as a program made it whose pushes were refused that came twice, and whose functions had no version.
  private func olderDatabase() async throws -> TestDatabase {
    let database = try await TestDatabase()
    let owner = try await TestReplica(database, as: "owner")
    let text = String(decoding: PackageResources.functions_sql, as: UTF8.self)
    let start = try #require(text.range(of: "CREATE OR REPLACE FUNCTION croft.merge("))
    let end = try #require(text[start.upperBound...].range(of: "END $$;"))
    var merge = String(text[start.lowerBound..<end.upperBound])
    let answer = "IF FOUND THEN status := 'ok'; version := n; RETURN; END IF;"
    #expect(merge.contains(answer))
    merge.replace(answer, with: "")
    try await owner.connection.run(script: merge, within: .seconds(60))
    try await owner.run("ALTER TABLE croft.format DROP COLUMN functions")
    return database
  }

  /// A database keeps its objects and rights when its functions are replaced by those of a newer program.
  ///
  /// Installing changed nothing where there was a schema, so that old functions stayed for ever.
  @Test func installingAgainReplacesOlderFunctions() async throws {
    let database = try await olderDatabase()
    let owner = try await TestReplica(database, as: "owner")
    let other = database.role("other")
    try await owner.run("GRANT EXECUTE ON FUNCTION croft.collect TO \(other)")
    // Connected before and after it.
    let replica = try await TestReplica(database)
    try await replica.hello()
    let push = UUID()
    #expect(try await replica.push([.init(key: "a")], id: push) == ("ok", 1))
    #expect(try await replica.push([.init(key: "a")], id: push) == ("conflict", 1))
    try await Postgres.install(on: database.owner)
    #expect(try await replica.push([.init(key: "a")], id: push) == ("ok", 1))
    #expect(try await replica.objects() == ["a=value 1"])
    #expect(
      try await owner.number("SELECT functions::int8 FROM croft.format")
        == Int64(Postgres.functionsVersion))
    for (role, may) in [("other", true), ("reader", false)] {
      let rows = try await owner.run(
        "SELECT has_function_privilege($1, 'croft.collect(uuid, timestamptz)', 'EXECUTE')",
        .text(database.role(role)))
      #expect(try rows.bool(rows.only(), 0) == may, "\(role)")
    }
  }

  /// Only the owner replaces functions, and a program with older ones leaves those of a newer program.
  @Test func functionsAreReplacedByTheirOwnerAndByNewerOnesOnly() async throws {
    let older = try await olderDatabase()
    let writer = try older.server(as: "writer")
    await #expect {
      try await Postgres.install(on: writer)
    } throws: { error in
      guard case PostgresError.forbidden = error else { return false }
      return true
    }
    let replica = try await TestReplica(older)
    try await replica.hello()
    let push = UUID()
    try await replica.push([.init(key: "a")], id: push)
    #expect(try await replica.push([.init(key: "a")], id: push).status == "conflict")

    let newer = try await TestDatabase()
    let owner = try await TestReplica(newer, as: "owner")
    try await owner.run("UPDATE croft.format SET functions = 1000")
    try await Postgres.install(on: newer.owner)
    #expect(try await owner.number("SELECT functions::int8 FROM croft.format") == 1_000)
  }

  /// What a role that may create in the database has made under the name of the schema.
  enum Stranger: CaseIterable {
    case emptySchema, olderFunctions, sameVersion, view
  }

  /// A role that may create in the database has made a schema of this name: nothing of it is used.
  ///
  /// Installing took the schema of any role for one of Croft, whose functions then ran as the roles that called them.
  @Test(arguments: Stranger.allCases)
  func aSchemaOfAnotherRoleIsRefused(_ kind: Stranger) async throws {
    let database = try await TestDatabase(installed: false)
    let owner = try await TestReplica(database, as: "owner")
    let name = database.role("stranger")
    try await owner.run("GRANT CREATE ON DATABASE \(database.name) TO \(name)")
    let stranger = try await TestReplica(database, as: "stranger")
    switch kind {
    case .emptySchema: try await stranger.run("CREATE SCHEMA croft")
    case .olderFunctions:
      try await Postgres.install(on: database.server(as: "stranger"))
      try await stranger.run("UPDATE croft.format SET functions = 2")
    case .sameVersion: try await Postgres.install(on: database.server(as: "stranger"))
    case .view:
      try await stranger.connection.run(
        script: """
          CREATE SCHEMA croft;
          GRANT USAGE ON SCHEMA croft TO PUBLIC;
          CREATE FUNCTION croft.trap() RETURNS int LANGUAGE plpgsql
            AS $$ BEGIN RAISE EXCEPTION 'called as %', current_user; END $$;
          CREATE VIEW croft.format AS SELECT croft.trap() AS version, 1000 AS functions;
          GRANT SELECT ON croft.format TO PUBLIC;
          """, within: .seconds(60))
    }
    // A superuser has the rights of all roles.
    let superuser = try PostgresServer(database.cluster.address(database.name, as: "postgres"))
    for server in [try database.owner, superuser] {
      let calls: [@Sendable () async throws -> Void] = [
        { try await Postgres.install(on: server) },
        { try await Postgres.createSpace(on: server) },
        { try await Postgres.grant(.read, on: UUID(), to: "postgres", on: server) },
        { try await Postgres.revoke("postgres", from: UUID(), on: server) },
        { try await Postgres.collect(before: .now, on: server) },
      ]
      for call in calls {
        await #expect {
          try await call()
        } throws: { error in
          guard case PostgresError.forbidden(let reason) = error else { return false }
          return reason.contains(name)
        }
      }
    }
  }

  /// A role that has the rights of the schema's owner installs as that one does.
  @Test func aMemberOfTheOwnerInstalls() async throws {
    let database = try await TestDatabase()
    let owner = try await TestReplica(database, as: "owner")
    let control = try await database.cluster.control(database.name)
    let (member, other) = (database.role("stranger"), database.role("other"))
    try await control.run(
      script: """
        ALTER ROLE \(other) NOINHERIT;
        GRANT \(database.role("owner")) TO \(member), \(other)
        """, within: .seconds(60))
    await control.close()
    for functions in [1, Postgres.functionsVersion] {
      try await owner.run("UPDATE croft.format SET functions = \(functions)")
      try await Postgres.install(on: database.server(as: "stranger"))
      #expect(
        try await owner.number("SELECT functions::int8 FROM croft.format")
          == Int64(Postgres.functionsVersion))
    }
    // It would have to take the owner's role first.
    await #expect(throws: PostgresError.self) {
      try await Postgres.install(on: database.server(as: "other"))
    }
  }

  /// Functions and operators of others, which fit better than the server's own, do not run as the owner.
  ///
  /// Installing called `to_jsonb` with a row of `croft.format`, and any role could make such a function in the schema
  /// public of PostgreSQL 13 and 14.
  @Test(arguments: [false, true]) func installingCallsNothingOfOthers(isThere: Bool) async throws {
    let database =
      isThere ? try await olderDatabase() : try await TestDatabase(installed: false)
    let owner = try await TestReplica(database, as: "owner")
    try await owner.run("GRANT CREATE ON SCHEMA public TO \(database.role("stranger"))")
    let stranger = try await TestReplica(database, as: "stranger")
    var types = [("oid", "regclass"), ("oid", "regnamespace"), ("text", "varchar")]
    if isThere { types.append(("croft.format", "croft.format")) }
    for (left, right) in types {
      try await stranger.connection.run(
        script: """
          CREATE FUNCTION public.trap(\(left), \(right)) RETURNS boolean LANGUAGE plpgsql
            AS $$ BEGIN RAISE EXCEPTION 'called as %', current_user; END $$;
          CREATE OPERATOR public.= (LEFTARG = \(left), RIGHTARG = \(right), FUNCTION = public.trap);
          """, within: .seconds(60))
    }
    if isThere {
      try await stranger.run(
        """
        CREATE FUNCTION public.to_jsonb(croft.format) RETURNS jsonb LANGUAGE plpgsql
          AS $$ BEGIN RAISE EXCEPTION 'called as %', current_user; END $$
        """)
    }
    // Of the same statement outside of an installation.
    let trapped = try await owner.refusal(
      "SELECT FROM pg_class c WHERE c.oid = 'pg_catalog.pg_class'::regclass")
    #expect(
      trapped == .refused(code: "P0001", reason: "called as \(database.role("owner"))"))
    try await Postgres.install(on: database.owner)
    #expect(
      try await owner.number("SELECT functions::int8 FROM croft.format")
        == Int64(Postgres.functionsVersion))
  }

  /// Sessions begin while functions cannot be replaced because of a backup.
  ///
  /// Installing waited for a lock without end, also after its program had given up, and all sessions after it.
  @Test func nobodyWaitsForAnInstallationDuringABackup() async throws {
    let database = try await olderDatabase()
    let backup = try await TestReplica(database)
    try await backup.connection.run(
      script: "BEGIN; SELECT version FROM croft.format", within: .seconds(60))
    let server = try database.owner
    let isEnded = Mutex(false)
    let installing = Task {
      defer { isEnded.withLock { $0 = true } }
      try await Postgres.install(on: server)
    }
    let reader = try await TestReplica(database, as: "reader")
    // No wait at all is allowed.
    try await reader.run("SET lock_timeout = 1")
    while !isEnded.withLock({ $0 }) {
      #expect(try await reader.number("SELECT version::int8 FROM croft.format") == 2)
    }
    await #expect(
      throws: PostgresError.refused(
        code: "55P03",
        reason: "other sessions use the schema croft, such as a backup; try again later")
    ) { try await installing.value }
    let writer = try await TestReplica(database)
    try await writer.hello()
    let push = UUID()
    try await writer.push([.init(key: "a")], id: push)
    #expect(try await writer.push([.init(key: "a")], id: push).status == "conflict")
    try await backup.run("COMMIT")
    try await Postgres.install(on: server)
    #expect(try await writer.push([.init(key: "a")], id: push).status == "ok")

    // Where the column is there, a backup does not matter.
    let owner = try await TestReplica(database, as: "owner")
    try await owner.run("UPDATE croft.format SET functions = 1")
    try await backup.connection.run(
      script: "BEGIN; SELECT version FROM croft.format", within: .seconds(60))
    try await Postgres.install(on: server)
    #expect(
      try await owner.number("SELECT functions::int8 FROM croft.format")
        == Int64(Postgres.functionsVersion))
    try await backup.run("COMMIT")
  }

  /// What the owner granted to all stays granted, and a function that was not there is for the owner.
  ///
  /// Each update took the functions of the owner's work from all roles.
  @Test func rightsOfAllStayWhereFunctionsAreReplaced() async throws {
    let database = try await olderDatabase()
    let owner = try await TestReplica(database, as: "owner")
    try await owner.run("GRANT EXECUTE ON FUNCTION croft.collect TO PUBLIC")
    try await owner.run("DROP FUNCTION croft.create_space")
    try await Postgres.install(on: database.owner)
    for (function, may) in [
      ("collect(uuid, timestamptz)", true), ("create_space(uuid)", false),
      ("add_member(uuid, name, boolean)", false), ("remove_member(uuid, name)", false),
    ] {
      let rows = try await owner.run(
        "SELECT has_function_privilege($1, 'croft.\(function)', 'EXECUTE')",
        .text(database.role("stranger")))
      #expect(try rows.bool(rows.only(), 0) == may, "\(function)")
    }
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
    try await owner.run("UPDATE croft.format SET version = 3")
    let server = try database.owner
    await #expect(throws: PostgresError.newerServer(version: 3)) {
      try await Postgres.install(on: server)
    }
    await #expect(throws: PostgresError.newerServer(version: 3)) {
      try await Postgres.createSpace(on: server)
    }
    await #expect(throws: PostgresError.newerServer(version: 3)) {
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
    #expect(rows.count == 12)
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
