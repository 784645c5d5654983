import HTTPTypes
import Hummingbird
import NIOCore

/// Sends a body in small parts, each with a time limit of its own.
///
/// A large body may take as long as its reader needs, while a reader that takes nothing is disconnected.
struct PacedWriter: ResponseBodyWriter {
  /// The size of a part in bytes.
  static let partBytes = 16 << 10
  /// How many bytes of a body the system keeps for a reader; more would hide for long that it takes nothing.
  static let socketBufferBytes = 128 << 10

  private var writer: any ResponseBodyWriter
  private let context: ConnectionContext

  init(_ writer: any ResponseBodyWriter, in context: ConnectionContext) {
    (self.writer, self.context) = (writer, context)
  }

  mutating func write(_ buffer: ByteBuffer) async throws {
    var rest = buffer
    while rest.readableBytes > 0 {
      guard let part = rest.readSlice(length: min(rest.readableBytes, Self.partBytes)) else {
        return
      }
      let eventLoop = context.channel.eventLoop
      try await context.withTimeout {
        try await writer.write(part)
        // Until the thread of the connection has it, a writer does not learn that there is no room for the next one.
        try await eventLoop.submit {}.get()
      }
    }
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
    let (writer, context) = (writer, context)
    try await context.withTimeout { try await writer.finish(trailingHeaders) }
  }
}
