import Foundation
public import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization
import UnixSignals

/// A server of pages about one file, on this machine alone unless it is told another address.
///
/// Each request is checked by its `Host`, the cookie that a one-time link gave to the browser, and the
/// `Origin` of a write. What the server takes is bounded: 64 KiB of a form unless a handler reads it with
/// another limit, 16 KiB and 100 fields of headers, 1,200 connections, 30 seconds in which nothing comes,
/// and 20 in which a reader takes nothing of an answer.
public struct WebServer: Sendable {
  private let site: ServedSite
  private let host: String
  private let port: Int

  /// How many connections there are at most.
  private static let connectionsMax = 1_200
  /// How many descriptors the store, what it shows and the system have beside connections.
  private static let otherDescriptors = 100

  /// Makes a server.
  ///
  /// - Parameters:
  ///   - site: What it shows.
  ///   - host: The address to listen at, which browsers name too.
  ///   - port: The port to listen at, up to 65535; 0 for a free one.
  public init(_ site: ServedSite, host: String = "127.0.0.1", port: Int = 0) {
    (self.site, self.host, self.port) = (site, host, port)
  }

  /// A new link to the server that shows a file; nil where none runs.
  ///
  /// - Parameters:
  ///   - path: The file, relative to the working folder or absolute.
  ///   - folder: The folder of the servers, as of ``folder(named:in:)``.
  /// - Throws: ``StartError`` where the link cannot be made.
  public static func link(toFile path: String, in folder: String) throws -> String? {
    do {
      return try ServerFolder.link(to: path, in: folder)
    } catch {
      throw StartError(error, folder: folder)
    }
  }

  /// Where the servers of a program leave what a new link needs.
  ///
  /// - Parameters:
  ///   - name: The name of the folder.
  ///   - stateFolder: The folder for the state of the program, of this user alone; nil without a home. Then
  ///     the folder has a random name, and other processes do not find it.
  public static func folder(named name: String, in stateFolder: String?) -> String {
    "\(stateFolder ?? homeless)/\(name)"
  }

  /// Without a home nobody can look for it, and a name that is known might be another user's folder.
  private static let homeless =
    FileManager.default.temporaryDirectory.path + "/pages-" + Secret.random()

  /// Serves until SIGINT or SIGTERM, or until the task is cancelled.
  ///
  /// - Parameters:
  ///   - addRoutes: Adds the handlers; called once, before the server listens.
  ///   - refuse: The answer to a request that no handler answers: its path is unknown, or its body too
  ///     large.
  ///   - onStart: Called with the address to open, once the server listens.
  /// - Throws: ``StartError`` for an address that cannot be listened at, and where no link can be made;
  ///   an error of the system.
  public func run(
    addRoutes: (Hummingbird.Router<ConnectionContext>) -> Void,
    refuse: @escaping @Sendable (Request, ConnectionContext, HTTPResponse.Status) -> Response,
    onStart: @escaping @Sendable (String) async -> Void
  ) async throws {
    let access = Access()
    let server = try makeFolder()
    let router = Hummingbird.Router(context: ConnectionContext.self)
    router.add(middleware: AccessGuard(access: access, site: site, refuse: refuse))
    addRoutes(router)
    let logger = Self.logger
    let failure = Mutex<(any Error)?>(nil)
    let services = Mutex<ServiceGroup?>(nil)
    let application = Application(
      router: router,
      server: .http1(
        configuration: .init(
          additionalChannelHandlers: [InputCloseHandler()], idleTimeout: .seconds(30),
          httpDecoderConfiguration: .init(
            maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 16 << 10, maxHeaderFieldCount: 100))),
      configuration: .init(
        address: .hostname(host, port: port),
        availableConnectionsDelegate: MaximumAvailableConnections(Self.raiseDescriptors())),
      onServerRunning: { channel in
        do {
          let port = channel.localAddress?.port ?? self.port
          let name = Self.name(of: host, port: port)
          // Of no use for another file or another port, whose servers see the cookie too.
          let session = try Secret.kept(
            at: "\(site.folder)/session-\(port)-\(ServerFolder.absolute(site.filePath).utf8.hash)")
          try server.announce(host: name, file: site.filePath)
          access.open = open(at: name, session, server)
          await onStart(ServerFolder.address(host: name, token: try server.makeLink()))
        } catch {
          // Nobody can open a server without a link.
          failure.withLock { $0 = error }
          await services.withLock(\.self)?.triggerGracefulShutdown()
        }
      },
      logger: logger)
    let group = ServiceGroup(
      configuration: .init(
        services: [application], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    services.withLock { $0 = group }
    // The application is retained by the group, and its closure by the application.
    defer { services.withLock { $0 = nil } }
    var end: (any Error)?
    do { try await group.run() } catch { end = error }
    let isOpen = access.open != nil
    access.open = nil
    // Without a link the server was ended for that reason, whatever its end met then.
    if let error = failure.withLock(\.self) { throw StartError(error, folder: site.folder) }
    if let end { throw isOpen ? end : StartError(end, host: host, port: port) }
  }

  private func makeFolder() throws -> ServerFolder {
    do {
      return try ServerFolder(in: site.folder)
    } catch {
      throw StartError(error, folder: site.folder)
    }
  }

  /// A host and a port as browsers write them.
  static func name(of host: String, port: Int) -> String {
    // The error is ignored: it says that the host is a name. Browsers shorten numbers, and names are in small letters.
    let address = try? SocketAddress(ipAddress: host, port: port).ipAddress
    let host = address ?? host.lowercased()
    return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  private static var logger: Logger {
    var logger = Logger(label: "page-server")
    logger.logLevel = .critical
    return logger
  }

  private func open(at name: String, _ session: String, _ server: ServerFolder) -> Access.Open {
    let port = name.split(separator: ":").last.map(String.init) ?? ""
    var hosts: Set = [name]
    if host == "127.0.0.1" { hosts.insert("localhost:\(port)") }
    // Browsers leave out the port that is usual.
    if port == "80" { hosts.formUnion(hosts.map { String($0.dropLast(3)) }) }
    return Access.Open(
      hosts: hosts, cookieName: "\(site.name)-\(port)", session: session, folder: server)
  }

  /// Lets the process have as many descriptors as it may.
  ///
  /// - Returns: How many of them connections may have; a server without a free one could not answer.
  private static func raiseDescriptors() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
      return connectionsMax
    }
    limit.rlim_cur = min(limit.rlim_max, 65_536)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    return max(1, min(connectionsMax, Int(limit.rlim_cur) - otherDescriptors))
  }
}
