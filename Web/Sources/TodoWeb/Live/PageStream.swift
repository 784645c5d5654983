import Hummingbird
import NIOCore
import PageServer
import ServiceLifecycle

/// The events of one open page: first its whole state, and then the changes of each commit.
struct PageStream: Sendable {
  /// How long a page may hear nothing, in seconds: a connection that is lost is noticed by then.
  static let beatSeconds = ConnectionContext.seconds(10, or: "PAGE_SERVER_BEAT_SECONDS")

  let pages: LivePages
  let address: ListAddress
  /// The version that the browser shows; nil for one that shows nothing yet.
  let version: String?

  /// The answer, which ends when the browser or the server closes the connection.
  func response(to request: Request, in context: ConnectionContext) -> Response {
    let body = ResponseBody { writer in
      // The browser tries again, and is told that there are too many.
      guard let connection = pages.join(address) else { return try await writer.finish(nil) }
      defer { pages.leave(connection, at: address) }
      try await request.body.consumeWithInboundCloseHandler { _ in
        try await write(connection, to: &writer, context)
      } onInboundClosed: {
        connection.page.finish(connection.id)
      }
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: [.contentType: Response.eventStreamType], body: body)
  }

  private func write(
    _ connection: LivePages.Connection, to writer: inout any ResponseBodyWriter,
    _ context: ConnectionContext
  ) async throws {
    let page = connection.page
    let beats = Task {
      while true {
        try await Task.sleep(for: .seconds(Self.beatSeconds))
        page.wake(connection.id)
      }
    }
    // A server that is told to end waits for its answers; this one would have no end.
    let ending = Task {
      try await gracefulShutdown()
      page.finish(connection.id)
    }
    defer {
      beats.cancel()
      ending.cancel()
    }
    var last: RenderedPage?
    var lastFailure: String?
    for await _ in connection.wakings {
      let now = page.snapshot
      var event: ByteBuffer?
      if let failure = now.failure {
        if failure != lastFailure { event = ByteBuffer(string: PageEvent.failure(failure)) }
      } else if let events = now.events {
        if let last, lastFailure == nil {
          event = events.event(after: last)
        } else {
          event = events.first(shown: last?.version ?? version)
        }
        last = events.page
      }
      lastFailure = now.failure
      let bytes = event ?? ByteBuffer(string: PageEvent.beat)
      try await context.withTimeout { try await writer.write(bytes) }
    }
  }
}
