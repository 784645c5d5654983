import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Presentation
import ServiceLifecycle
import Synchronization
import TodoImages
public import TodoKit
public import TodoPrompt
import UnixSignals

/// The server of the page: one list, on this machine alone unless it is told another address.
///
/// What it takes is bounded: a size for each kind of form, 16 KiB and 100 fields of headers, 1,200
/// connections, 30 seconds in which nothing comes, and 20 for a form.
public struct TodoServer: Sendable {
  private let handlers: PageHandlers
  private let host: String
  private let port: Int
  private let listPath: String
  private let folder: String
  private let refusal: String

  /// How many connections there are at most.
  private static let connectionsMax = 1_200
  /// How many descriptors the store, the pictures and the system have beside connections.
  private static let otherDescriptors = 100

  /// Makes a server.
  ///
  /// - Parameters:
  ///   - repository: The list.
  ///   - settings: The language, the day it is, and the priority of what is typed without one.
  ///   - host: The address to listen at, which browsers name too.
  ///   - port: The port to listen at; 0 for a free one.
  /// - Throws: An error of the template engine for a template that cannot be read; ``PromptError`` when
  ///   there is no folder for the list.
  public init(
    repository: any TodoRepository, settings: TodoSettings, host: String = "127.0.0.1",
    port: Int = 0
  ) throws {
    (self.host, self.port) = (host, port)
    let renderer = try PageRenderer()
    handlers = PageHandlers(
      site: Site(
        repository: repository, settings: settings, renderer: renderer,
        images: AnimalImages.ofProcess()))
    refusal = renderer.refusal(in: PageText(language: settings.language))
    listPath = try settings.listPath()
    folder = Self.folder(of: settings)
  }

  /// A new link to the server that shows the list of some settings; nil where none runs.
  ///
  /// - Throws: ``PromptError`` when there is no folder for the list; ``StartError`` where the link
  ///   cannot be made.
  public static func link(for settings: TodoSettings) throws -> String? {
    let (list, folder) = (try settings.listPath(), folder(of: settings))
    do {
      return try ServerFolder.link(to: list, in: folder)
    } catch {
      throw StartError(error, folder: folder)
    }
  }

  /// Serves until SIGINT or SIGTERM, or until the task is cancelled.
  ///
  /// Open pages try to connect again until there is a server at the same address.
  ///
  /// - Parameter onStart: Called with the address to open, once the server listens.
  /// - Throws: ``StartError`` for an address that cannot be listened at, and where no link can be made;
  ///   an error of the system.
  public func run(onStart: @escaping @Sendable (String) async -> Void) async throws {
    let access = Access()
    let server = try makeFolder()
    let router = Hummingbird.Router(context: TodoContext.self)
    router.add(
      middleware: AccessGuard(access: access, refusal: refusal, refuse: handlers.refusal))
    handlers.addRoutes(to: router)
    let logger = Self.logger
    let failure = Mutex<(any Error)?>(nil)
    let services = Mutex<ServiceGroup?>(nil)
    let application = Application(
      router: router,
      server: .http1(
        configuration: .init(
          idleTimeout: .seconds(30),
          httpDecoderConfiguration: .init(
            maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 16 << 10, maxHeaderFieldCount: 100))),
      configuration: .init(
        address: .hostname(host, port: port),
        availableConnectionsDelegate: MaximumAvailableConnections(Self.raiseDescriptors())),
      onServerRunning: { channel in
        do {
          let port = channel.localAddress?.port ?? self.port
          let name = Self.name(of: host, port: port)
          // Of no use for another list or another port, whose servers see the cookie too.
          let session = try Secret.kept(at: "\(folder)/session-\(port)-\(listPath.utf8.hash)")
          try server.announce(host: name, list: listPath)
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
    if let error = failure.withLock(\.self) { throw StartError(error, folder: folder) }
    if let end { throw isOpen ? end : StartError(end, host: host, port: port) }
  }

  private func makeFolder() throws -> ServerFolder {
    do { return try ServerFolder(in: folder) } catch { throw StartError(error, folder: folder) }
  }

  /// A host and a port as browsers write them.
  static func name(of host: String, port: Int) -> String {
    // The error is ignored: it says that the host is a name. Browsers shorten numbers, and names are in small letters.
    let address = try? SocketAddress(ipAddress: host, port: port).ipAddress
    let host = address ?? host.lowercased()
    return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
  }

  private static var logger: Logger {
    var logger = Logger(label: "todo-web")
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
      hosts: hosts,
      cookieName: "todo-\(port)", session: session, folder: server)
  }

  /// Where servers of this user leave what `--link` needs.
  private static func folder(of settings: TodoSettings) -> String {
    (settings.stateFolder ?? homeless) + "/web"
  }

  /// Without a home nobody can look for it, and a name that is known might be another user's folder.
  private static let homeless =
    FileManager.default.temporaryDirectory.path + "/todo-" + Secret.random()

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
