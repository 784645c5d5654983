import Foundation
public import Hummingbird
public import NIOCore

/// What belongs to one request: Hummingbird's own, and the connection it came on.
public struct ConnectionContext: RequestContext, Sendable {
  /// What Hummingbird knows of the request.
  public var coreContext: CoreRequestContextStorage
  /// The connection, which a reader that takes nothing loses.
  public let channel: any Channel
  /// The maximum size of a form in bytes; a longer body is answered with 413.
  public var maxUploadSize: Int { 64 << 10 }

  /// Makes the context of a request.
  public init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
  }
}

extension ConnectionContext {
  /// How long a part of an answer, an event or a form may be under way, in seconds.
  static let timeoutSeconds = seconds(20, or: "PAGE_SERVER_TIMEOUT_SECONDS")

  /// How long a connection stays whose request is not read to its end, in seconds.
  static let lingerSeconds: Int64 = 2

  /// A time of a server in seconds, which a test of a debug build may shorten.
  ///
  /// - Parameters:
  ///   - standard: The time in seconds, the only one of a release build.
  ///   - variable: The variable of the environment by which a test sets another one.
  package static func seconds(_ standard: Int64, or variable: String) -> Int64 {
    #if DEBUG
      let text = ProcessInfo.processInfo.environment[variable]
      return text.flatMap { Int64($0) } ?? standard
    #else
      return standard
    #endif
  }

  /// Closes the connection once there was time to read the answer.
  ///
  /// A connection that is closed at once would be reset, because its request is still coming, and the
  /// answer would be lost.
  func closeSoon() {
    let channel = channel
    channel.eventLoop.scheduleTask(in: .seconds(Self.lingerSeconds)) {
      channel.close(promise: nil)
    }
  }

  /// Waits for what sends something or receives a form; a connection that takes longer is closed.
  public func withTimeout<Value>(_ work: () async throws -> Value) async throws -> Value {
    let channel = channel
    let limit = channel.eventLoop.scheduleTask(in: .seconds(Self.timeoutSeconds)) {
      channel.close(promise: nil)
    }
    defer { limit.cancel() }
    return try await work()
  }
}
