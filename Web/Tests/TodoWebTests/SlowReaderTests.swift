import Foundation
import PageServerTesting
import Testing
import TodoKit

@testable import TodoWeb

/// Readers that take what the server sends slowly, or not at all.
///
/// The server waits for them for a few seconds, where that of users waits for twenty: time passes by the beats that it
/// sends to another reader.
@Suite(.serialized)
struct SlowReaderTests {
  /// How long the server waits for a reader that takes nothing, in seconds.
  private static let timeoutSeconds = 3
  /// How many beats, one each second, are longer than that, however the first of them falls.
  private static let beatsOfTimeout = timeoutSeconds + 2

  private let server: TestServer
  private let cookie: String

  init() throws {
    let times = "PAGE_SERVER_TIMEOUT_SECONDS=\(Self.timeoutSeconds) PAGE_SERVER_BEAT_SECONDS=1"
    server = try TestServer(limits: "export \(times)")
    cookie = try server.cookie()
    let items = (0..<200).map { TodoItem(title: "bread \($0)") }
    try CroftTodoRepository(path: server.list).perform(.add(groups: [], items: items))
  }

  /// A picture of 5 MB is more than the buffers between the two, so that most of it waits in the server.
  @Test func aReaderThatTakesNothingIsDisconnected() throws {
    var group = TodoGroup(name: "animals")
    let bytes = Data([0xFF, 0xD8, 0xFF]) + Data(repeating: 7, count: 5 << 20)
    group.image = GroupImage(bytes: bytes, mimeType: "image/jpeg")
    try CroftTodoRepository(path: server.list).perform(.add(groups: [group], items: []))
    let path = "/groups/\(group.id.uuidString)/picture"
    let reader = try TestConnection(to: server.port, buffer: 4_096)
    reader.send(server.request("GET", path, ["Cookie": cookie]))
    #expect(reader.read(count: 12) == "HTTP/1.1 200")
    waitLongerThanTheServer(with: try server.events(cookie: cookie))
    _ = reader.readToEnd()
    #expect(reader.bytesRead < bytes.count)
    #expect(try server.ask("GET", path, ["Cookie": cookie]).status == 200)
  }

  /// It was disconnected after some time in all, however it read.
  @Test func aReaderThatIsSlowGetsAll() throws {
    var group = TodoGroup(name: "animals")
    let bytes = Data([0xFF, 0xD8, 0xFF]) + Data(repeating: 7, count: 4_900_000)
    group.image = GroupImage(bytes: bytes, mimeType: "image/jpeg")
    try CroftTodoRepository(path: server.list).perform(.add(groups: [group], items: []))
    let reader = try TestConnection(to: server.port, buffer: 4_096)
    let path = "/groups/\(group.id.uuidString)/picture"
    reader.send(server.request("GET", path, ["Cookie": cookie]))
    let head = try #require(reader.read(upTo: "\r\n\r\n"))
    #expect(head.hasPrefix("HTTP/1.1 200"))
    let other = try server.events(cookie: cookie)
    // Longer than the server waits for one that takes nothing, and the most of a megabyte between two beats.
    for _ in 0..<Self.beatsOfTimeout {
      #expect(reader.read(count: bytes.count / (Self.beatsOfTimeout + 1)) != nil)
      #expect(other.read(upTo: PageEvent.beat) != nil)
    }
    _ = reader.readToEnd()
    #expect(reader.bytesRead == head.utf8.count + bytes.count)
  }

  /// Commits of 200 long rows are more than the buffers between the two.
  @Test func aReaderOfEventsThatTakesNothingIsDisconnected() throws {
    let repository = try CroftTodoRepository(path: server.list)
    let ids = try repository.items(.all).map(\.id)
    let reader = try server.events(cookie: cookie, buffer: 4_096)
    #expect(reader.read(count: 12) == "HTTP/1.1 200")
    let other = try server.events(cookie: cookie)
    #expect(other.event() != nil)
    for number in 0..<10 {
      let title = "\(number) " + String(repeating: "x", count: 1_000)
      try repository.perform(.editItems(ids: ids, patch: ItemPatch(title: title)))
      #expect(other.event() != nil)
    }
    try repository.perform(.editItems(ids: [ids[0]], patch: ItemPatch(title: "the last one")))
    #expect(other.read(upTo: "the last one") != nil)
    #expect(other.bytesRead > 8 << 20)
    waitLongerThanTheServer(with: other)
    #expect(reader.read(upTo: "the last one") == nil)
    #expect(reader.isEnded)
  }

  /// Waits until another reader of events has had beats for longer than the server waits for one that takes nothing.
  private func waitLongerThanTheServer(with other: TestConnection) {
    for _ in 0..<Self.beatsOfTimeout {
      #expect(other.read(upTo: PageEvent.beat) != nil)
    }
  }
}
