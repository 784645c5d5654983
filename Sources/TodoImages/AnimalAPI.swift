public import CroftFoundation
import Presentation
public import TodoKit

/// The requests and responses of The Dog API and The Cat API, which return random pictures.
///
/// Both servers have the same interface: the response of a search has the URL of a picture, which
/// a second request fetches. This type makes and reads them, and uses no network itself.
public struct AnimalAPI: Hashable, Sendable {
  /// The server to ask, such as `https://api.thedogapi.com`.
  public let server: URL
  /// The API key; the server accepts requests without a key too, but fewer of them.
  public let key: String?

  /// Makes the interface of a server; a blank key is the same as nil.
  public init(server: URL, key: String? = nil) {
    self.server = server
    self.key = key.flatMap { $0.trimmed.isEmpty ? nil : $0.trimmed }
  }

  /// The public servers of both APIs.
  public static func publicServers(key: String? = nil) -> [AnimalAPI] {
    ["https://api.thedogapi.com", "https://api.thecatapi.com"]
      .compactMap { URL(string: $0) }.map { AnimalAPI(server: $0, key: key) }
  }

  /// The URL of a search for one picture.
  public var searchURL: URL {
    server.appending(path: "v1/images/search").appending(queryItems: [
      URLQueryItem(name: "limit", value: "1"),
      URLQueryItem(name: "mime_types", value: "jpg,png,gif"),
    ])
  }

  /// The headers of a search; the key is in one of them, so that no log of URLs contains it.
  public var headers: [String: String] {
    var headers = ["Accept": "application/json"]
    headers["x-api-key"] = key
    return headers
  }

  /// The URL of the picture that a search has found.
  ///
  /// It must be an HTTPS URL, or an HTTP one if the server's own URL is. So no response can turn
  /// the encryption off, or make this program read a file of its own machine.
  ///
  /// - Throws: ``/TodoKit/TodoError/noImage(_:)`` with ``/TodoKit/ImageFailure/malformed``.
  public func imageURL(from answer: Data) throws -> URL {
    struct Found: Decodable {
      var url: String
    }
    let found: [Found]
    do {
      found = try JSONDecoder().decode([Found].self, from: answer)
    } catch {
      throw TodoError.noImage(.malformed)
    }
    guard let url = found.first.flatMap({ URL(string: $0.url) }), url.host()?.isEmpty == false,
      url.scheme == "https" || url.scheme == server.scheme && url.scheme == "http"
    else { throw TodoError.noImage(.malformed) }
    return url
  }

  /// The picture that a server sent.
  ///
  /// - Parameters:
  ///   - contentType: The `Content-Type` header of the response.
  ///   - bytes: The body of the response.
  /// - Throws: ``/TodoKit/TodoError/noImage(_:)`` with
  ///   ``/TodoKit/ImageFailure/notAnImage(contentType:)`` unless the header and the first bytes are
  ///   those of a picture.
  public static func image(contentType: String?, bytes: Data) throws -> GroupImage {
    let said =
      contentType?.split(separator: ";").first.map { String($0).trimmed.lowercased() } ?? ""
    guard said.hasPrefix("image/"), let kind = ImageKind(of: bytes) else {
      throw TodoError.noImage(.notAnImage(contentType: said.isEmpty ? "of unknown kind" : said))
    }
    return GroupImage(bytes: bytes, mimeType: kind.rawValue)
  }
}
