import Croft
import Foundation
import PageServerTesting
import Testing

/// What the studio answers over a socket.
struct StudioTests {
  @Test func theModelsAreListedWithTheirCounts() throws {
    let studio = try TestStudio { tx in
      for id in 0..<7 { try tx.insert(Shelf(id: id, name: "shelf")) }
    }
    let page = try studio.page("/")
    #expect(page.status == 200)
    #expect(page.text.contains("books.croft"))
    let shelf = #"<a href="/models/Shelf">Shelf</a></th><td>id</td><td class="number">7<"#
    #expect(page.text.contains(shelf))
    #expect(page.text.contains(#"<a href="/models/Match">Match</a></th><td>league, number</td>"#))
  }

  @Test(arguments: [0, 1, 99, 100, 101, 200, 250])
  func pagesHaveEachObjectOnce(count: Int) throws {
    let studio = try TestStudio { tx in
      for id in (0..<count).reversed() { try tx.insert(Shelf(id: id - 50, name: "shelf")) }
    }
    var (path, found, pages) = ("/models/Shelf" as String?, [String](), 0)
    while let next = path {
      let page = try studio.page(next)
      #expect(page.status == 200)
      found += page.objects
      pages += 1
      path = page.next
    }
    #expect(found == (0..<count).map { "/models/Shelf/objects/\($0 - 50)" })
    #expect(pages == max(1, (count + 99) / 100))
  }

  /// Texts in keys, which addresses and queries write in other ways.
  @Test func pagesOfCompoundKeysHaveEachObjectOnce() throws {
    let leagues = ["\"", "a,b", "a/b c", "우유", "100%", "<b>", "\\"]
    let studio = try TestStudio { tx in
      for league in leagues {
        for number in 0..<40 { try tx.insert(Match(league: league, number: number)) }
      }
    }
    var (path, found) = ("/models/Match" as String?, [String]())
    while let next = path {
      let page = try studio.page(next)
      #expect(page.status == 200)
      found += page.objects
      path = page.next
    }
    #expect(found.count == leagues.count * 40 && Set(found).count == found.count)
    for object in found.enumerated().filter({ $0.offset.isMultiple(of: 13) }) {
      #expect(try studio.page(object.element).status == 200, "\(object.element)")
    }
  }

