import Foundation

/// One event of a page, as it is sent: a server-sent event of the HTML standard.
///
/// The id of an event is the version of the state that it leads to. A browser that comes back names the
/// last one that it has.
enum PageEvent {
  /// How many rows one event may change; where there are more, all rows are sent.
  static let changesMax = 100

  /// A line that readers pass over, by which both sides notice a lost connection.
  static let beat = ": beat\n\n"

  /// The first event of a connection.
  ///
  /// - Parameter shown: The version that the browser shows; nil for none.
  static func first(_ page: RenderedPage, shown: String?) -> String {
    let event = page.version == shown ? text("same", [String: String](), page) : window(page)
    // Milliseconds after which a browser that has lost the connection tries again.
    return "retry: 500\n" + event
  }

  /// The event that leads from one state to the next; nil where both look the same.
  static func change(from old: RenderedPage, to new: RenderedPage) -> String? {
    if old == new { return nil }
    let batch = PageBatch(from: old, to: new)
    return batch.count > changesMax ? window(new) : text("batch", batch, new)
  }

  /// The message of a store that cannot be read; it counts until the next other event.
  static func failure(_ message: String) -> String {
    "event: failure\ndata: \(json(["message": message]))\n\n"
  }

  private static func window(_ page: RenderedPage) -> String {
    text("window", PageWindow(page), page)
  }

  private static func text(
    _ name: String, _ value: some Encodable, _ page: RenderedPage
  ) -> String {
    "id: \(page.version)\nevent: \(name)\ndata: \(json(value))\n\n"
  }

  private static func json(_ value: some Encodable) -> String {
    // Texts, numbers and lists of them can be encoded, whatever they hold.
    guard let json = try? JSONEncoder().encode(value) else { return "{}" }
    return String(decoding: json, as: UTF8.self)
  }
}
