public import Foundation
public import TodoKit

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Fetches pictures of dogs and cats, one at each call, from The Dog API and The Cat API.
///
/// ```swift
/// let images = AnimalImages(servers: AnimalAPI.publicServers(key: environment["IMAGE_KEY"]))
/// let image = try await images.image(for: group.id)
/// try await repository.perform(.editGroup(group.id, GroupPatch(image: image)))
/// ```
/// It asks one of the servers, chosen at random, and gives up when that fails; it caches
/// nothing and keeps no cookies.
///
/// Threads: any.
public struct AnimalImages: ImageSource {
  private let servers: [AnimalAPI]
  private let timeout: Duration
  private let sizeLimitBytes: Int

  /// Makes a source of pictures.
  ///
  /// - Parameters:
  ///   - servers: The servers to choose from.
  ///   - timeout: How long a picture may take from the call to its last byte.
  ///   - sizeLimitBytes: How large a picture may be; a larger download is cancelled.
  /// - Precondition: There is a server.
  public init(
    servers: [AnimalAPI] = AnimalAPI.publicServers(), timeout: Duration = .seconds(20),
    sizeLimitBytes: Int = 5 << 20
  ) {
    precondition(!servers.isEmpty, "Pictures come from a server: name one at least.")
    self.servers = servers
    self.timeout = timeout
    self.sizeLimitBytes = sizeLimitBytes
  }

  /// A picture that the server chooses; the group does not matter.
  ///
  /// - Throws: ``/TodoKit/TodoError/noImage(_:)`` with the reason; `CancellationError`.
  public func image(for groupID: UUID) async throws -> GroupImage {
    try await withThrowingTaskGroup(of: GroupImage.self) { group in
      group.addTask { try await download() }
      group.addTask {
        try await Task.sleep(for: timeout)
        throw TodoError.noImage(.timedOut)
      }
      // The first of both decides, and the other one is cancelled.
      defer { group.cancelAll() }
      guard let image = try await group.next() else { throw CancellationError() }
      return image
    }
  }

  private func download() async throws -> GroupImage {
    let api = servers[Int.random(in: servers.indices)]
    var search = URLRequest(url: api.searchURL)
    for (name, value) in api.headers { search.setValue(value, forHTTPHeaderField: name) }
    let answer = try await Download.run(search, limitBytes: sizeLimitBytes)
    // The key is for the search alone: the picture's address may be anybody's.
    let picture = URLRequest(url: try api.imageURL(from: answer.bytes))
    let found = try await Download.run(picture, limitBytes: sizeLimitBytes)
    return try AnimalAPI.image(contentType: found.contentType, bytes: found.bytes)
  }
}
