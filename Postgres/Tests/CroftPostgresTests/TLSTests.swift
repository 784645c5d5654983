import Foundation
import Testing

@testable import CroftPostgres

/// Connections that are protected, to a server with a certificate of the test's own.
@Suite struct TLSTests {
  /// A server that has a certificate for `localhost`, a database, and the certificate's file.
  private func cluster() async throws -> (database: TestDatabase, certificate: String) {
    let cluster = try TestCluster()
    let (key, certificate) = (
      cluster.folder.appending(path: "server.key").path,
      cluster.folder.appending(path: "server.crt").path
    )
    try TestCluster.run(
      "/usr/bin/openssl",
      [
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", key, "-out",
        certificate, "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
      ])
    let database = try await TestDatabase(on: cluster)
    let control = try await cluster.control()
    try await control.run(script: "ALTER SYSTEM SET ssl = on", within: .seconds(60))
    try await control.run(script: "SELECT pg_reload_conf()", within: .seconds(60))
    try await wait(
      for: 1, "SELECT count(*) FROM pg_settings WHERE name = 'ssl' AND setting = 'on'", on: control)
    await control.close()
    return (database, certificate)
  }

  private func server(
    _ database: TestDatabase, host: String, root: String
  ) throws -> PostgresServer {
    try PostgresServer(
      "postgres://\(database.role("writer"))@\(host):\(database.cluster.port)/\(database.name)"
        + "?sslmode=verify-full&sslrootcert=\(root)", password: { "secret" })
  }

  @Test func aServerIsUsedOnlyUnderTheNameOfItsCertificate() async throws {
    let (database, certificate) = try await cluster()
    let connection = try await PostgresConnection.open(
      server(database, host: "localhost", root: certificate))
    let rows = try await connection.run(
      PostgresStatement("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"),
      within: .seconds(60))
    #expect(try rows.bool(rows.only(), 0))
    await connection.close()
    // The same server under another name, and with another certificate that is trusted.
    let other = try await cluster()
    for (host, root) in [("127.0.0.1", certificate), ("localhost", other.certificate)] {
      do {
        _ = try await PostgresConnection.open(server(database, host: host, root: root))
        Issue.record("\(host) is not to be trusted")
      } catch PostgresError.unreachable(let reason) {
        #expect(reason.contains("certificate"), "\(reason)")
      }
    }
  }
}
