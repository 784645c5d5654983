import NIOCore
import Synchronization

/// The events that lead to one state of a page, each made once for all connections that send it.
///
/// Connections that read slowly keep what they have not sent; they keep the same bytes.
///
/// Threads: any.
final class SharedEvents: Sendable {
  /// The state to which the events lead.
  let page: RenderedPage
  /// The events by the version from which they lead; those that begin a connection by their names.
  private let made = Mutex<[String: ByteBuffer?]>([:])

  init(to page: RenderedPage) { self.page = page }

  /// The event that leads a connection from its last state to this one; nil where both look the same.
  func event(after last: RenderedPage) -> ByteBuffer? {
    event(from: last.version) { PageEvent.change(from: last, to: page) }
  }

  /// The first event of a connection.
  ///
  /// - Parameter version: The version that the browser shows; nil for none.
  func first(shown version: String?) -> ByteBuffer? {
    event(from: version == page.version ? "same" : "window") {
      PageEvent.first(page, shown: version)
    }
  }

  private func event(from version: String, _ make: () -> String?) -> ByteBuffer? {
    made.withLock { made in
      if let event = made[version] { return event }
      let event = make().map { ByteBuffer(string: $0) }
      made.updateValue(event, forKey: version)
      return event
    }
  }
}
