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
  /// How long an answer, an event or a form may be under way, in seconds.
  static let patienceSeconds: Int64 = 20

  /// How long a connection stays whose request is not read to its end, in seconds.
  static let farewellSeconds: Int64 = 2

  /// Closes the connection once there was time to read the answer.
  ///
  /// A connection that is closed at once would be reset, because its request is still coming, and the
  /// answer would be lost.
  func closeSoon() {
    let channel = channel
    channel.eventLoop.scheduleTask(in: .seconds(Self.farewellSeconds)) {
      channel.close(promise: nil)
    }
  }

  /// Waits for what sends something or receives a form; a connection that takes longer is closed.
  func patiently<Value>(_ work: () async throws -> Value) async throws -> Value {
    let channel = channel
    let limit = channel.eventLoop.scheduleTask(in: .seconds(Self.patienceSeconds)) {
      channel.close(promise: nil)
    }
    defer { limit.cancel() }
    return try await work()
  }
}
