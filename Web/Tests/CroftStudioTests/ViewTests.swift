import Croft
import Foundation
import PageServerTesting
import Synchronization
import Testing

@testable import CroftStudio

/// The views beside the grid: values to filter by, exports, the schema and the health.
struct ViewTests {
  /// A value of a facet, as its page shows it.
  private struct Shown: Equatable {
    let text: String
    let count: Int
    let path: String?
  }

  /// The values on a page of facets, by the name of the property.
  private func facets(of page: TestAnswer) -> [String: [Shown]] {
    var found: [String: [Shown]] = [:]
    for part in page.text.components(separatedBy: "<h3>").dropFirst() {
      let name = part.prefix { $0 != "<" }.description
      found[name] = part.matches(
        of: #/<li>(?:<a href="([^"]*)"[^>]*>)?([^<]*)(?:</a>)? <span class="count">(\d+)</#
      ).map { match in
        Shown(
          text: String(match.output.2), count: Int(match.output.3) ?? 0,
          path: match.output.1.map { String($0).replacing("&amp;", with: "&") })
      }
    }
    return found
  }

  private static let states: [LoanState?] = [.started, .ended, .due, nil]

  /// Loans of which each property has another period, so that all combinations are there.
  private static func fill(_ tx: inout WriteTransaction) throws {
    for id in 0..<30 { try tx.insert(Shelf(id: id, name: "shelf")) }
    for id in 0..<210 {
      try tx.insert(
        Loan(
          id: id, isOpen: !id.isMultiple(of: 3), state: states[id % states.count],
          shelf: id.isMultiple(of: 7) ? nil : Ref(id % 30)))
    }
  }

