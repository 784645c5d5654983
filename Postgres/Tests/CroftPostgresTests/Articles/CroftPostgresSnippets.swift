import CroftPostgres
import Testing

/// The code of the module's page.
@Suite struct CroftPostgresSnippets {
  /// It is run up to the connection: its hosts are those of nobody.
  @Test func theOwnersWorkIsAsThePageSays() async throws {
    @Sendable func readPassword() throws -> String { throw CancellationError() }
    func prepare() async throws {
      let server = try PostgresServer("postgres://owner@db1,db2/app") { try readPassword() }
      try await Postgres.install(on: server)
      let space = try await Postgres.createSpace(on: server)
      try await Postgres.grant(.write, on: space, to: "anna", on: server)
    }
    await #expect(throws: CancellationError.self) { try await prepare() }
  }
}
