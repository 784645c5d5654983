import Croft
import Foundation
import PageServerTesting
import Testing
import TodoKit

/// The answers of the server to forms, over a socket: the status and the page say why one is refused.
struct AnswerTests {
  private let server: TestServer
  private let cookie: String
  private let missing = "00000000-0000-0000-0000-000000000000"

  init() throws {
    server = try TestServer()
    cookie = try server.cookie()
  }

  private func get(_ path: String) throws -> TestAnswer {
    try server.ask("GET", path, ["Cookie": cookie])
  }

  private func post(_ path: String, _ form: String, accept: String? = nil) throws -> TestAnswer {
    var headers = ["Cookie": cookie, "Origin": server.origin]
    headers["Accept"] = accept
    headers["Content-Type"] = "application/x-www-form-urlencoded"
    return try server.ask("POST", path, headers, body: form)
  }

  /// For Swift a sign and a combining mark after it are one character, and for a browser the tag begins.
  @Test(arguments: [
    ("\u{600}<b>", "\u{600}&lt;b&gt;"), ("<\u{301}b>", "&lt;\u{301}b&gt;"),
    ("x\"\u{301} id=x", "x&quot;\u{301} id=x"), ("'\u{20D2}", "&#39;\u{20D2}"),
    ("&\u{301}", "&amp;\u{301}"),
  ])
  func signsWithMarksAreEscaped(text: String, escaped: String) throws {
    try CroftTodoRepository(path: server.list).perform(.add(TodoItem(title: "bread \(text)")))
    let page = Array(try get("/lists/all").text.unicodeScalars)
    let start = Array("bread ".unicodeScalars)
    // Wherever the title is, the rest of it follows its first word.
    let places = page.indices.filter { page[$0...].starts(with: start) }
    #expect(!places.isEmpty)
    for place in places {
      #expect(page[(place + start.count)...].starts(with: Array(escaped.unicodeScalars)))
    }
  }

  @Test func invalidInputIs422() throws {
    let empty = try post("/lists/all/items", "line=++")
    #expect(empty.status == 422 && empty.text.contains("Please enter a to-do."))
    let never = try post("/lists/all/items", "line=bread+due:never")
    #expect(never.status == 422 && never.text.contains(#"value="bread due:never""#))
    let json = try post("/lists/all/items", "line=++", accept: "application/json")
    #expect(json.status == 422 && json.headers["content-type"] == "application/json")
    #expect(json.text.contains(#""error":"Please enter a to-do.""#))
  }

  @Test func whatDoesNotExistIs404() throws {
    #expect(try post("/actions", "action=done&id=\(missing)").status == 404)
    #expect(try get("/lists/\(missing)").status == 404)
    #expect(try get("/items/\(missing)").status == 404)
    #expect(try get("/lists/..%2f..%2fetc").status == 404)
    #expect(try post("/actions", "action=format").status == 400)
  }

  @Test func whatSomethingPreventsIs409() throws {
    #expect(try post("/actions", "action=confirm&token=\(missing)").status == 409)
    #expect(try post("/actions", "action=newGroup&text=Important").status == 409)
    #expect(try post("/actions", "action=redo").status == 409)
  }

  /// A store that has no more room, as on a full disk: forms and scripts are told on each path.
  @Test func aStoreThatFailsIsToldAndReadsGoOn() throws {
    // Files of the process have a maximum of 2 MiB.
    let server = try TestServer(limits: "trap '' XFSZ && ulimit -f 4096")
    let cookie = try server.cookie()
    let note = String(repeating: "x", count: 60_000)
    var answer = try server.post("/items/new", "title=x&priority=low", cookie: cookie)
    for _ in 0..<200 where answer.status == 303 {
      answer = try server.post("/items/new", "title=x&priority=low&note=\(note)", cookie: cookie)
    }
    #expect(answer.status == 500 && answer.text.contains("role=\"alert\""))
    #expect(answer.headers["x-content-type-options"] == "nosniff")
    let script = ["Cookie": cookie, "Origin": server.origin, "Accept": "application/json"]
    for (path, form) in [
      ("/lists/all/items", "line=x+!h"), ("/actions", "action=newGroup&text=x"),
      ("/items/new", "title=x&priority=low"), ("/groups/new", "name=x&picture=drawn&titles=x"),
    ] {
      // A small change may still find room in a page of the file.
      let told = try (0..<200).lazy
        .map { _ in try server.ask("POST", path, script, body: form) }
        .first { $0.status == 500 }
      #expect(told?.text.contains("error") == true, "\(path)")
    }
    #expect(try server.ask("GET", "/lists/all", ["Cookie": cookie]).status == 200)
  }

