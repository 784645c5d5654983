@testable import CroftPostgres
import Foundation

/// A PostgreSQL server of the tests' own, with its files in the folder that `Scripts/test-sync` makes.
///
/// The script also ends it. A connection through the socket in the folder needs no password, and one over TCP does.
final class TestCluster: Sendable {
  /// The one that all tests use that need no other.
  static let shared = Result { try TestCluster() }

  let folder: URL
  let port: Int

  /// Starts a server.
  init() throws {
    (folder, port) = (try Self.newFolder(), try Self.freePort())
    try Self.run(
      "initdb",
      [
        "-D", folder.path, "-U", "postgres", "-E", "UTF8", "--no-locale", "--no-sync",
        "--auth-local=trust", "--auth-host=scram-sha-256",
      ])
    try start()
  }

  /// Copies a server that runs.
  ///
  /// - Parameter isStandby: Whether the copy follows the other one, and starts now; else it is a backup, which
  ///   ``start(_:)`` makes a server.
  init(copyOf other: TestCluster, isStandby: Bool) throws {
    (folder, port) = (try Self.newFolder(), try Self.freePort())
    try Self.run(
      "pg_basebackup",
      [
        "-D", folder.path, "-h", other.folder.path, "-p", "\(other.port)", "-U", "postgres",
        "--checkpoint=fast", "--no-sync",
      ] + (isStandby ? ["-R"] : []))
    if isStandby { try start() }
  }

  private static func newFolder() throws -> URL {
    guard let root = ProcessInfo.processInfo.environment["CROFT_POSTGRES_FOLDER"] else {
      throw CocoaError(
        .fileNoSuchFile, userInfo: [NSLocalizedDescriptionKey: "Scripts/test-sync runs these"])
    }
    return URL(filePath: root).appending(path: UUID().uuidString.prefix(8).description)
  }

  /// Runs one of the server's programs, or another one as its user, to its end.
  static func run(_ program: String, _ arguments: [String]) throws {
    let process = try Self.start(program, arguments)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
  }

  /// Ends the server and its processes at once, as a machine ends that loses its power.
  func kill() throws {
    let file = folder.appending(path: "postmaster.pid")
    let text = try String(contentsOf: file, encoding: .utf8)
    guard let server = text.split(whereSeparator: \.isNewline).first.flatMap({ Int32($0) }) else {
      throw CocoaError(.fileReadCorruptFile)
    }
    // Its children would write further for a moment.
    let children = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { name in
      // "PID (NAME) STATE PARENT"; a process may have ended meanwhile.
      let status = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8)
      let parent = status?.split(separator: ") ").last?.split(separator: " ").dropFirst().first
      return parent == "\(server)" ? Int32(name) : nil
    }
    for process in [server] + children { _ = Glibc.kill(process, SIGKILL) }
    while Glibc.kill(server, 0) == 0 { sched_yield() }
    // The script would wait for a server that is gone.
    try FileManager.default.removeItem(at: file)
  }

  /// Starts the server, and returns when it takes connections.
  ///
  /// - Parameter settings: Settings beyond the usual ones, such as `ssl=on`.
  func start(_ settings: [String] = []) throws {
    // As a child of its own: what pg_ctl starts would keep this process's pipe to pg_ctl open.
    _ = try Self.start(
      "postgres",
      [
        "-D", folder.path, "-c", "fsync=off", "-c", "listen_addresses=127.0.0.1", "-c",
        "port=\(port)", "-c", "max_connections=200", "-c", "unix_socket_directories=\(folder.path)",
        "-c", "autovacuum=off", "-c", "logging_collector=off",
      ] + settings.flatMap { ["-c", $0] })
    while true {
      let process = try Self.start("pg_isready", ["-q", "-h", folder.path, "-p", "\(port)"])
      process.waitUntilExit()
      if process.terminationStatus == 0 { return }
    }
  }

  /// A connection of the superuser to a database.
  func control(_ database: String = "postgres") async throws -> PostgresConnection {
    try await PostgresConnection.open(
      PostgresServer("\(address(database, as: "postgres"))&target_session_attrs=any"))
  }

  /// The address of a database, through the socket.
  func address(_ database: String, as role: String) -> String {
    "postgres:///\(database)?host=\(folder.path)&port=\(port)&user=\(role)"
  }

  /// Starts one of the server's programs, as the user that the script names.
  private static func start(_ program: String, _ arguments: [String]) throws -> Process {
    let environment = ProcessInfo.processInfo.environment
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments =
      ["-c", "exec \(environment["CROFT_POSTGRES_AS"] ?? "") \"$0\" \"$@\""]
      + [
        program.contains("/")
          ? program : "\(environment["CROFT_POSTGRES_PROGRAMS"] ?? "")/\(program)"
      ] + arguments
    process.currentDirectoryURL = URL(filePath: environment["CROFT_POSTGRES_FOLDER"] ?? "/")
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// A port that nothing listens at.
  private static func freePort() throws -> Int {
    let listener = try TestListener()
    return listener.port
  }
}

/// A database of one test, with the schema and the roles that it asks for.
final class TestDatabase: Sendable {
  let cluster: TestCluster
  let name = "d" + UUID().uuidString.lowercased().replacing("-", with: "")
  let space = UUID()

  /// Makes a database, its schema and a space, which a writer and a reader may use.
  init(installed: Bool = true, on other: TestCluster? = nil) async throws {
    cluster = try other ?? TestCluster.shared.get()
    let admin = try await PostgresConnection.open(
      PostgresServer(cluster.address("postgres", as: "postgres")))
    // The owner is a plain role: nothing needs a superuser.
    for role in ["owner", "stranger", "reader", "writer", "other"] {
      try await admin.run(
        script: "CREATE ROLE \(self.role(role)) LOGIN PASSWORD 'secret'", within: .seconds(60))
    }
    try await admin.run(
      script: "CREATE DATABASE \(name) OWNER \(role("owner"))", within: .seconds(60))
    await admin.close()
    if !installed { return }
    try await Postgres.install(on: owner)
    try await Postgres.createSpace(space, on: owner)
    try await Postgres.grant(.read, on: space, to: role("reader"), on: owner)
    try await Postgres.grant(.write, on: space, to: role("writer"), on: owner)
    try await Postgres.grant(.write, on: space, to: role("other"), on: owner)
  }

  /// Roles are those of the whole server, so that each database has its own.
  func role(_ name: String) -> String { "\(name)_\(self.name)" }

  var owner: PostgresServer {
    get throws { try server(as: "owner") }
  }

  func server(
    as role: String, deadline: Duration = .seconds(60)
  ) throws -> PostgresServer {
    try PostgresServer(cluster.address(name, as: self.role(role)), deadline: deadline)
  }
}
