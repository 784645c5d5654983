public import Foundation

/// The owner's work on a database that replicas share.
///
/// People with `psql` do the same by functions of the schema `croft`. All of it but ``createOwnSpace(on:)`` and
/// ``spaces(on:)`` throws `PostgresError.forbidden` where the schema belongs to another role than that of the address,
/// whose rights this one does not have, also for a superuser.
public enum Postgres {
  /// What a role may do with a space.
  public enum Right: Sendable {
    /// Pull what is there.
    case read
    /// Pull and push.
    case write
  }

  /// The version of the schema that this program knows.
  static let version = 2
  /// The version of the schema's functions that this program has, which is that in `functions.sql`.
  static let functionsVersion = 4

  /// Makes the schema `croft`, whose owner is the role of the address.
  ///
  /// Where it is there with older functions, they are replaced, and tables, objects and rights stay; replicas may
  /// be connected meanwhile. With those of this program or a newer one nothing is changed.
  ///
  /// - Throws: `PostgresError.newerServer` where a newer program made the schema; `PostgresError.forbidden` where
  ///   the role may not make it, or where it belongs to another role, whose rights this one does not have, whatever
  ///   version it claims; `PostgresError.refused` with the code 55P03 where other sessions, such as a backup, use the
  ///   schema for seconds. Nothing is changed then.
  public static func install(on server: PostgresServer) async throws {
    try await withConnection(to: server) { connection in
      do {
        try await install(on: connection, within: server.deadline)
      } catch PostgresError.refused(lockNotAvailable, _) {
        throw PostgresError.refused(
          code: lockNotAvailable,
          reason: "other sessions use the schema croft, such as a backup; try again later")
      }
    }
  }

  /// The server's code where a lock is not to be had in time.
  private static let lockNotAvailable = "55P03"

  private static func install(
    on connection: PostgresConnection, within deadline: Duration
  ) async throws {
    // Any role may have made functions and operators in the schema public that fit better than the server's own, and
    // they would run with the owner's rights. Two programs that install at the same time do it one after the other.
    try await connection.run(
      script: """
        BEGIN;
        SET LOCAL search_path = pg_catalog, pg_temp;
        SET LOCAL lock_timeout = '10 s';
        SELECT pg_advisory_xact_lock(hashtext('croft.install'))
        """,
      within: deadline)
    if try await ownsSchema(on: connection, within: deadline) {
      // From now on nobody else can put another one in its place.
      try await checkVersion(on: connection, within: deadline, refusesOlder: false)
      if try await installedFunctions(on: connection, within: deadline) >= functionsVersion {
        return try await connection.run(script: "COMMIT", within: deadline)
      }
    } else {
      // Where another role makes the schema now, this fails.
      try await connection.run(
        script: String(decoding: PackageResources.schema_sql, as: UTF8.self),
        within: deadline)
    }
    try await connection.run(
      script: String(decoding: PackageResources.functions_sql, as: UTF8.self),
      within: deadline)
    try await connection.run(script: "COMMIT", within: deadline)
  }

  /// Whether there is a schema `croft`, which the role has the rights of.
  ///
  /// - Throws: `PostgresError.forbidden` for one of another role: any that may create in the database can have made
  ///   it first, and what it has would run with the rights of the roles that use it. A superuser has the rights of
  ///   all roles, and would run it too.
  private static func ownsSchema(
    on connection: PostgresConnection, within deadline: Duration
  ) async throws -> Bool {
    let rows = try await connection.run(
      PostgresStatement(
        """
        SELECT pg_catalog.pg_get_userbyid(n.nspowner)::text,
          n.nspowner OPERATOR(pg_catalog.=) r.oid
          OR (NOT r.rolsuper AND pg_catalog.pg_has_role(r.oid, n.nspowner, 'USAGE'))
        FROM pg_catalog.pg_namespace n, pg_catalog.pg_roles r
        WHERE n.nspname OPERATOR(pg_catalog.=) 'croft'
          AND r.rolname OPERATOR(pg_catalog.=) current_user
        """),
      within: deadline)
    try rows.check(.text, .bool)
    if rows.count == 0 { return false }
    let row = try rows.only()
    if try rows.bool(row, 1) { return true }
    let owner = try rows.text(row, 0)
    throw PostgresError.forbidden(
      reason: "the schema croft belongs to the role \(PostgresError.sentence(owner)); connect as "
        + "that role, or drop the schema if it is not one that you trust")
  }

  /// The version of the functions that a database has; 0 where it has none, or those before they had one.
  private static func installedFunctions(
    on connection: PostgresConnection, within deadline: Duration
  ) async throws -> Int {
    // Older schemas have no such column.
    let columns = try await connection.run(
      PostgresStatement(
        """
        SELECT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = 'croft.format'::regclass
          AND a.attname = 'functions' AND NOT a.attisdropped)
        """),
      within: deadline)
    try columns.check(.bool)
    guard try columns.bool(columns.only(), 0) else { return 0 }
    let rows = try await connection.run(
      PostgresStatement("SELECT coalesce(f.functions, 0) FROM croft.format f"), within: deadline)
    try rows.check(.int4)
    return Int(try rows.int4(rows.only(), 0))
  }

