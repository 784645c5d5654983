import Croft
import Foundation
import PageServerTesting
import Testing
import TodoKit

@testable import TodoWeb

/// A server under load: it is never more than 20 MB larger than before, and the list is whole.
@Suite(.serialized)
struct EnduranceTests {
  /// How much more memory the server may have afterwards, in bytes.
  private static let growthMax = 20 << 20

  private let server: TestServer
  private let cookie: String

  init() throws {
    // The connections of the test are its own descriptors.
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = min(limit.rlim_max, 8_192)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    server = try TestServer()
    cookie = try server.cookie()
    let items = (0..<200).map { TodoItem(title: "bread \($0)") }
    try CroftTodoRepository(path: server.list).perform(.add(groups: [], items: items))
  }

  private func add(_ line: String) throws {
    let form = "line=" + line.replacing(" ", with: "+")
    #expect(try server.post("/lists/all/items", form, cookie: cookie).status == 303)
  }

  /// Does something to the server, and looks at its memory and its list before and afterwards.
  ///
  /// - Parameter body: Is given what looks at the memory while the load is there.
  private func endure(_ body: (_ check: () throws -> Void) throws -> Void) throws {
    // The first requests of a process make what all later ones use.
    for _ in 0..<20 { _ = try server.ask("GET", "/lists/all", ["Cookie": cookie]) }
    let before = try server.memory
    func check() throws {
      let growth = try server.memory - before
      #expect(growth < Self.growthMax, "\(growth >> 10) KB")
    }
    try body(check)
    try check()
    #expect(try server.ask("GET", "/lists/all", ["Cookie": cookie]).status == 200)
    try add("the last one")
    #expect(server.stop() == 0)
    #expect(try Store.open(at: URL(filePath: server.list), models: []).verify().isSound)
    let titles = try CroftTodoRepository(path: server.list).items(.all).map(\.title)
    #expect(titles.contains("bread 199") && titles.contains("the last one"))
  }

