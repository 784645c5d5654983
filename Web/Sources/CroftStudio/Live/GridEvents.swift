import Foundation
import Hummingbird
import NIOCore
import PageServer
import ServiceLifecycle

/// The events of one open page: its rows, or a word, whenever a commit has changed what it shows.
struct GridEvents: Sendable {
  /// The rows of a grid as HTML, with a number of their own.
  struct Rows: Sendable {
    let html: String
    /// Two grids with the same number look the same, for as long as the server runs.
    let version: String

    init(_ html: String) {
      self.html = html
      var hasher = Hasher()
      hasher.combine(html)
      version = String(UInt(bitPattern: hasher.finalize()), radix: 16)
    }
  }

  /// Receives the rows that were found until then.
  typealias Tell = @Sendable (Rows) -> Void

  /// How long a page may hear nothing, in seconds.
  static let silenceSeconds = 10
  /// The shortest time between two readings of one grid.
  static let pause = Duration.milliseconds(100)
  /// The version of a page that cannot be read: without a name the browser would send the one before.
  private static let none = "none"
  /// A comment, which readers pass over, and by which both sides notice a lost connection.
  static let comment = ": open\n\n"

  let signal: CommitSignal
  /// The version that the browser shows; nil for none.
  let version: String?
  /// The name of the event, which has rows where it is `rows`, and nothing elsewhere.
  let name: String
  /// Whether the page has a part of its rows, because a search was not done when it was answered.
  let searches: Bool
  /// Reads the rows, or the page that says why they cannot be read; a search tells what it has found until then.
  let read: @Sendable (_ tell: Tell?) async -> Result<Rows, StudioHandlers.Refusal>
  /// Finds out whether the file was replaced.
  let look: @Sendable () async -> Void

  /// The answer, which ends when the browser or the server closes the connection.
  func response(in context: ConnectionContext) -> Response {
    let body = ResponseBody { writer in
      guard let (id, wakings) = signal.join() else { return try await writer.finish(nil) }
      defer { signal.leave(id) }
      let signal = signal
      context.channel.closeFuture.whenComplete { _ in signal.finish(id) }
      try await write(id, wakings, to: &writer, context)
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: [.contentType: Response.eventStreamType], body: body)
  }

  private func write(
    _ id: Int, _ wakings: AsyncStream<Void>, to writer: inout any ResponseBodyWriter,
    _ context: ConnectionContext
  ) async throws {
    let comments = Task {
      while true {
        try await Task.sleep(for: .seconds(Self.silenceSeconds))
        signal.wake(id)
      }
    }
    // A server that is told to end waits for its answers; this one would have no end.
    let ending = Task {
      try await gracefulShutdown()
      signal.finish(id)
    }
    defer {
      comments.cancel()
      ending.cancel()
    }
    var last = version
    var searches = searches
    for await _ in wakings {
      let start = ContinuousClock.now
      var event = Self.comment
      guard signal.takeReasons(id).isCommitted else {
        await look()
        try await send(event, to: &writer, context)
        continue
      }
      let found =
        searches ? try await search(after: &last, to: &writer, context) : await read(nil)
      // Rows that are there are not replaced by a part of them.
      searches = false
      switch found {
      case .success(let rows) where rows.version != last:
        let text = name == "rows" ? rows.html : ""
        event = try Self.event(name, text, id: rows.version)
        last = rows.version
      case .success: break
      case .failure:
        if last != Self.none { event = try Self.event("failure", "", id: Self.none) }
        last = Self.none
      }
      try await send(event, to: &writer, context)
      // A grid that takes long to read is read half of the time at most.
      try await Task.sleep(for: max(Self.pause, start.duration(to: .now)))
    }
  }

  /// Reads the rows, and sends those that are found until then.
  private func search(
    after last: inout String?, to writer: inout any ResponseBodyWriter,
    _ context: ConnectionContext
  ) async throws -> Result<Rows, StudioHandlers.Refusal> {
    // Of rows the last ones count; nothing is a comment, by which a lost connection is noticed.
    let (parts, continuation) = AsyncStream.makeStream(
      of: Rows?.self, bufferingPolicy: .bufferingNewest(2))
    let reading = Task {
      defer { continuation.finish() }
      return await read { continuation.yield($0) }
    }
    let comments = Task {
      while true {
        try await Task.sleep(for: .seconds(Self.silenceSeconds))
        continuation.yield(nil)
      }
    }
    defer {
      comments.cancel()
      reading.cancel()
    }
    context.channel.closeFuture.whenComplete { _ in reading.cancel() }
    for await part in parts {
      guard let rows = part else {
        try await send(Self.comment, to: &writer, context)
        continue
      }
      try await send(try Self.event(name, rows.html, id: rows.version), to: &writer, context)
      last = rows.version
    }
    if Task.isCancelled { reading.cancel() }
    return await reading.value
  }

  private func send(
    _ event: String, to writer: inout any ResponseBodyWriter, _ context: ConnectionContext
  ) async throws {
    let bytes = ByteBuffer(string: event)
    try await context.withTimeout { try await writer.write(bytes) }
  }

  private static func event(_ name: String, _ text: String, id: String) throws -> String {
    let json = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    return "id: \(id)\nretry: 3000\nevent: \(name)\ndata: \(json)\n\n"
  }
}
