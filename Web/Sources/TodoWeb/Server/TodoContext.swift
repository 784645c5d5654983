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
