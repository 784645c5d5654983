import Foundation
import PageServerTesting
import Testing
import TodoKit

/// The events of a page over a socket.
struct EventTests {
  private let server: TestServer
  private let cookie: String

  init() throws {
    server = try TestServer()
    cookie = try server.cookie()
  }

  private func add(_ line: String) throws {
    let form = "line=" + line.replacing(" ", with: "+")
    #expect(try server.post("/lists/all/items", form, cookie: cookie).status == 303)
  }

  /// Another process on the same list, such as the prompt.
  private func other() throws -> CroftTodoRepository { try CroftTodoRepository(path: server.list) }

  @Test func aPageIsToldWhatItShowsAndThenWhatChanges() throws {
    let page = try server.ask("GET", "/lists/all", ["Cookie": cookie]).text
    let version = try #require(page.firstMatch(of: /data-version="(\w+)"/)?.1)
    let events = try server.events("?version=\(version)", cookie: cookie)
    #expect(events.read(upTo: "\r\n\r\n")?.contains("text/event-stream") == true)
    #expect(events.event()?.name == "same")
    try add("bread")
    let event = try #require(events.event())
    #expect(event.name == "batch" && event.data.contains("bread"))
    #expect(event.id != nil && event.id != String(version))
  }

  @Test func aPageThatComesBackGetsAllInOneEvent() throws {
    let first = try server.events(cookie: cookie)
    let start = try #require(first.event())
    #expect(start.name == "window")
    for number in 0..<20 { try add("bread \(number)") }
    let id = try #require(start.id)
    let second = try server.events("?version=\(id)", cookie: cookie)
    var event = try #require(second.event())
    #expect(event.name == "window" && event.data.contains("bread"))
    // The first connection's observation may be under way.
    while !event.data.contains("20 open of 20") { event = try #require(second.event()) }
    let same = try server.events("?version=\(try #require(event.id))", cookie: cookie)
    #expect(same.event()?.name == "same")
  }

  /// 1,000 items are in the list, and one row is sent.
  @Test func oneChangeSendsOneRow() throws {
    let list = try other()
    let items = (0..<1_000).map { TodoItem(title: "item \($0)") }
    try list.perform(.add(groups: [], items: items))
    let events = try server.events(cookie: cookie)
    #expect(events.event()?.name == "window")
    let before = events.bytesRead
    try list.perform(.retitle(items[100].id, to: "other"))
    let event = try #require(events.event())
    #expect(event.name == "batch" && event.data.contains("other"))
    #expect(event.data.count { $0 == "{" } < 4)
    #expect(events.bytesRead - before < 4_096)
  }

  /// A page whose rows and counts are of two commits contradicts itself, if only for a moment.
  @Test func aCommitIsOneEvent() throws {
    let list = try other()
    let (first, second) = (TodoItem(title: "bread"), TodoItem(title: "milk"))
    try list.perform(.add(groups: [], items: [first, second]))
    let events = try server.events(cookie: cookie)
    #expect(events.event()?.name == "window")
    for title in ["a", "b", "c"] {
      try list.perform(.setDone([first.id], title != "b"))
      let event = try #require(events.event())
      // The row, the page's count, the history's buttons where they change, and the list beside it.
      #expect(event.data.contains(#""placed":[{"#) && event.data.contains("bread"))
      let count = title == "b" ? "2 open of 2" : "1 open of 2"
      #expect(event.data.contains(#""count":"\#(count)""#) && event.data.contains("list-all"))
      try list.perform(.retitle(second.id, to: title))
      let next = try #require(events.event())
      #expect(next.data.contains(#""modified":[{"#) && !next.data.contains("bread"))
    }
  }

  @Test func aLargeChangeSendsTheWindowOnce() throws {
    let list = try other()
    let events = try server.events(cookie: cookie)
    #expect(events.event()?.name == "window")
    try list.perform(.add(groups: [], items: (0..<5_000).map { TodoItem(title: "item \($0)") }))
    let event = try #require(events.event())
    #expect(event.name == "window")
    #expect(event.data.contains("item 199") && !event.data.contains("item 200"))
    #expect(event.data.contains(#""open":5000"#))
  }

  @Test func eachPartOfAListHasItsEvents() throws {
    let list = try other()
    let items = (0..<1_000).map { TodoItem(title: "item \($0)") }
    try list.perform(.add(groups: [], items: items))
    let events = try server.events("?from=500", cookie: cookie)
    let window = try #require(events.event())
    #expect(window.data.contains("item 500") && window.data.contains("item 699"))
    #expect(!window.data.contains("item 499") && !window.data.contains("item 700"))
    try list.perform(.delete([items[0].id]))
    let event = try #require(events.event())
    #expect(event.name == "batch" && event.data.contains("item 700"))
    #expect(event.data.contains(#""deleted":["item-\#(items[500].id.uuidString.lowercased())"]"#))
  }

  @Test func theServerEndsAtOnceAlsoWithOpenEvents() throws {
    let events = try server.events(cookie: cookie)
    #expect(events.event() != nil)
    #expect(server.stop() == 0)
    #expect(events.event() == nil)
  }
}
