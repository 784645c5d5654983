@testable import CroftPostgres
import Foundation

/// The superuser's connection to the server of a test's database, which ends those of others.
///
/// Threads: any; statements follow one another.
struct PostgresServerControl: Sendable {
  private let connection: PostgresConnection
  private let name: String

  init(_ database: TestDatabase) async throws {
    (connection, name) = (try await database.cluster.control(), database.name)
  }

  /// Refuses connections to the database from now on, and ends those that there are, or takes them again.
  func allowConnections(_ isAllowed: Bool) async throws {
    try await connection.run(
      script: "ALTER DATABASE \(name) ALLOW_CONNECTIONS \(isAllowed)", within: .seconds(60))
    if !isAllowed { try await endConnections() }
  }

  /// Ends all connections of the database.
  func endConnections() async throws {
    // One that has ended meanwhile is a warning, which would count as a commit that no standby confirmed.
    try await connection.run(script: "SET client_min_messages TO error", within: .seconds(60))
    try await connection.run(
      PostgresStatement(
        """
        SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = $1::text::name
        """, .text(name)), within: .seconds(60))
  }
}
