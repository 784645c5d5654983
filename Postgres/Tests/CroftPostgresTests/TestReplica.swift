import Foundation
import Testing

@testable import CroftPostgres

/// A replica of a test's space that calls the functions of the database as a role.
///
/// Threads: one at a time.
final class TestReplica: @unchecked Sendable {
  /// An object of a push: a key, the version over which it is written, and its value; nil deletes it.
  struct Object {
    var key: String
    var base: Int64 = 0
    var value: String? = "value"
  }

  let connection: PostgresConnection
  let space: UUID
  /// Its id in this session.
  private(set) var id: UUID
  /// The last push.
  private(set) var last: UUID?
  private let deadline: Duration

  init(
    _ database: TestDatabase, as role: String = "writer", space: UUID? = nil, id: UUID = UUID(),
    address: PostgresServer? = nil
  ) async throws {
    let server = try address ?? database.server(as: role)
    connection = try await PostgresConnection.open(server)
    (self.space, self.id, deadline) = (space ?? database.space, id, server.deadline)
  }

  /// What `croft.hello` says.
  struct Greeting: Equatable {
    var status: String
    var number: Int32?
    var writes: Bool?
    var version: Int64?
    var floor: Int64?
    var pushes: Int?
  }

  /// Says hello as the id of the last session, and has another one from then on.
  @discardableResult
  func hello(next: UUID = UUID(), versions: [Int64] = []) async throws -> Greeting {
    let rows = try await run(
      PostgresStatement(
        "CALL croft.hello($1, $2, $3, $4)", .uuid(space), .uuid(id), .uuid(next), .int8s(versions)))
    try rows.check(.text, .int4, .bool, .int8, .int8, .int8s, .uuids, .timestamp)
    id = next
    let row = try rows.only()
    return Greeting(
      status: try rows.text(row, 0), number: rows.isNull(row, 1) ? nil : try rows.int4(row, 1),
      writes: try rows.bool(row, 2),
      version: rows.isNull(row, 3) ? nil : try rows.int8(row, 3),
      floor: rows.isNull(row, 4) ? nil : try rows.int8(row, 4),
      pushes: rows.isNull(row, 6) ? nil : try rows.uuids(row, 6).count)
  }

  /// Pushes objects.
  ///
  /// - Parameters:
  ///   - cursor: The version of which the replica has all; a strict push has to be made there.
  ///   - references: Keys that have to be there.
  ///   - parts: How many parts of the push `id` were uploaded before.
  /// - Returns: The server's status, and its version.
  @discardableResult
  func push(
    _ objects: [Object], cursor: Int64? = nil, references: [String] = [], parts: Int32 = 0,
    id push: UUID = UUID()
  ) async throws -> (status: String, version: Int64?) {
    let rows = try await run(
      statement(objects, cursor: cursor, references: references, parts: parts, id: push))
    try rows.check(.text, .int8, .timestamp)
    let row = try rows.only()
    let status = try rows.text(row, 0)
    if status == "ok" { last = push }
    return (status, rows.isNull(row, 1) ? nil : try rows.int8(row, 1))
  }

  /// The statement of a push; that of a function in place of the procedure holds its locks for longer.
  func statement(
    _ objects: [Object], cursor: Int64? = nil, references: [String] = [], parts: Int32 = 0,
    id push: UUID = UUID(), call: String = "CALL croft.push"
  ) -> PostgresStatement {
    let values: [PostgresValue] = [
      .uuid(space), .uuid(id), .uuid(push), .int8(cursor ?? 0), .bool(cursor != nil),
      .int4(parts),
    ]
    let all = values + Self.arrays(objects, references)
    let places = all.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
    return PostgresStatement("\(call)(\(places))", all)
  }

  /// Uploads a part of a push.
  func upload(
    _ objects: [Object], references: [String] = [], part: Int32, of push: UUID
  ) async throws {
    try await run(
      PostgresStatement(
        "SELECT croft.upload($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        [.uuid(space), .uuid(push), .int4(part)] + Self.arrays(objects, references)))
  }

  private static func arrays(_ objects: [Object], _ references: [String]) -> [PostgresValue] {
    [
      .int4s(objects.map { _ in 1 }), .byteas(objects.map { Array($0.key.utf8) }),
      .int8s(objects.map(\.base)), .bools(objects.map { $0.value == nil }),
      .byteas(objects.map { _ in [1] }), .byteas(objects.map { $0.value.map { Array($0.utf8) } }),
      .int4s(references.map { _ in 1 }), .byteas(references.map { Array($0.utf8) }),
    ]
  }

  /// The objects that are not deleted, as `key=value version`.
  func objects() async throws -> [String] {
    let rows = try await run(
      PostgresStatement(
        """
        SELECT convert_from(key, 'UTF8') || '=' || convert_from(fields, 'UTF8') || ' ' || version
        FROM croft.objects WHERE space = $1 AND NOT deleted ORDER BY key
        """, .uuid(space)))
    return try (0..<rows.count).map { try rows.text($0, 0) }
  }

  @discardableResult
  func run(_ statement: PostgresStatement) async throws -> PostgresRows {
    try await connection.run(statement, within: deadline)
  }

  @discardableResult
  func run(_ sql: String, _ values: PostgresValue...) async throws -> PostgresRows {
    try await run(PostgresStatement(sql, values))
  }

  /// The error of a statement that is refused.
  func refusal(_ sql: String, _ values: PostgresValue...) async throws -> PostgresError? {
    do { try await run(PostgresStatement(sql, values)) } catch let error as PostgresError {
      return error
    }
    return nil
  }

  /// A number that a query gives.
  func number(_ sql: String, _ values: PostgresValue...) async throws -> Int64 {
    let rows = try await run(PostgresStatement(sql, values))
    return try rows.int8(rows.only(), 0)
  }
}
