import Hummingbird
import NIOCore

/// What belongs to one request: Hummingbird's own, and the connection it came on.
struct TodoContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The connection, which a reader that takes nothing loses.
  let channel: any Channel
  /// The maximum size of a form in bytes; a longer body is answered with 413.
  var maxUploadSize: Int { 64 << 10 }

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
  }
}

extension TodoContext {
  /// How long a reader may take nothing, in seconds, before its connection is closed.
  static let patienceSeconds: Int64 = 20

  /// Waits for what sends something to the reader; one that takes nothing is disconnected.
  func patiently(_ send: () async throws -> Void) async throws {
    let channel = channel
    let limit = channel.eventLoop.scheduleTask(in: .seconds(Self.patienceSeconds)) {
      channel.close(promise: nil)
    }
    defer { limit.cancel() }
    try await send()
  }
}
