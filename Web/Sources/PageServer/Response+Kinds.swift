public import Hummingbird
import NIOCore

/// The kinds of answers of the server.
extension Response {
  /// The type of an answer that sends events for as long as its page is open.
  public static var eventStreamType: String { "text/event-stream" }

  /// A page.
  public static func page(_ html: String, status: HTTPResponse.Status = .ok) -> Response {
    Response(html, "text/html; charset=utf-8", status)
  }

  /// A line of plain text.
  public static func text(_ text: String, status: HTTPResponse.Status) -> Response {
    Response(text + "\n", "text/plain; charset=utf-8", status)
  }

  /// An embedded file.
  public static func asset(_ bytes: [UInt8], type: String) -> Response {
    Response(
      status: .ok, headers: [.contentType: type], body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  private init(_ text: String, _ type: String, _ status: HTTPResponse.Status) {
    self.init(
      status: status, headers: [.contentType: type],
      body: .init(byteBuffer: ByteBuffer(string: text)))
  }
}
