import Presentation
public import TodoKit

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
/// How a picture is asked for at The Dog API and The Cat API, and what their answers mean.
///
/// Both speak the same language: a search answers with a list of pictures' addresses, from where
/// each is fetched in a second step. Nothing here touches a network.
public struct AnimalAPI: Hashable, Sendable {
  /// The server to ask, such as `https://api.thedogapi.com`.
  public let server: URL
  /// The key that the server gave out; without one it answers as well, less often.
  public let key: String?

  /// Makes the interface of a server; a blank key is none.
  public init(server: URL, key: String? = nil) {
    self.server = server
    self.key = key.flatMap { $0.trimmed.isEmpty ? nil : $0.trimmed }
  }

  /// The servers of dogs and of cats.
  public static func publicServers(key: String? = nil) -> [AnimalAPI] {
    ["https://api.thedogapi.com", "https://api.thecatapi.com"]
      .compactMap { URL(string: $0) }.map { AnimalAPI(server: $0, key: key) }
  }

  /// Where to search for one picture.
  public var searchURL: URL {
    server.appending(path: "v1/images/search").appending(queryItems: [
      URLQueryItem(name: "limit", value: "1"),
      URLQueryItem(name: "mime_types", value: "jpg,png,gif"),
    ])
  }

  /// What to send along: the key travels in a header, so that no log of addresses shows it.
  public var headers: [String: String] {
    var headers = ["Accept": "application/json"]
    headers["x-api-key"] = key
    return headers
  }

  /// The address of the picture that a search has found.
  ///
  /// Only an address of the web is one: with an encrypted server the picture is fetched
  /// encrypted too, and no answer can make this program read a file of its own machine.
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
  ///   - contentType: What the server says it is.
  ///   - bytes: What it is.
  /// - Throws: ``/TodoKit/TodoError/noImage(_:)`` with ``/TodoKit/ImageFailure/notAnImage(contentType:)`` unless both
  ///   say that it is a picture.
  public static func image(contentType: String?, bytes: Data) throws -> GroupImage {
    let said =
      contentType?.split(separator: ";").first.map { String($0).trimmed.lowercased() } ?? ""
    guard said.hasPrefix("image/"), let kind = ImageKind(of: bytes) else {
      throw TodoError.noImage(.notAnImage(contentType: said.isEmpty ? "of unknown kind" : said))
    }
    return GroupImage(bytes: bytes, mimeType: kind.rawValue)
  }
}