  @Test(arguments: ["", "id < 100", "isOpen or id < 20", "id < 0"])
  func facetsCountWhatTheirLinksSelect(filter: String) throws {
    let studio = try TestStudio(fill: Self.fill)
    let query = filter.isEmpty ? "" : "?query=\(filter.percentEncoded)"
    let page = try studio.page("/models/Loan/facets\(query)")
    #expect(page.status == 200)
    let facets = self.facets(of: page)
    #expect(facets.keys.sorted() == ["isOpen", "shelf", "state"])
    let all = try studio.export("Loan", "ndjson", where: filter).split(separator: "\n").count
    for (name, values) in facets {
      if name != "shelf" { #expect(values.reduce(0) { $0 + $1.count } == all, "\(name)") }
      #expect(values.map(\.count) == values.map(\.count).sorted(by: >), "\(name)")
      for value in values {
        let address = try #require(value.path)
        #expect(try studio.page(address).status == 200)
        let exported = try #require(address.components(separatedBy: "?query=").last)
        let condition = try #require(exported.removingPercentEncoding)
        let rows = try studio.export("Loan", "ndjson", where: condition).split(separator: "\n")
        #expect(rows.count == value.count, "\(name) \(value)")
      }
    }
    if filter.isEmpty {
      #expect(facets["state"]?.map(\.text).sorted() == ["due", "ended", "nil", "started"])
      // Thirty shelves, and none; as many as there is room for are shown.
      #expect(facets["shelf"]?.count == Facets.valuesShown)
      #expect(page.text.contains("And 11 more values"))
    }
    if filter == "id < 0" { #expect(page.text.contains("No objects.")) }
  }

  @Test func theGridLeadsToTheFacetsOfItsFilter() throws {
    let studio = try TestStudio(fill: Self.fill)
    let grid = try studio.grid("Loan", where: "id < 9")
    let path = try #require(grid.addresses.first { $0.contains("/facets") })
    #expect(path == "/models/Loan/facets?query=id%20%3C%209")
    #expect(facets(of: try studio.page(path))["isOpen"]?.map(\.count) == [6, 3])
    // A model without such properties has none.
    #expect(try !studio.page("/models/Match").addresses.contains { $0.contains("/facets") })
    let wrong = try studio.page("/models/Loan/facets?query=no")
    #expect(wrong.status == 422 && wrong.text.contains("Loan has no property no"))
  }

  /// They were numbers in the grid, and names in the facets.
  @Test func aCaseOfAnEnumHasItsNameOnAllPages() throws {
    let studio = try TestStudio(writes: true) { tx in
      try tx.insert(Medal(id: 1, tone: .loud, tones: [.soft, .loud]))
      try tx.insert(Poem(id: 1, title: "t", code: "c", mood: .wild))
    }
    let grid = try studio.page("/models/Medal")
    #expect(grid.text.contains("<td>loud</td><td>[soft, loud]</td>"))
    #expect(try studio.page("/models/Poem").text.contains("<td>wild</td>"))
    let object = try studio.page("/models/Medal/objects/1")
    for text in ["loud", "[soft, loud]"] {
      #expect(object.text.contains("<td class=\"text\">\(text)</td>"), "\(text)")
    }
    let values = facets(of: try studio.page("/models/Medal/facets"))
    #expect(values["tone"]?.map(\.text) == ["loud"])
    var form = try studio.form(at: "/models/Medal/objects/1/edit")
    #expect(form["set:0:tones"] == "soft\r\nloud")
    form["set:0:tones"] = "loud\r\nloud"
    form["set:0:tone"] = "=s"
    let review = try studio.post(form)
    for text in ["[soft, loud]", "[loud, loud]", "loud", "soft"] {
      #expect(review.text.contains("<td class=\"text\">\(text)</td>"), "\(text)")
    }
    #expect(try studio.post(try #require(review.form)).status == 303)
    let stored = try #require(try studio.fetch("Medal").first)
    #expect(try stored["tones"] == .list([.string("<l>"), .string("<l>")]))
    #expect(try stored["tone"] == .string("s"))
    form["set:0:tones"] = "quiet"
    #expect(try studio.post(form).status == 409)
    var wrong = try studio.form(at: "/models/Medal/objects/1/edit")
    wrong["set:0:tones"] = "quiet"
    let refused = try studio.post(wrong)
    #expect(refused.status == 422 && refused.text.contains("Choose one of soft, loud."))
    let exported = try studio.export("Medal", "ndjson", where: "")
    #expect(exported.contains(#""tone":"s""#))
  }

  @Test func facetsOfManyObjectsAreCountedForAWhile() throws {
    let folder = try TestServer.makeFolder()
    defer {
      // What stays is in the folder for temporary files.
      try? FileManager.default.removeItem(at: folder)
    }
    let file = folder.appending(path: "books.croft")
    try TestStudio.makeStore(at: file, Self.fill)
    let store = try Store.open(at: file, models: [])
    let model = try #require(try store.models.first { $0.name == "Loan" })
    var isOver = false
    try store.read(onProgress: { if isOver { throw QueryProgress.Stop.tooSlow(.zero) } }) { tx in
      let all = try Facets(of: model, ObjectGrid.Request(), in: &tx)
      #expect(all.countOfPart == nil)
      isOver = true
      let part = try Facets(of: model, ObjectGrid.Request(), in: &tx)
      #expect(part.countOfPart == 0)
    }
  }

  /// A click on a value and an export went back to the order of the primary key.
  @Test func theOrderStaysInViews() throws {
    let studio = try TestStudio(fill: Self.fill)
    let grid = try studio.page("/models/Loan?query=id+%3C+9&sort=id%20desc")
    let query = "query=id%20%3C%209&sort=id%20desc"
    for view in ["facets", "export/csv", "export/ndjson", "export/json"] {
      #expect(grid.addresses.contains("/models/Loan/\(view)?\(query)"), "\(view)")
    }
    let facets = facets(of: try studio.page("/models/Loan/facets?\(query)"))
    let path = try #require(facets["isOpen"]?.first?.path)
    #expect(path.hasSuffix("&sort=id%20desc"))
    #expect(try studio.page(path).objects.first == "/models/Loan/objects/8")
    let lines = try studio.page("/models/Loan/export/ndjson?\(query)").text
    let ids = lines.matches(of: #/"id":(\d+)/#).compactMap { Int($0.output.1) }
    #expect(ids == (0..<9).reversed())
    #expect(try studio.page("/models/Loan/export/csv?sort=none").status == 422)
  }

  @Test func whatFacetsLeaveOutIsNamed() throws {
    let studio = try TestStudio { try $0.insert(Medal(id: 1)) }
    let medal = try studio.page("/models/Medal/facets")
    #expect(medal.text.contains("Not counted: tones, a collection."))
    let assist = try studio.page("/models/Assist/facets")
    #expect(assist.text.contains("goal, a key of several properties; matches, a collection"))
  }

  /// A grid told only how many objects there are in all.
  @Test func aGridTellsHowManyObjectsTheFilterFinds() throws {
    let studio = try TestStudio { tx in
      for id in 0..<250 { try tx.insert(Shelf(id: id, name: id < 130 ? "a <b>" : "c")) }
    }
    func found(_ page: TestAnswer) -> String? {
      page.text.firstMatch(of: #/<span id="found">([^<]*)</#).map { String($0.output.1) }
    }
    func exported(_ page: TestAnswer) -> [String] {
      page.text.matches(of: #/<span class="exported">([^<]*)</#).map { String($0.output.1) }
    }
    let all = try studio.page("/models/Shelf")
    #expect(found(all) == nil && exported(all) == Array(repeating: "250 objects", count: 3))
    // By the primary key, also on the second page, and on a page that has all.
    let range = try studio.grid("Shelf", where: "id < 126")
    for page in [range, try studio.page(try #require(range.next))] {
      #expect(found(page) == "126" && exported(page).first == "126 objects")
    }
    #expect(found(try studio.grid("Shelf", where: "name == \"c\" and id < 131")) == "1")
    // Others are counted on a page of their own, which the first rows do not wait for.
    let many = try studio.grid("Shelf", where: "name == \"a <b>\"")
    #expect(many.objects.count == 100 && found(many) == nil && exported(many) == ["", "", ""])
    let path = try #require(many.addresses.first { $0.contains("/count?") })
    let count = try studio.page(path)
    #expect(count.status == 200 && found(count) == "130" && !count.text.contains("<b>"))
    #expect(try studio.page("/models/Shelf/count?query=no").status == 422)
    #expect(found(try studio.page("/models/Shelf/count")) == "250")
  }

  @Test func aTermIsAddedWithoutChangingTheFilter() {
    #expect(Facets.adding("a == 1", to: "") == "a == 1")
    #expect(Facets.adding("a == 1", to: "b > 2 and c") == "b > 2 and c and a == 1")
    #expect(Facets.adding("a == 1", to: "b or c") == "(b or c) and a == 1")
    #expect(Facets.adding("a == 1", to: "b||c") == "(b||c) and a == 1")
    #expect(Facets.adding("a == 1", to: "(b or c) and d") == "(b or c) and d and a == 1")
    #expect(Facets.adding("a == 1", to: "b == \" or \"") == "b == \" or \" and a == 1")
    #expect(Facets.adding("a == 1", to: "order > 2") == "order > 2 and a == 1")
    #expect("year".asTerm == "year" && "limit".asTerm == "`limit`" && "a.b".asTerm == "a.b")
  }

  // MARK: - Exports

  @Test func whatIsFilteredIsExported() throws {
    let studio = try TestStudio { tx in
      try tx.insert(Volume(id: 1, title: "a, \"b\"", note: nil, cover: Data([1, 255])))
      try tx.insert(Volume(id: 2, title: "우유\n", note: "", cover: nil))
      try tx.insert(Volume(id: 3, title: "c", note: nil, cover: nil))
    }
    let csv = try studio.export("Volume", "csv", where: "id < 3")
    #expect(
      csv == """
        id,title,note,cover,shelf,earlier
        1,"a, ""b""\",,"x""01ff""\",,[]
        2,"우유
        ","",,,[]

        """)
    let lines = try studio.export("Volume", "ndjson", where: "id == 1 or id == 3")
    #expect(
      lines == """
        {"id":1,"title":"a, \\"b\\"","note":null,"cover":"Af8=","shelf":null,"earlier":[]}
        {"id":3,"title":"c","note":null,"cover":null,"shelf":null,"earlier":[]}

        """)
    #expect(try studio.export("Volume", "json", where: "id < 0") == "[]\n")
    let path = "/models/Volume/export"
    let all = try studio.page(path + "/csv")
    #expect(all.headers["x-croft-objects"] == "3")
    #expect(all.headers["content-disposition"] == "attachment; filename=\"Volume.csv\"")
    #expect(try studio.page(path + "/csv?query=id+%3C+3").headers["x-croft-objects"] == "2")
    let unknown = try studio.page(path + "/csv?query=title+contains+%22a%22")
    #expect(unknown.status == 200 && unknown.headers["x-croft-objects"] == nil)
    #expect(try studio.page(path + "/csv?query=no").status == 422)
    #expect(try studio.page(path + "/csv?query=%FF").status == 422)
    #expect(try studio.page(path + "/xml").status == 404)
    #expect(try studio.page("/models/No/export/csv").status == 404)
  }

  @Test(arguments: [0, 1, 20_000]) func exportsHaveEachObjectOnce(count: Int) throws {
    let studio = try TestStudio { tx in
      for id in 0..<count { try tx.insert(Shelf(id: id, name: "shelf number \(id)")) }
    }
    let rows = try studio.export("Shelf", "csv", where: "").split(separator: "\n").dropFirst()
    #expect(rows.elementsEqual((0..<count).map { "\($0),shelf number \($0)" }))
  }

  /// What is read and not sent yet is in memory.
  @Test func anExportWaitsForItsReader() async throws {
    let queue = PartQueue()
    let made = Mutex(0)
    let count = 200
    let maker = Thread {
      for _ in 0..<count {
        // The error is ignored: the queue is not cancelled.
        try? queue.add(Data(repeating: 7, count: PartQueue.partBytes))
        made.withLock { $0 += 1 }
      }
      queue.end()
    }
    maker.start()
    var taken = 0
    for await part in queue.parts {
      #expect(part.count == PartQueue.partBytes)
      #expect(made.withLock { $0 } <= taken + PartQueue.countMax)
      taken += 1
      queue.taken()
    }
    #expect(taken == count)
    queue.cancel()
    #expect(throws: QueryProgress.Stop.left) {
      for _ in 0...PartQueue.countMax { try queue.add(Data(count: PartQueue.partBytes)) }
    }
  }

  @Test func anExportEndsWithItsReader() throws {
    let studio = try TestStudio(fill: QueryTests.fillMany)
    let path = "/models/Volume/export/csv"
    func stall() throws {
      let readers = try (0..<QueryQueue.queriesMax).map { _ in
        let reader = try TestConnection(to: studio.server.port, buffer: 4_096)
        reader.send(studio.request(path))
        return reader
      }
      // All of them wait for their readers, and others are told so.
      for reader in readers { #expect(reader.read(upTo: "\n1,\"long") != nil) }
      #expect(try studio.page(path).status == 503)
      withExtendedLifetime(readers) {}
    }
    try stall()
    // The threads are free again, a little later.
    var answer = try studio.page(path + "?query=id+%3C+3")
    for _ in 0..<600 where answer.status == 503 {
      answer = try studio.page(path + "?query=id+%3C+3")
    }
    #expect(answer.status == 200)
  }

  /// The server waited for a thread that waited for a reader.
  @Test func anExportEndsWithTheServer() throws {
    let studio = try TestStudio(fill: QueryTests.fillMany)
    let reader = try TestConnection(to: studio.server.port, buffer: 4_096)
    reader.send(studio.request("/models/Volume/export/csv"))
    #expect(reader.read(upTo: "\n1,\"long") != nil)
    #expect(studio.server.stop() == 0)
    _ = reader.readToEnd()
  }

  /// An end that looks like one would be a file that lacks objects.
  @Test func anExportThatFailsHasNoEnd() throws {
    let studio = try TestStudio { tx in
      for id in 0..<5_000 { try tx.insert(Shelf(id: id, name: "shelf number \(id), of wood")) }
    }
    try studio.damage("shelf number 4500, of wood")
    let reader = try TestConnection(to: studio.server.port)
    reader.send(studio.request("/models/Shelf/export/csv"))
    let all = reader.readToEnd()
    #expect(all.hasPrefix("HTTP/1.1 200") && !all.hasSuffix("0\r\n\r\n"))
  }

  // MARK: - Schema and health

  @Test func theSchemaIsDrawn() throws {
    let studio = try TestStudio(fill: Self.fill)
    let page = try studio.page("/schema")
    #expect(page.status == 200)
    #expect(try studio.page("/schema").text == page.text)
    let boxes = page.text.matches(
      of: #/<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"/#
    ).map { match in
      [match.output.1, match.output.2, match.output.3, match.output.4].map { Int($0) ?? 0 }
    }
    #expect(boxes.count == TestStudio.models.count)
    for (place, box) in boxes.enumerated() {
      for other in boxes.dropFirst(place + 1) {
        let isApart =
          box[0] + box[2] <= other[0] || other[0] + other[2] <= box[0]
          || box[1] + box[3] <= other[1] || other[1] + other[3] <= box[1]
        #expect(isApart)
      }
    }
    let references = page.text.components(separatedBy: "<tr><th scope=\"row\"><a").count
    #expect(page.text.components(separatedBy: "class=\"arrow\"").count == references)
    #expect(references > 10)
    #expect(page.text.contains("earlier: [int64] → Volume (nullify)</text>"))
    #expect(page.text.contains("# id: int64</text>"))
    #expect(page.text.contains(#"<td><a href="/models/Shelf">Shelf</a></td><td>nullify</td>"#))
    #expect(!page.text.contains("style="))
  }

  @Test func theHealthIsShown() throws {
    let studio = try TestStudio(fill: Self.fill)
    let store = try Store.open(at: studio.file, models: Shelf.self)
    let snapshot = try store.snapshot()
    let page = try studio.page("/health")
    #expect(page.status == 200)
    for name in ["File", "Free pages", "Map", "Journal", "Log of commits"] {
      #expect(page.text.contains("<th scope=\"row\">\(name)</th>"), "\(name)")
    }
    let reader = "<th scope=\"row\" class=\"number\">\(ProcessInfo.processInfo.processIdentifier)<"
    #expect(page.text.contains(reader) && page.text.contains(">reads the last commit<"))
    // Of another process the lock table does not tell since when it reads.
    for id in 1_000..<1_003 { try store.write { try $0.insert(Shelf(id: id, name: "later")) } }
    #expect(try studio.page("/health").text.contains(">reads the state of 3 commits ago<"))
    withExtendedLifetime(snapshot) {}
    #expect(!page.text.contains("The store is sound"))
    let checked = try studio.post("/health", [])
    #expect(checked.status == 200)
    #expect(checked.text.contains("The store is sound: 243 rows"))
    #expect(try studio.page("/").addresses.contains("/health"))
  }

  @Test func damageIsTold() throws {
    let studio = try TestStudio { tx in
      for id in 0..<3 { try tx.insert(Shelf(id: id, name: "shelf number \(id)")) }
    }
    try studio.damage("shelf number 1")
    let checked = try studio.post("/health", [])
    #expect(checked.status == 200 && checked.text.contains("Problems: 1."))
    #expect(checked.text.contains("<li>The store is damaged at Shelf 1"))
    #expect(checked.text.contains("with croft repair FILE COPY."))
  }

  // MARK: - Events

  @Test func aCommitOfAnotherProcessIsAnEvent() throws {
    let studio = try TestStudio { try $0.insert(Shelf(id: 1, name: "first")) }
    let page = try studio.page("/models/Shelf")
    let version = try #require(page.text.firstMatch(of: #/data-version="(\w+)"/#)?.output.1)
    let path = try #require(page.text.firstMatch(of: #/data-events="([^"]+)"/#)?.output.1)
    let events = try TestConnection(to: studio.server.port)
    events.send(studio.request("\(path)?version=\(version)"))
    #expect(events.read(upTo: "\r\n\r\n")?.hasPrefix("HTTP/1.1 200") == true)
    // The page shows what there is.
    #expect(events.read(upTo: "\n\n")?.contains("event:") == false)
    let store = try Store.open(at: studio.file, models: Shelf.self, Match.self)
    try store.write { try $0.insert(Match(league: "Cup", number: 1)) }
    #expect(events.read(upTo: "\n\n")?.contains("event:") == false)
    try store.write { try $0.insert(Shelf(id: 2, name: "second")) }
    var event = ""
    while !event.contains("event: rows"), let next = events.read(upTo: "\n\n") { event = next }
    #expect(event.contains("second") && event.contains("Objects in all: 2"))
  }

  /// A page missed a commit between its first reading and the first look at the commits.
  @Test(.timeLimit(.minutes(1))) func aCommitRightAfterAPageHasJoinedWakesIt() async throws {
    let store = try Store.inMemory(models: Shelf.self)
    let signal = CommitSignal(of: ShownStore(store, path: "books.croft", isWritable: false))
    for id in 1...30 {
      let (page, wakings) = try #require(signal.join())
      var iterator = wakings.makeAsyncIterator()
      await iterator.next()
      #expect(signal.takeReasons(page).isCommitted)
      try await store.write { try $0.insert(Shelf(id: id, name: "shelf")) }
      repeat { await iterator.next() } while !signal.takeReasons(page).isCommitted
      signal.leave(page)
    }
  }

  /// Their numbers stayed after commits, and nothing told so.
  @Test(arguments: ["/", "/models/Shelf/objects/1", "/health"])
  func aPageThatWouldLookDifferentIsTold(path: String) throws {
    let studio = try TestStudio { tx in
      try tx.insert(Shelf(id: 1, name: "first"))
      try tx.insert(Volume(id: 1, title: "t"))
    }
    let page = try studio.page(path)
    let version = try #require(page.text.firstMatch(of: #/data-version="(\w+)"/#)?.output.1)
    let address = try #require(page.text.firstMatch(of: #/data-events="([^"]+)"/#)?.output.1)
    let events = try TestConnection(to: studio.server.port)
    events.send(studio.request("\(address)?version=\(version)"))
    #expect(events.read(upTo: "\r\n\r\n")?.hasPrefix("HTTP/1.1 200") == true)
    #expect(events.read(upTo: "\n\n")?.contains("event:") == false)
    try studio.write { tx in
      try tx.update(Shelf.all) { $0.name = "changed" }
      try tx.insert(Shelf(id: 2, name: "second"))
    }
    var event = ""
    while !event.contains("event: "), let next = events.read(upTo: "\n\n") { event = next }
    #expect(event.contains("event: changed") && event.contains("data: \"\""))
    #expect(try studio.page(String(address), ["Cookie": ""]).status == 401)
  }

  @Test func moreThanEnoughPagesAreTold() throws {
    let studio = try TestStudio { try $0.insert(Shelf(id: 1, name: "first")) }
    let streams = try (0..<CommitSignal.countMax).map { _ in
      let events = try TestConnection(to: studio.server.port)
      events.send(studio.request("/models/Shelf/events"))
      #expect(events.read(upTo: "first") != nil)
      return events
    }
    // A browser does not come back after this answer.
    #expect(try studio.page("/models/Shelf/events").status == 204)
    withExtendedLifetime(streams) {}
  }

  @Test func aPageThatShowsNothingGetsAllRows() throws {
    let studio = try TestStudio { try $0.insert(Shelf(id: 1, name: "first")) }
    let events = try TestConnection(to: studio.server.port)
    events.send(studio.request("/models/Shelf/events?query=id+%3D%3D+1"))
    _ = events.read(upTo: "\r\n\r\n")
    #expect(events.read(upTo: "\n\n")?.contains("first") == true)
    let wrong = try TestConnection(to: studio.server.port)
    wrong.send(studio.request("/models/Shelf/events?query=no&version=1"))
    #expect(wrong.read(upTo: "\n\n\r\n")?.contains("event: failure") == true)
  }
}