  @Test func aStaleFormSaysWhatIsThereNowAndWhatWasWanted() throws {
    let list = try CroftTodoRepository(path: server.list)
    let item = TodoItem(title: "bread")
    try list.perform(.add(item))
    let path = "/items/\(item.id.uuidString.lowercased())"
    // The form that a browser has open: each field with its value when it was opened.
    let fields = [
      "title=bread", "priority=normal", "due=", "dueTime=", "group=", "tags=", "note=",
    ]
    let was = fields.map { "was-" + $0 }
    try list.perform(.retitle(item.id, to: "rye bread"))
    let stale = (["title=white+bread"] + fields.dropFirst() + was).joined(separator: "&")
    let answer = try post(path, stale)
    #expect(answer.status == 409)
    #expect(answer.text.contains("rye bread") && answer.text.contains("white bread"))
    #expect(try list.item(item.id)?.title == "rye bread")
    // Another field of the same item is no conflict.
    let note = (fields.dropLast() + ["note=sourdough"] + was).joined(separator: "&")
    #expect(try post(path, note).status == 303)
    #expect(try list.item(item.id)?.title == "rye bread")
    #expect(try list.item(item.id)?.note == "sourdough")
  }

  /// A page that has missed an event has buttons for a state that is no more.
  @Test func aSecondPressOfAButtonChangesNothingAndOffersNoUndo() throws {
    let list = try CroftTodoRepository(path: server.list)
    let item = TodoItem(title: "bread")
    try list.perform(.add(item))
    let id = item.id.uuidString
    for (action, isDone, isImportant) in [
      ("done", true, false), ("star", true, true), ("reopen", false, true),
      ("unstar", false, false),
    ] {
      let first = try post("/actions", "action=\(action)+\(id)", accept: "application/json")
      #expect(first.status == 200 && first.text.contains("\"undo\""))
      let steps = try list.history()
      let second = try post("/actions", "action=\(action)+\(id)", accept: "application/json")
      #expect(second.status == 200 && !second.text.contains("\"undo\""))
      #expect(try list.history() == steps)
      let now = try list.item(item.id)
      #expect(now?.isDone == isDone && now?.isImportant == isImportant)
    }
  }

  @Test func theListsAreNamedMovedAndDeletedByTheirScreens() throws {
    let list = try CroftTodoRepository(path: server.list)
    func act(_ form: String) throws -> TestAnswer {
      try post("/actions", "action=" + form, accept: "application/json")
    }
    for name in ["home", "home", "work"] {
      #expect(try act("newGroup&text=\(name)").text.contains("\"undo\""))
    }
    let groups = try list.groups()
    #expect(groups.map(\.group.name) == ["home", "home (1)", "work"])
    let last = try #require(groups.last).id.uuidString
    #expect(try act("newGroup&text=Important").status == 409)
    #expect(try act("newGroup&text=+").status == 422)
    let renamed = try act("renameGroup&id=\(last)&text=home")
    #expect(renamed.status == 200 && renamed.text.contains("home (2)"))
    // A name that it has already is nothing to undo.
    let same = try act("renameGroup&id=\(last)&text=home+(2)")
    #expect(same.status == 200 && !same.text.contains("\"undo\""))
    #expect(try act("renameGroup&id=\(missing)&text=x").status == 404)
    let stale = try act("renameGroup&id=\(last)&text=flat&was=work")
    #expect(stale.status == 409)
    #expect(stale.text.contains("home (2)") && stale.text.contains("flat"))
    #expect(try act("renameGroup&id=\(missing)&text=x&was=y").status == 404)
    #expect(try act("moveGroup&id=\(last)&to=first").text.contains("\"undo\""))
    #expect(try !act("moveGroup&id=\(last)&to=first").text.contains("\"undo\""))
    #expect(try list.groups().map(\.group.name) == ["home (2)", "home", "home (1)"])
    let asked = try act("deleteGroup&id=\(last)")
    #expect(asked.status == 200 && asked.text.contains("home (2)"))
    #expect(try act("deleteGroup&id=\(missing)").status == 404)
    #expect(try list.groups().count == 3)
    #expect(try act("confirm&token=\(token(of: asked))").status == 200)
    #expect(try list.groups().map(\.group.name) == ["home", "home (1)"])
  }

