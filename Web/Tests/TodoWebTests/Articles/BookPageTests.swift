import Croft
import Foundation
import Hummingbird
import PageServerTesting
import ServiceLifecycle
import Testing

/// The example of the article: it is a server that runs.
struct BookPageTests {
  @Test func aPageOnAnotherModelIsLive() async throws {
    let store = try Store.inMemory(models: Book.self)
    try await store.write { tx in try tx.insert(Book(title: "Emma")) }
    let (ports, started) = AsyncStream.makeStream(of: Int.self)
    let application = Application(
      router: BookPage(store: store).router,
      configuration: .init(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { started.yield($0.localAddress?.port ?? 0) })
    let services = ServiceGroup(
      configuration: .init(services: [.init(service: application)], logger: application.logger))
    async let run: Void = services.run()
    var port = 0
    for await first in ports {
      port = first
      break
    }
    try await check(port, store)
    await services.triggerGracefulShutdown()
    try await run
  }

  private func check(_ port: Int, _ store: Store) async throws {
    let page = try await Self.waiting { try Self.get("/", port).readToEnd() }
    #expect(page.contains("new EventSource"))
    let events = try await Self.waiting { try Self.get("/events", port) }
    let first = try #require(await Self.waiting { events.event() })
    #expect(first.data.contains("Emma") && first.data.contains(#""isWhole":true"#))
    try await store.write { tx in try tx.insert(Book(title: "Dune")) }
    let second = try #require(await Self.waiting { events.event() })
    #expect(second.data.contains("Dune") && !second.data.contains("Emma"))
    try await store.write { tx in
      for book in try tx.fetch(Book.where { $0.title == "Emma" }) { try tx.delete(book) }
    }
    let third = try #require(await Self.waiting { events.event() })
    #expect(third.data.contains(#""placed":[]"#) && !third.data.contains(#""deleted":[]"#))
    #expect(third.data.contains(#""isWhole":false"#))
  }

  private static func get(_ path: String, _ port: Int) throws -> TestConnection {
    let connection = try TestConnection(to: port)
    connection.send(
      "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(path == "/" ? "Connection: close\r\n" : "")\r\n"
    )
    return connection
  }

  /// Waits on a thread of its own: the server needs those of the tasks.
  private static func waiting<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
  }
}