  /// Makes a space.
  ///
  /// - Returns: Its id, which is the one that is given.
  @discardableResult
  public static func createSpace(_ id: UUID = UUID(), on server: PostgresServer) async throws
    -> UUID
  {
    try await call(PostgresStatement("SELECT croft.create_space($1)", .uuid(id)), on: server)
    return id
  }

  /// Makes a space that the role of the address may write.
  ///
  /// - Returns: Its id.
  public static func createOwnSpace(on server: PostgresServer) async throws -> UUID {
    let id = UUID()
    try await withConnection(to: server) { connection in
      try await checkVersion(on: connection, within: server.deadline)
      try await connection.run(
        PostgresStatement(
          "SELECT croft.create_space($1), croft.add_member($1, session_user, true)", .uuid(id)),
        within: server.deadline)
    }
    return id
  }

  /// The spaces that the role of the address may read.
  ///
  /// - Throws: `PostgresError.notInstalled` where the database has no schema of Croft;
  ///   `PostgresError.olderServer` or `PostgresError.newerServer` for one of another program.
  public static func spaces(on server: PostgresServer) async throws -> [UUID] {
    try await withConnection(to: server) { connection in
      try await checkVersion(on: connection, within: server.deadline)
      // The owner sees the rows of others too.
      let rows = try await connection.run(
        PostgresStatement(
          "SELECT space FROM croft.members WHERE role = session_user ORDER BY space"),
        within: server.deadline)
      try rows.check(.uuid)
      return try (0..<rows.count).map { try rows.uuid($0, 0) }
    }
  }

  /// Lets a role, which is there already, read or write a space.
  public static func grant(
    _ right: Right, on space: UUID, to role: String, on server: PostgresServer
  ) async throws {
    try await call(
      PostgresStatement(
        "SELECT croft.add_member($1, $2::name, $3)", .uuid(space), .text(role),
        .bool(right == .write)), on: server)
  }

  /// Takes all rights on a space from a role.
  public static func revoke(
    _ role: String, from space: UUID, on server: PostgresServer
  ) async throws {
    try await call(
      PostgresStatement("SELECT croft.remove_member($1, $2::name)", .uuid(space), .text(role)),
      on: server)
  }

  /// Forgets what was deleted before a date, in all spaces, one after the other.
  ///
  /// A replica that has not seen those deletions compares all its objects with the server once.
  public static func collect(before date: Date, on server: PostgresServer) async throws {
    let milliseconds = Int64(date.timeIntervalSince1970 * 1_000)
    try await withConnection(to: server) { connection in
      _ = try await ownsSchema(on: connection, within: server.deadline)
      try await checkVersion(on: connection, within: server.deadline)
      let spaces = try await connection.run(
        PostgresStatement("SELECT id FROM croft.spaces ORDER BY id"), within: server.deadline)
      try spaces.check(.uuid)
      for row in 0..<spaces.count {
        try await connection.run(
          PostgresStatement(
            "SELECT croft.collect($1, $2)", .uuid(try spaces.uuid(row, 0)),
            .timestamp(milliseconds: milliseconds)), within: server.deadline)
      }
    }
  }

  /// Calls a function of the owner's work; never one of another role's schema.
  private static func call(
    _ statement: PostgresStatement, on server: PostgresServer
  ) async throws {
    try await withConnection(to: server) { connection in
      _ = try await ownsSchema(on: connection, within: server.deadline)
      try await checkVersion(on: connection, within: server.deadline)
      try await connection.run(statement, within: server.deadline)
    }
  }

  /// Refuses a schema that a newer program made.
  ///
  /// - Parameter refusesOlder: Whether it also refuses one of an older program, whose clients cannot read all rows.
  /// - Throws: `PostgresError.newerServer`; `PostgresError.olderServer`.
  static func checkVersion(
    on connection: PostgresConnection, within deadline: Duration, refusesOlder: Bool = true
  ) async throws {
    let rows = try await connection.run(
      PostgresStatement("SELECT version FROM croft.format"), within: deadline)
    try rows.check(.int4)
    try check(version: Int(try rows.int4(rows.only(), 0)), refusesOlder: refusesOlder)
  }

  /// Refuses a version of the schema that is not this program's.
  static func check(version found: Int, refusesOlder: Bool = true) throws(PostgresError) {
    if found > version { throw .newerServer(version: found) }
    if found < version, refusesOlder { throw .olderServer(version: found) }
  }

  private static func withConnection<R>(
    to server: PostgresServer, _ body: (PostgresConnection) async throws -> R
  ) async throws -> R {
    let connection = try await PostgresConnection.open(server)
    do {
      let result = try await body(connection)
      await connection.close()
      return result
    } catch {
      await connection.close()
      throw error
    }
  }
}
