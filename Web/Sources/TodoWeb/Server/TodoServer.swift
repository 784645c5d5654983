public import TodoKit
public import TodoPrompt

import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// The server of the page: one list, on this machine alone.
///
/// It listens on 127.0.0.1. What it takes is bounded: 64 KiB of a form, 16 KiB and 100 fields of
/// headers, 1,200 connections, 30 seconds for a request that does not come.
public struct TodoServer: Sendable {
  private let handlers: PageHandlers
  private let port: Int

  /// Makes a server.
  ///
  /// - Parameters:
  ///   - repository: The list.
  ///   - settings: The language, the day it is, and the priority of what is typed without one.
  ///   - port: The port to listen at; 0 for a free one.
  /// - Throws: An error of the template engine for a template that cannot be read.
  public init(
    repository: any TodoRepository, settings: TodoSettings, port: Int = 0
  ) throws {
    self.port = port
    handlers = PageHandlers(
      repository: repository, settings: settings, renderer: try PageRenderer())
  }

  /// Serves until SIGINT or SIGTERM; open pages are told to connect again later.
  ///
  /// - Parameter onStart: Called with the address to open, once the server listens.
  /// - Throws: An error of the system for a port that cannot be listened at.
  public func run(onStart: @escaping @Sendable (String) async -> Void) async throws {
    let tokens = AccessTokens()
    let bound = BoundPort()
    let router = Hummingbird.Router(context: TodoContext.self)
    router.add(middleware: AccessGuard(tokens: tokens, port: bound))
    handlers.addRoutes(to: router)
    var logger = Logger(label: "todo-web")
    logger.logLevel = .error
    let application = Application(
      router: router,
      server: .http1(
        configuration: .init(
          idleTimeout: .seconds(30),
          httpDecoderConfiguration: .init(
            maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 16 << 10, maxHeaderFieldCount: 100))),
      configuration: .init(
        address: .hostname("127.0.0.1", port: port),
        availableConnectionsDelegate: MaximumAvailableConnections(1200)),
      onServerRunning: { channel in
        let number = channel.localAddress?.port ?? 0
        bound.value = number
        await onStart("http://127.0.0.1:\(number)/?token=\(tokens.link)")
      },
      logger: logger)
    try await application.runService()
  }
}

/// The port that the system chose, known when the server listens.
final class BoundPort: Sendable {
  private let number = Mutex(0)

  var value: Int {
    get { number.withLock { $0 } }
    set { number.withLock { $0 = newValue } }
  }
}