  /// A part of the key refers to a key of several properties.
  @Test func pagesOfKeysWithinKeysHaveEachObjectOnce() throws {
    let studio = try TestStudio { tx in
      let match = Match(league: "Cup", number: 1)
      try tx.insert(match)
      for minute in 0..<130 { try tx.insert(Goal(match: Ref(match), minute: minute)) }
    }
    let first = try studio.page("/models/Goal")
    let second = try studio.page(try #require(first.next))
    let objects = first.objects + second.objects
    #expect(objects == (0..<130).map { "/models/Goal/objects/Cup,1,\($0)" })
    #expect(second.next == nil)
    #expect(first.addresses.contains("/models/Match/objects/Cup,1"))
    #expect(try studio.page(objects[129]).status == 200)
  }

  @Test func aFilterSelectsAndStaysInTheAddress() throws {
    let studio = try TestStudio { tx in
      for id in 0..<250 { try tx.insert(Shelf(id: id, name: id.isMultiple(of: 2) ? "a\"b" : "c")) }
    }
    let page = try studio.grid("Shelf", where: #"name == "a\"b" or id == 1"#)
    #expect(page.status == 200)
    #expect(page.objects.count == 100)
    #expect(page.objects.dropFirst().first == "/models/Shelf/objects/1")
    let next = try studio.page(try #require(page.next))
    #expect(page.objects.count + next.objects.count == 126 && next.next == nil)
    #expect(page.text.contains("value=\"name == &quot;a\\&quot;b&quot; or id == 1\""))
  }

  /// Browsers write the spaces of a form as `+`, which were taken for sums.
  @Test func aFilterIsReadAsAFormWritesIt() throws {
    let studio = try TestStudio { tx in
      for id in 0..<9 { try tx.insert(Shelf(id: id, name: "a b")) }
    }
    let page = try studio.page("/models/Shelf?query=name+%3D%3D+%22a+b%22+and+id+%2B+1+%3E+7")
    #expect(page.objects == [7, 8].map { "/models/Shelf/objects/\($0)" })
    let query = "value=\"name == &quot;a b&quot; and id + 1 &gt; 7\""
    #expect(page.text.contains(query))
  }

  @Test func anErrorOfAFilterIsShownWithItsPlace() throws {
    let studio = try TestStudio()
    let unknown = try studio.grid("Volume", where: "yeer == 1")
    #expect(unknown.status == 422)
    #expect(unknown.text.contains("Volume has no property yeer"))
    #expect(unknown.text.contains("<mark>yeer</mark> == 1</code>"))
    #expect(unknown.text.contains("value=\"yeer == 1\""))
    #expect(try studio.grid("Volume", where: "id ==").status == 422)
    for clauses in ["id > 1 limit 5", "id > 1 sort by title", "id > 1 select title"] {
      let page = try studio.grid("Volume", where: clauses)
      #expect(
        page.status == 422 && page.text.contains("Type only what follows where;"), "\(clauses)")
    }
    #expect(try studio.grid("Volume", where: "id == 1) or (id == 2").status == 422)
    #expect(try studio.page("/models/Volume?after=no").status == 422)
    #expect(try studio.page("/models/Match?after=Cup").status == 422)
  }

  @Test func textsAreEscaped() throws {
    let mark = "<script>alert('1')</script>&\u{202E}"
    let studio = try TestStudio { tx in
      try tx.insert(Shelf(id: 1, name: mark))
      try tx.insert(Match(league: mark, number: 1))
    }
    for path in ["/models/Shelf", "/models/Shelf/objects/1", "/models/Match"] {
      let text = try studio.page(path).text
      #expect(!text.contains("<script>") && text.contains("&lt;script&gt;"), "\(path)")
      #expect(!text.contains("\u{202E}"))
    }
    let object = try #require(try studio.page("/models/Match").objects.first)
    #expect(try !studio.page(object).text.contains("<script>"))
    let filter = try studio.grid("Shelf", where: "name == \"<script>\" and x")
    #expect(filter.status == 422 && !filter.text.contains("<script>"))
    let missing = try studio.page("/models/%3Cscript%3E")
    #expect(missing.status == 404 && !missing.text.contains("<script>"))
  }

  @Test func nilAndEmptyAndBytesLookDifferent() throws {
    let bytes = Data((0..<300).map { UInt8(truncatingIfNeeded: $0) })
    let studio = try TestStudio { tx in
      try tx.insert(Volume(id: 1, title: "", note: nil, cover: bytes))
      try tx.insert(Volume(id: 2, title: "nil", note: "", cover: Data()))
    }
    let page = try studio.page("/models/Volume")
    let rows = page.text.components(separatedBy: "<tr>").suffix(2)
    let first = try #require(rows.first), second = try #require(rows.last)
    #expect(first.contains(">empty<") && first.contains(">nil<") && first.contains("300 bytes"))
    #expect(second.contains(">empty<") && second.contains("0 bytes"))
    #expect(second.contains("<td>nil</td>") && !second.contains("/values/"))
    let path = try #require(page.addresses.first { $0.contains("/values/") })
    let download = try studio.page(path)
    #expect(download.status == 200 && download.headers["content-length"] == "300")
    #expect(download.headers["content-type"] == "application/octet-stream")
    #expect(
      download.headers["content-disposition"]
        == "attachment; filename=\"Volume.cover.bin\"; filename*=UTF-8''Volume.cover.bin")
    #expect(try studio.page("/models/Volume/objects/1/values/title").status == 404)
    #expect(try studio.page("/models/Volume/objects/2/values/title").text == "nil")
  }

  @Test func anObjectLeadsToWhatItRefersToAndBack() throws {
    let studio = try TestStudio { tx in
      let shelves = (1...2).map { Shelf(id: $0, name: "shelf \($0)") }
      for shelf in shelves { try tx.insert(shelf) }
      for id in 1...5 {
        let shelf = shelves[id.isMultiple(of: 2) ? 1 : 0]
        let volume = Volume(
          id: id, title: "v", note: nil, cover: nil, shelf: Ref(shelf),
          earlier: (1..<id).map { Ref<Volume>($0) })
        try tx.insert(volume)
      }
    }
    let volume = try studio.page("/models/Volume/objects/4")
    #expect(volume.addresses.contains("/models/Shelf/objects/2"))
    for id in 1...3 { #expect(volume.addresses.contains("/models/Volume/objects/\(id)")) }
    #expect(volume.text.contains(">Volume.earlier</a>: 1<"))
    let shelf = try studio.page("/models/Shelf/objects/1")
    #expect(shelf.text.contains(">Volume.shelf</a>: 3<"))
    let back = try #require(shelf.addresses.first { $0.contains("/Volume?query=") })
    #expect(
      try studio.page(back).objects.filter { $0.hasPrefix("/models/Volume/") }
        == [1, 3, 5].map { "/models/Volume/objects/\($0)" })
    for page in [volume, shelf] {
      for address in page.addresses {
        #expect(try studio.page(address).status == 200, "\(address)")
      }
    }
  }

  @Test func whatIsMissingIsNotFound() throws {
    let studio = try TestStudio { try $0.insert(Shelf(id: 1, name: "shelf")) }
    for path in [
      "/models/Shel", "/models/Shelf/objects/2", "/models/Shelf/objects/a",
      "/models/Shelf/objects/1,1", "/models/Match/objects/1", "/models", "/nothing",
      "/models/Shelf/objects/1/values/id", "/models/Shelf/objects/1/values/none",
    ] {
      #expect(try studio.page(path).status == 404, "\(path)")
    }
    #expect(try studio.server.post("/models/Shelf", "", cookie: "").status == 401)
  }

  @Test func onlyABrowserThatALinkOpenedIsLetIn() throws {
    let studio = try TestStudio { try $0.insert(Shelf(id: 1, name: "secret")) }
    for path in [
      "/", "/models/Shelf", "/models/Shelf/objects/1", "/assets/studio.css", "/assets/studio.js",
      "/schema", "/health", "/models/Shelf/facets", "/models/Shelf/count",
      "/models/Shelf/export/csv",
      "/models/Shelf/events", "/events", "/health/events", "/models/Shelf/objects/1/events", "/no",
    ] {
      let answer = try studio.server.ask("GET", path)
      #expect(answer.status == 401 && answer.text.contains("croft-studio --link FILE"))
      // A stranger does not learn what is shown.
      #expect(!answer.text.contains("secret") && !answer.text.contains("books.croft"))
      #expect(try studio.page(path, ["Host": "evil.example"]).status == 403)
    }
    let link = try studio.server.run("--link")
    #expect(link.code == 0)
    let path = String(link.output.dropFirst(studio.server.origin.count).dropLast())
    #expect(try studio.server.ask("GET", path).status == 200)
    #expect(try studio.server.ask("GET", path).status == 401)
    let again = try studio.page(path)
    #expect(again.status == 303 && again.headers["location"] == "/")
  }

  @Test func everyAnswerHasTheHeadersThatGuardIt() throws {
    let studio = try TestStudio()
    let answers = [
      try studio.page("/"), try studio.page("/nothing"), try studio.server.ask(),
      try studio.grid("Shelf", where: "no"), try studio.page("/", ["Host": "evil.example"]),
    ]
    #expect(answers.map(\.status) == [200, 404, 401, 422, 403])
    #expect(try studio.server.ask("POST", "/health", body: "").status == 401)
    for answer in answers {
      let policy = answer.headers["content-security-policy"]
      #expect(policy?.hasPrefix("default-src 'self'; frame-ancestors 'none'") == true)
      #expect(answer.headers["x-content-type-options"] == "nosniff")
      #expect(answer.headers["cache-control"] == "no-store")
    }
  }

  @Test func aFileThatCannotBeOpenedIsTold() throws {
    let folder = try TestServer.makeFolder()
    defer {
      // What stays is in the folder for temporary files.
      try? FileManager.default.removeItem(at: folder)
    }
    let studio = try TestStudio()
    let taken = try studio.server.run("--port", "\(studio.server.port)")
    #expect(taken.code == 1 && taken.messages.hasPrefix("croft-studio: Another program uses"))
    #expect(try studio.server.run("--port", "x").code == 64)
    #expect(throws: TestServer.Failure.self) {
      _ = try TestServer(
        .init(
          "croft-studio", arguments: [folder.appending(path: "none.croft").path], homePath: "/"),
        in: folder)
    }
  }
}
