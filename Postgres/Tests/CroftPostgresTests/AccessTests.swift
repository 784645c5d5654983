import Foundation
import Testing

@testable import CroftPostgres

/// What a stranger, a reader and a writer may do, with each table and each function.
@Suite struct AccessTests {
  private static let tables = [
    "spaces", "members", "pushes", "objects", "replicas", "parts",
  ]

  /// A database with a row in each table: three members, an object, its push, a replica and a part.
  private func filledDatabase() async throws -> TestDatabase {
    let database = try await TestDatabase()
    let writer = try await TestReplica(database)
    try await writer.hello()
    try await writer.push([.init(key: "a")])
    try await writer.upload([.init(key: "b")], part: 0, of: UUID())
    return database
  }

  /// The rows that a role sees of each table, where an owner sees one, or three members.
  @Test(
    arguments: [
      ("stranger", [0, 0, 0, 0, 0, 0]), ("reader", [1, 1, 1, 1, 1, 0]),
      ("other", [1, 1, 1, 1, 1, 0]), ("writer", [1, 1, 1, 1, 1, 1]),
      ("owner", [1, 3, 1, 1, 1, 1]),
    ] as [(String, [Int64])])
  func aRoleSeesWhatItMayRead(role: String, counts: [Int64]) async throws {
    let database = try await filledDatabase()
    let replica = try await TestReplica(database, as: role)
    for (table, count) in zip(Self.tables, counts) {
      #expect(try await replica.number("SELECT count(*) FROM croft.\(table)") == count, "\(table)")
    }
    #expect(try await replica.number("SELECT count(*) FROM croft.format") == 1)
  }

  @Test(arguments: ["stranger", "reader", "writer"])
  func nobodyWritesATable(role: String) async throws {
    let database = try await filledDatabase()
    let replica = try await TestReplica(database, as: role)
    for table in Self.tables + ["format"] {
      for sql in [
        "INSERT INTO croft.\(table) DEFAULT VALUES", "DELETE FROM croft.\(table)",
        "TRUNCATE croft.\(table)", "DROP TABLE croft.\(table)",
        // The lock of a row would stop all pushes.
        "SELECT FROM croft.\(table) FOR SHARE",
      ] {
        #expect(try await replica.refusal(sql)?.isForbidden == true, "\(sql)")
      }
    }
    for (table, column) in [
      ("spaces", "version"), ("members", "writes"), ("pushes", "id"), ("objects", "fields"),
      ("replicas", "cursor"), ("parts", "n"), ("format", "version"),
    ] {
      let sql = "UPDATE croft.\(table) SET \(column) = \(column)"
      #expect(try await replica.refusal(sql)?.isForbidden == true, "\(sql)")
    }
    #expect(try await replica.refusal("CREATE TABLE croft.x ()")?.isForbidden == true)
  }

  @Test(arguments: ["stranger", "reader", "writer", "owner"])
  func theOwnersFunctionsAreForTheOwner(role: String) async throws {
    let database = try await filledDatabase()
    let replica = try await TestReplica(database, as: role)
    let values: [(sql: String, values: [PostgresValue])] = [
      ("SELECT croft.create_space($1)", [.uuid(UUID())]),
      (
        "SELECT croft.add_member($1, $2::text::name, true)",
        [.uuid(database.space), .text(database.role("stranger"))]
      ),
      (
        "SELECT croft.remove_member($1, $2::text::name)",
        [.uuid(database.space), .text(database.role("stranger"))]
      ),
      ("SELECT croft.collect($1, now())", [.uuid(database.space)]),
    ]
    for (sql, values) in values {
      var error: PostgresError?
      do { try await replica.run(PostgresStatement(sql, values)) } catch let refusal
        as PostgresError
      {
        error = refusal
      }
      #expect(error?.isForbidden == (role == "owner" ? nil : true), "\(sql)")
    }
  }