  private func token(of answer: TestAnswer) throws -> Substring {
    try #require(
      answer.text.firstMatch(of: /name=\\?"token\\?" value=\\?"([0-9A-Fa-f-]+)/)?.output.1)
  }

  /// A form that leaves the number out is no way around it, nor is a question that was answered with no.
  @Test func manyItemsAreDeletedByTheirNumberAlone() throws {
    let list = try CroftTodoRepository(path: server.list)
    try list.perform(.add(groups: [], items: (1...3).map { TodoItem(title: "item \($0)") }))
    let asked = try post("/actions", "action=deleteAll&list=all", accept: "application/json")
    let token = try token(of: asked)
    for typed in ["", "&typed=2", "&count=2&typed=2"] {
      #expect(try post("/actions", "action=confirm&token=\(token)\(typed)").status == 422)
    }
    #expect(try list.items(.all).count == 3)
    #expect(try post("/actions", "action=cancel&token=\(token)").status == 204)
    #expect(try post("/actions", "action=confirm&token=\(token)&typed=3").status == 409)
    #expect(try list.items(.all).count == 3)
    let again = try post("/actions", "action=deleteAll&list=all", accept: "application/json")
    let second = try self.token(of: again)
    #expect(try post("/actions", "action=confirm&token=\(second)&typed=3").status == 303)
    #expect(try list.items(.all).isEmpty)
  }

  /// It made an item that the list did not show.
  @Test func theImportantListTakesNoItems() throws {
    let list = try CroftTodoRepository(path: server.list)
    for accept in [nil, "application/json"] {
      let answer = try post("/lists/important/items", "line=bread", accept: accept)
      #expect(answer.status == 409)
      #expect(answer.text.contains("shows what has a star"))
    }
    #expect(try list.items(.all).isEmpty)
  }

  @Test(arguments: [true, false])
  func undoSaysWhatAnotherMachineHasChangedSince(isScript: Bool) throws {
    let list = try SharedList(path: server.list)
    let commands = try CroftTodoRepository(path: server.list)
    var item = TodoItem(title: "bread")
    let other = TodoItem(title: "milk")
    try commands.perform(.add(groups: [], items: [item, other]))
    try commands.perform(
      .editItems(ids: [item.id, other.id], patch: ItemPatch(note: "here")))
    // As a synchronization stores what it got.
    item = try #require(try commands.item(item.id))
    item.note = "there"
    try list.store.write { tx in try tx.upsert(item) }
    let answer = try post(
      "/actions", "action=undo", accept: isScript ? "application/json" : nil)
    #expect(answer.status == 200)
    #expect(answer.text.contains("another machine changed it since: "))
    #expect(answer.text.contains("bread") && !answer.text.contains("milk"))
    #expect(try commands.item(item.id)?.note == "there")
    #expect(try commands.item(other.id)?.note == "")
  }

  @Test func aStaleTitleIs409() throws {
    let list = try CroftTodoRepository(path: server.list)
    let item = TodoItem(title: "bread")
    try list.perform(.add(item))
    try list.perform(.retitle(item.id, to: "rye bread"))
    let form = "action=retitle&id=\(item.id.uuidString)&text=white+bread&was=bread"
    for accept in [nil, "application/json"] {
      let answer = try post("/actions", form, accept: accept)
      #expect(answer.status == 409)
      #expect(answer.text.contains("rye bread") && answer.text.contains("white bread"))
    }
    #expect(try list.item(item.id)?.title == "rye bread")
  }
}
