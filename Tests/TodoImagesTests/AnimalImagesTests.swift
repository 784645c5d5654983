import Foundation
import Testing
import TodoKit

@testable import TodoImages

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The client of the dog and cat servers, against a server that answers as they do.
@Suite("AnimalImages")
struct AnimalImagesTests {
  private static let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [1, 2, 3, 4])
  private static let id = UUID()

  /// A server that finds one picture, and sends what it is told to for it.
  private func server(
    search: LocalServer.Reply? = nil, picture: LocalServer.Reply
  ) throws -> LocalServer {
    try LocalServer { request, port in
      guard request.path.hasPrefix("/v1/images/search") else { return picture }
      let found = #"[{"id":"x","url":"http://127.0.0.1:\#(port)/x.png","width":4,"height":1}]"#
      return search
        ?? .init(headers: ["Content-Type": "application/json"], body: Data(found.utf8))
    }
  }

  private func image(
    from server: LocalServer, key: String? = nil, timeout: Duration = .seconds(60)
  ) async throws -> GroupImage {
    let url = try #require(server.url)
    let images = AnimalImages(
      servers: [AnimalAPI(server: url, key: key)], timeout: timeout, sizeLimitBytes: 100_000)
    return try await images.image(for: Self.id)
  }

  private func failure(
    of server: LocalServer, timeout: Duration = .seconds(60)
  ) async throws -> ImageFailure? {
    do {
      let image = try await image(from: server, timeout: timeout)
      Issue.record("unexpected picture: \(image)")
      return nil
    } catch TodoError.noImage(let failure) {
      return failure
    }
  }

  private func picture(_ body: Data, _ type: String = "image/png") -> LocalServer.Reply {
    .init(headers: ["Content-Type": type], body: body, length: body.count)
  }

  @Test func aPictureIsSearchedForThenFetched() async throws {
    let server = try server(picture: picture(Self.png))
    let image = try await image(from: server)
    #expect(image == GroupImage(bytes: Self.png, mimeType: "image/png"))
    #expect(server.requests.count == 2)
    #expect(server.requests.first?.path == "/v1/images/search?limit=1&mime_types=jpg,png,gif")
    #expect(server.requests.last?.path == "/x.png")
    #expect(server.requests.allSatisfy { $0.headers["x-api-key"] == nil })
  }

  // A download that was cancelled before it began ended before anybody waited for it. Its end was
  // forgotten then, and the caller waited for ever.
  @Test func aTaskThatWasCancelledBeforeIsToldSo() async throws {
    let server = try server(picture: picture(Self.png))
    let url = try #require(server.url)
    let images = AnimalImages(
      servers: [AnimalAPI(server: url, key: nil)], timeout: .seconds(60), sizeLimitBytes: 100_000)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await images.image(for: Self.id)
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
  }

  @Test func theKeyIsSentWithTheSearchAlone() async throws {
    let server = try server(picture: picture(Self.png))
    _ = try await image(from: server, key: " secret ")
    #expect(server.requests.map { $0.headers["x-api-key"] } == ["secret", nil])
    #expect(server.requests.allSatisfy { !$0.path.contains("secret") })
  }

  @Test(arguments: [400, 401, 404, 429, 500, 503])
  func aStatusThatIsNoSuccessIsNamed(status: Int) async throws {
    let refusing = try server(search: .init(status: status), picture: picture(Self.png))
    #expect(try await failure(of: refusing) == .status(status))
    #expect(refusing.requests.count == 1)
    let without = try server(picture: .init(status: status, body: Data("gone".utf8)))
    #expect(try await failure(of: without) == .status(status))
  }

  @Test(arguments: [
    "", "junk", "[]", "{}", #"[{"id":"x"}]"#, #"[{"url":7}]"#, #"[{"url":""}]"#,
    #"[{"url":"file:///etc/passwd"}]"#, #"[{"url":"/x.png"}]"#, "<html></html>",
  ])
  func aSearchAnswerThatCannotBeReadIsNoPicture(answer: String) async throws {
    let server = try server(search: .init(body: Data(answer.utf8)), picture: picture(Self.png))
    #expect(try await failure(of: server) == .malformed)
    #expect(server.requests.count == 1)
  }

  @Test func whatIsNoPictureIsRefused() async throws {
    let page = try server(picture: picture(Data("<html>".utf8), "text/html; charset=utf-8"))
    #expect(try await failure(of: page) == .notAnImage(contentType: "text/html"))
    let lying = try server(picture: picture(Data("<html>".utf8)))
    #expect(try await failure(of: lying) == .notAnImage(contentType: "image/png"))
    let hidden = try server(picture: picture(Self.png, "application/octet-stream"))
    #expect(try await failure(of: hidden) == .notAnImage(contentType: "application/octet-stream"))
    let drawing = try server(picture: picture(Data("<svg/>".utf8), "image/svg+xml"))
    #expect(try await failure(of: drawing) == .notAnImage(contentType: "image/svg+xml"))
  }

  @Test func aPictureThatIsTooLargeIsNotReceived() async throws {
    let large = Self.png + Data(count: 100_000)
    let announced = try server(picture: picture(large))
    #expect(try await failure(of: announced) == .tooLarge(limitBytes: 100_000))
    // Without a length, and without an end.
    let endless = try server(
      picture: .init(headers: ["Content-Type": "image/png"], body: large, stalls: true))
    #expect(try await failure(of: endless) == .tooLarge(limitBytes: 100_000))
    let fitting = Self.png + Data(count: 100_000 - Self.png.count)
    #expect(try await image(from: server(picture: picture(fitting))).bytes == fitting)
  }

  /// The reader alone compared the size with the limit: all bytes that it had not read yet were kept.
  @Test func aDownloadIsCancelledByTheBytesThatExceedTheLimitAlsoWhileNobodyReads() throws {
    let url = try #require(URL(string: "http://127.0.0.1"))
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    let task = session.dataTask(with: url)
    let download = Download(limitBytes: 100_000)
    for _ in 1...2 {
      download.urlSession(session, dataTask: task, didReceive: Data(count: 50_000))
    }
    #expect(task.state == .suspended)
    download.urlSession(session, dataTask: task, didReceive: Data(count: 1))
    #expect(task.state != .suspended)
  }

  @Test func aServerThatStallsIsGivenUp() async throws {
    var half = picture(Self.png)
    half.length = 1000
    half.stalls = true
    let body = try server(picture: half)
    #expect(try await failure(of: body, timeout: .milliseconds(300)) == .timedOut)
    let search = try server(search: .init(length: 10, stalls: true), picture: half)
    #expect(try await failure(of: search, timeout: .milliseconds(300)) == .timedOut)
  }

  @Test func aServerThatBreaksOffOrIsNotThereIsUnreachable() async throws {
    var half = picture(Self.png)
    half.length = 1000
    let breaking = try server(picture: half)
    guard case .unreachable = try await failure(of: breaking) else {
      Issue.record("half a picture was taken for a whole one")
      return
    }
    // A port that was somebody's a moment ago.
    let gone = AnimalAPI(server: try #require(try server(picture: half).url))
    await #expect(throws: TodoError.self) {
      try await AnimalImages(servers: [gone]).image(for: Self.id)
    }
  }

  @Test func aCancelledTaskGivesUpAndSaysSo() async throws {
    var endless = picture(Self.png)
    endless.length = 1000
    endless.stalls = true
    let server = try server(picture: endless)
    let task = Task { try await image(from: server) }
    while server.requests.count < 2 { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  // FoundationNetworking stopped the process when a task was cancelled while its cache was read.
  @Test(arguments: 0..<4)
  func aDownloadCanBeCancelledAtAnyPoint(part: Int) async throws {
    let server = try server(picture: picture(Self.png))
    for round in 0..<400 {
      let task = Task { try await image(from: server) }
      for _ in 0..<((round * 37 + part) % 400) { await Task.yield() }
      task.cancel()
      do {
        #expect(try await task.value.bytes == Self.png)
      } catch {
        #expect(error is CancellationError, "\(error)")
      }
    }
  }

  @Test func aFailureLeavesTheGroupsPictureAsItWas() async throws {
    let repository = try CroftTodoRepository.inMemory()
    let old = PlaceholderImages().image(for: Self.id)
    let group = try await repository.perform(.addGroup(name: "Home")).groups[0]
    try await repository.perform(.editGroup(group.id, GroupPatch(image: old)))
    let server = try server(picture: .init(status: 500))
    do {
      let image = try await image(from: server)
      try await repository.perform(.editGroup(group.id, GroupPatch(image: image)))
      Issue.record("a picture came from a server that fails")
    } catch let error as TodoError {
      #expect(error.description == "There is no picture: the server answered with status 500")
    }
    let kept = try repository.group(group.id)
    #expect(kept?.image == old)
  }
}