  @Test func readersThatTakeNothingStopNobody() throws {
    try endure { check in
      let readers = try (0..<200).map { _ in try server.events(cookie: cookie, buffer: 4_096) }
      for number in 0..<50 { try add("milk \(number) " + String(repeating: "x", count: 1_000)) }
      #expect(
        try server.ask("GET", "/lists/all", ["Cookie": cookie]).text.contains("bread 199"))
      try check()
      withExtendedLifetime(readers) {}
    }
  }

  /// They would be descriptors that others lack.
  @Test func connectionsOnWhichNothingComesAreClosed() throws {
    let head = server.request(
      "POST", "/lists/all/items",
      ["Cookie": cookie, "Origin": server.origin, "Content-Length": "1000"])
    let connections = try ["", "GET /lists/all HT", head, head + "line=bre"].map { text in
      let connection = try TestConnection(to: server.port)
      connection.send(text)
      return connection
    }
    for connection in connections {
      _ = connection.readToEnd()
      #expect(connection.isEnded)
    }
    #expect(try !server.ask("GET", "/lists/all", ["Cookie": cookie]).text.contains("bre<"))
  }

  /// A request for a path that is not there was read for as long as it came: 2.5 GB in 8 seconds.
  @Test(arguments: ["/nothing", "/actions"])
  func aBodyWithoutAnEndIsNotRead(path: String) throws {
    try endure { check in
      let connection = try TestConnection(to: server.port)
      connection.send(
        server.request(
          "POST", path,
          ["Cookie": cookie, "Origin": server.origin, "Transfer-Encoding": "chunked"]))
      let chunk = Array("100000\r\n".utf8) + [UInt8](repeating: 7, count: 1 << 20) + [13, 10]
      let sent = (0..<300).prefix { _ in connection.send(chunk) }.count
      #expect(sent < 300)
      try check()
    }
  }

  /// Each part of a list that is shown is observed and rendered, so that there must not be too many.
  @Test func readersOfManyPartsAreRefused() throws {
    try endure { check in
      var statuses: [String: Int] = [:]
      let readers = try (0..<40).map { number in
        let reader = try server.events("?from=\(number)", cookie: cookie, buffer: 4_096)
        // The pages are counted in the order in which they come.
        let head = try #require(reader.read(upTo: "\r\n\r\n"))
        statuses[String(head.dropFirst(9).prefix(3)), default: 0] += 1
        if head.hasPrefix("HTTP/1.1 200") { _ = reader.read(upTo: "retry") }
        return reader
      }
      #expect(statuses == ["200": LivePages.countMax, "503": 40 - LivePages.countMax])
      try add("milk")
      #expect(try server.ask("GET", "/lists/all", ["Cookie": cookie]).text.contains("milk"))
      try check()
      withExtendedLifetime(readers) {}
    }
  }

  @Test func halfRequestsAndAThousandConnectionsLeaveRoom() throws {
    try endure { check in
      let held = try (0..<1_000).map { number in
        let connection = try TestConnection(to: server.port)
        switch number % 4 {
        case 0: break
        case 1: connection.send("GET /lists/all HTTP/1.1\r\nHost: 127")
        case 2: connection.send(server.request("POST", "/actions", ["Content-Length": "50"]))
        default: connection.send("\0\u{1}\r\n\r\n")
        }
        return connection
      }
      #expect(try server.ask("GET", "/lists/all", ["Cookie": cookie]).status == 200)
      try check()
      withExtendedLifetime(held) {}
    }
  }

  @Test func bodiesOfAHundredMegabytesAreNotKept() throws {
    try endure { check in
      let part = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
      let open = ["Connection": "keep-alive"]
      let own = open.merging(["Origin": server.origin, "Cookie": cookie]) { $1 }
      for headers in [own, open] {
        for length in [["Content-Length": "\(100 << 20)"], ["Transfer-Encoding": "chunked"]] {
          let connection = try TestConnection(to: server.port)
          connection.send(
            server.request("POST", "/lists/all/items", headers.merging(length) { $1 }))
          let isChunked = length["Content-Length"] == nil
          for _ in 0..<100 {
            // The server may end the connection before it has read all.
            if isChunked, !connection.send("100000\r\n") { break }
            if !connection.send(part) { break }
            if isChunked, !connection.send("\r\n") { break }
          }
          try check()
          let head = try #require(connection.read(upTo: "\r\n\r\n"))
          #expect(head.hasPrefix("HTTP/1.1 413") || head.hasPrefix("HTTP/1.1 401"))
        }
      }
    }
  }

  /// A request that is refused and sends no more would hold its connection until it is idle for too long.
  @Test func whatIsRefusedLosesItsConnection() throws {
    let large = ["Content-Length": "\(100 << 20)"], chunked = ["Transfer-Encoding": "chunked"]
    let own = ["Origin": server.origin, "Cookie": cookie]
    let start = ContinuousClock.now
    let refused: [(Int, [String: String])] = [
      (413, own.merging(large) { $1 }), (413, own.merging(chunked) { $1 }), (401, large),
      (403, ["Cookie": cookie].merging(chunked) { $1 }), (403, large.merging(["Host": "x"]) { $1 }),
    ]
    let connections = try refused.map { status, headers in
      let connection = try TestConnection(to: server.port)
      let all = headers.merging(["Connection": "keep-alive"]) { $1 }
      connection.send(server.request("POST", "/lists/all/items", all))
      // 128 KiB of an endless body: twice as much as a form may have.
      if headers["Content-Length"] == nil { connection.send("20000\r\n") }
      connection.send(String(repeating: "x", count: 0x20000))
      return (status, connection)
    }
    for (status, connection) in connections {
      let answer = try #require(connection.answer())
      #expect(answer.status == status && answer.headers["connection"] == "close")
    }
    // The server gives up idle requests after 30 seconds.
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test func aBodyThatIsTooLongIsToldOnThePage() throws {
    let body = "line=" + String(repeating: "x", count: 70_000)
    let headers = ["Origin": server.origin, "Cookie": cookie]
    #expect(
      try server.ask("POST", "/lists/all/items", headers, body: body).text
        .contains("That is too long to be sent."))
    let script = headers.merging(["Accept": "application/json"]) { $1 }
    #expect(
      try server.ask("POST", "/lists/all/items", script, body: body).text
        == #"{"error":"That is too long to be sent."}"#)
  }

  @Test func headersWithoutEndAreRefused() throws {
    try endure { _ in
      for _ in 0..<20 {
        let connection = try TestConnection(to: server.port)
        connection.send("GET /lists/all HTTP/1.1\r\nHost: \(server.host)\r\nCookie: \(cookie)\r\n")
        let fields = (0..<1_000).map { "A\($0): \(String(repeating: "b", count: 1_000))\r\n" }
        connection.send(fields.joined())
        connection.send("Connection: close\r\n\r\n")
        #expect(connection.answer()?.status != 200)
      }
    }
  }

  /// A body that nobody reads must not be taken for the next request.
  @Test func aRefusedBodyIsNoRequest() throws {
    let connection = try TestConnection(to: server.port)
    let hidden = server.request("GET", "/lists/all", ["Cookie": cookie])
    let body = String(repeating: hidden, count: 20_000)
    connection.send(
      "POST /nothing HTTP/1.1\r\nHost: evil.example\r\nContent-Length: \(body.utf8.count)\r\n\r\n")
    connection.send(body + server.request("GET", "/lists/none", ["Cookie": cookie]))
    let text = connection.readToEnd()
    let statuses = text.matches(of: /HTTP\/1\.1 (\d+)/).map { String($0.1) }
    // The connection ends after the refusal; the next request may be answered before.
    #expect(statuses.first == "403" && statuses.dropFirst().allSatisfy { $0 == "404" })
  }

  /// A server without a free descriptor would end, or spin.
  @Test func aServerWithFewDescriptorsAnswersAgain() throws {
    let small = try TestServer(limits: "ulimit -n 160")
    let cookie = try small.cookie()
    var held = try (0..<300).map { _ in try TestConnection(to: small.port) }
    held.removeAll()
    #expect(try small.ask("GET", "/lists/all", ["Cookie": cookie]).status == 200)
    #expect(small.stop() == 0)
  }
}