  /// Each function that a client calls, as each role: what it says, and whether it wrote.
  @Test(arguments: ["stranger", "reader", "writer", "owner"])
  func theClientsFunctionsAskWhoIsAMember(role: String) async throws {
    let database = try await filledDatabase()
    let replica = try await TestReplica(database, as: role)
    let isMember = ["reader", "writer"].contains(role)
    let writes = role == "writer"
    if isMember {
      let greeting = try await replica.hello(versions: [1])
      #expect(
        greeting
          == .init(
            status: "ok", number: writes ? 2 : 0, writes: writes, version: 1, floor: 0, pushes: 1))
    } else {
      await #expect(throws: PostgresError.self) { try await replica.hello() }
    }
    for call in ["SELECT croft.may_write($1)", "SELECT croft.require_writing($1)"] {
      let error = try await replica.refusal(call, .uuid(database.space))
      #expect((error == nil) == (writes || isMember && call.contains("may_write")))
    }
    let statements = [
      replica.statement([.init(key: "c")]),
      replica.statement([.init(key: "c")], call: "SELECT croft.merge"),
    ]
    for statement in statements {
      var error: PostgresError?
      do { try await replica.run(statement) } catch let refusal as PostgresError { error = refusal }
      #expect(error?.isForbidden == (writes ? nil : true))
    }
    var error: PostgresError?
    do { try await replica.upload([.init(key: "d")], part: 0, of: UUID()) } catch let refusal
      as PostgresError
    { error = refusal }
    #expect(error?.isForbidden == (writes ? nil : true))
    let owner = try await TestReplica(database, as: "owner")
    #expect(try await owner.number("SELECT count(*) FROM croft.objects") == (writes ? 2 : 1))
    #expect(try await owner.number("SELECT count(*) FROM croft.replicas") == (writes ? 2 : 1))
    #expect(try await owner.number("SELECT count(*) FROM croft.parts") == (writes ? 2 : 1))
  }

  @Test func aRightThatIsTakenEndsWhileConnected() async throws {
    let database = try await filledDatabase()
    let owner = try database.owner
    let (space, role) = (database.space, database.role("writer"))
    let writer = try await TestReplica(database)
    try await writer.hello()
    try await Postgres.grant(.read, on: space, to: role, on: owner)
    await #expect(throws: PostgresError.self) { try await writer.push([.init(key: "e")]) }
    #expect(try await writer.number("SELECT count(*) FROM croft.objects") == 1)
    try await Postgres.revoke(role, from: space, on: owner)
    #expect(try await writer.number("SELECT count(*) FROM croft.objects") == 0)
    #expect(try await writer.number("SELECT count(*) FROM croft.parts") == 0)
    await #expect(throws: PostgresError.self) { try await writer.hello() }
    try await Postgres.grant(.write, on: space, to: role, on: owner)
    #expect(try await writer.push([.init(key: "e")]).status == "ok")
  }

  /// Another space of the same database is none of a member's business.
  @Test func spacesAreApart() async throws {
    let database = try await filledDatabase()
    let other = try await Postgres.createSpace(on: database.owner)
    try await Postgres.grant(.write, on: other, to: database.role("stranger"), on: database.owner)
    let stranger = try await TestReplica(database, as: "stranger", space: other)
    #expect(try await stranger.hello().number == 1)
    #expect(try await stranger.push([.init(key: "a", value: "mine")]) == ("ok", 1))
    #expect(try await stranger.number("SELECT count(*) FROM croft.objects") == 1)
    let reader = try await TestReplica(database, as: "reader")
    #expect(try await reader.objects() == ["a=value 1"])
  }

  /// A part that another role uploaded under the same id is not pushed as one's own.
  @Test func partsOfOthersAreNotPushed() async throws {
    let database = try await filledDatabase()
    let (writer, other) = (
      try await TestReplica(database), try await TestReplica(database, as: "other")
    )
    let push = UUID()
    try await writer.hello()
    try await other.hello()
    try await other.upload([.init(key: "x")], part: 0, of: push)
    #expect(try await writer.push([], parts: 1, id: push).status == "conflict")
  }
}

extension PostgresError {
  var isForbidden: Bool {
    if case .forbidden = self { true } else { false }
  }
}
