import Croft
import Foundation
import PageServerTesting
import Testing

@testable import CroftStudio

/// Queries that are wrong, that fail while they run, and that nobody waits for.
struct QueryTests {
  /// Each level of the condition multiplies the work by the number of volumes: nobody sees the end.
  static let endless =
    String(repeating: "Volume.earlier any (", count: 8) + "id < 0"
    + String(repeating: ")", count: 8)

  /// Forty volumes, each of which refers to all.
  static func fill(_ tx: inout WriteTransaction) throws {
    let volumes = (1...40).map { Volume(id: $0, title: "v", note: nil, cover: nil) }
    try tx.insert(contentsOf: volumes)
    for var volume in volumes {
      volume.earlier = volumes.map { Ref($0) }
      try tx.upsert(volume)
    }
  }

  /// Volumes of six megabytes, which are more than the buffers between a server and a reader.
  static func fillMany(_ tx: inout WriteTransaction) throws {
    let title = String(repeating: "long ", count: 60)
    try tx.insert(
      contentsOf: (1...20_000).map { Volume(id: $0, title: title, note: nil, cover: nil) })
  }

  /// They were run by the threads that read from and write to all connections.
  @Test func slowQueriesStopNoOtherPages() throws {
    let studio = try TestStudio("--query-limit", "3600", fill: Self.fill)
    let slow = try (1..<QueryQueue.queriesMax).map { _ in
      let connection = try TestConnection(to: studio.server.port)
      connection.send(studio.request(TestStudio.path("Volume", where: Self.endless)))
      return connection
    }
    for _ in 0..<8 { #expect(try studio.page("/models/Volume").status == 200) }
    withExtendedLifetime(slow) {}
  }

  @Test func aQueryEndsWithItsTab() throws {
    let studio = try TestStudio("--query-limit", "3600", fill: Self.fill)
    for _ in 0..<3 {
      let slow = try (0..<QueryQueue.queriesMax).map { _ in
        let connection = try TestConnection(to: studio.server.port)
        connection.send(studio.request(TestStudio.path("Volume", where: Self.endless)))
        return connection
      }
      withExtendedLifetime(slow) {}
    }
    // All threads of queries were taken.
    #expect(try studio.page("/models/Volume").status == 200)
  }

  /// It was waited for, for as long as it ran.
  @Test func aQueryEndsWithTheServer() throws {
    let studio = try TestStudio("--query-limit", "3600", fill: Self.fill)
    let path = TestStudio.path("Volume", where: Self.endless)
    let slow = try (1..<QueryQueue.queriesMax).map { _ in
      let connection = try TestConnection(to: studio.server.port)
      connection.send(studio.request(path))
      return connection
    }
    // The queries run by then, or soon.
    #expect(try studio.page("/models/Volume").status == 200)
    #expect(studio.server.stop() == 0)
    withExtendedLifetime(slow) {}
  }

  @Test func aQueryThatTakesTooLongIsToldUnderTheFilter() throws {
    let studio = try TestStudio("--query-limit", "1", fill: Self.fill)
    let page = try studio.grid("Volume", where: Self.endless)
    #expect(page.status == 503)
    #expect(page.text.contains("The query took longer than 1 s and was ended."))
    #expect(page.text.contains("--query-limit") && page.text.contains("role=\"alert\""))
    #expect(page.text.contains("value=\"Volume.earlier any"))
    #expect(try studio.page("/models/Volume").status == 200)
    let path = "/models/Volume/count?query=\(Self.endless.percentEncoded)"
    let count = try studio.page(path)
    #expect(
      count.status == 200 && count.text.contains("not counted, because it takes longer than 1"))
  }

  /// One of them took the page down.
  @Test func referencesThatTakeTooLongAreNotCounted() throws {
    let studio = try TestStudio(fill: Self.fill)
    let store = try ShownStore(path: studio.file.path, isWritable: false)
    let model = try #require(try store.models.first { $0.name == "Volume" })
    let key = try #require(ObjectKey(path: "1"))
    func counts(_ limit: Duration) throws -> [String] {
      let progress = QueryProgress(limit: nil)
      try progress.begin()
      return try QueryProgress.$current.withValue(progress) {
        try store.read { tx in
          let details = try ObjectDetails(of: model, key, countLimit: limit, in: &tx)
          #expect(details?.values.count == model.properties.count)
          return details?.links.compactMap { $0["count"] as? String } ?? []
        }
      }
    }
    #expect(try counts(.seconds(3_600)) == ["40"])
    #expect(try counts(.zero) == ["not counted, because it takes too long"])
    #expect(try studio.page("/models/Volume/objects/1").text.contains("Volume.earlier</a>: 40<"))
  }

  /// The objects that were found until then were dropped, and no page showed them.
  @Test(arguments: ["", "id desc"]) func aQueryThatEndsHasWhatWasFound(sort: String) throws {
    let store = try Store.inMemory(models: TestStudio.models)
    let hits = [10, 11_000, 20_001, 49_999]
    try store.write { tx in
      try tx.insert(
        contentsOf: (0..<50_000).map { Shelf(id: $0, name: hits.contains($0) ? "hit" : "shelf") })
    }
    let model = try #require(try store.models.first { $0.name == "Shelf" })
    var (request, found, stops) = (
      ObjectGrid.Request(filter: "name == \"hit\"", sort: sort) as ObjectGrid.Request?, [String](),
      0
    )
    // Each page may read this many blocks; more of them where that was not enough for any progress.
    var blocks = 1
    while let next = request {
      var rest = blocks
      let stop = QueryProgress.Stop.tooSlow(.seconds(10))
      do {
        let progress = QueryProgress(limit: nil)
        let grid = try QueryProgress.$current.withValue(progress) {
          try store.read(onProgress: {
            rest -= 1
            // Once for all objects at once, and then for the ranges.
            if rest == 0 || rest < -blocks { throw stop }
          }) { try ObjectGrid(of: model, next, in: &$0) }
        }
        found += grid.objects.map(\.title)
        if grid.isStopped {
          stops += 1
          #expect(grid.notes.contains { $0.hasPrefix("The query was ended after 10 s;") })
        }
        request = grid.next
      } catch let error as QueryProgress.Stop {
        #expect(error == stop)
        blocks *= 2
      }
    }
    #expect(found == (sort.isEmpty ? hits : hits.reversed()).map { "\($0)" })
    #expect(stops > 0)
    // A range is shorter than what is between the objects.
    if sort.isEmpty { #expect(blocks <= 128) }
  }

  /// A page waited until a hundred were found, or all objects were tested.
  @Test func aSearchTellsWhatItHasFoundUntilThen() throws {
    let store = try Store.inMemory(models: TestStudio.models)
    let hits = [10, 11_000, 20_001, 49_999]
    try store.write { tx in
      try tx.insert(
        contentsOf: (0..<50_000).map { Shelf(id: $0, name: hits.contains($0) ? "hit" : "shelf") })
    }
    let model = try #require(try store.models.first { $0.name == "Shelf" })
    func read(
      _ request: ObjectGrid.Request, upTo patience: Duration?, shown: Int = 0,
      tell: ((ObjectGrid) -> Void)? = nil
    ) throws -> ObjectGrid {
      let progress = QueryProgress(limit: nil)
      try progress.begin()
      return try QueryProgress.$current.withValue(progress) {
        try store.read(onProgress: { try progress.check() }) {
          try ObjectGrid(
            of: model, request, upTo: patience, shown: shown, tellPause: .zero, tell: tell,
            in: &$0)
        }
      }
    }
    let request = ObjectGrid.Request(filter: "name == \"hit\"")
    let first = try read(request, upTo: .zero)
    #expect(first.isSearching && first.objects.isEmpty && first.notes.isEmpty)
    #expect(first.next == ObjectGrid.Request(filter: request.filter, waits: true))
    let whole = try read(request, upTo: .seconds(3_600))
    #expect(!whole.isSearching && whole.objects.map(\.title) == hits.map { "\($0)" })

    var parts: [ObjectGrid] = []
    let grid = try read(request, upTo: nil) { parts.append($0) }
    #expect(grid.objects == whole.objects && !grid.isSearching && grid.next == nil)
    #expect(parts.count >= 3 && parts.map(\.objects.count) == Array(1...parts.count))
    for part in parts {
      #expect(part.isSearching && part.objects == Array(whole.objects.prefix(part.objects.count)))
      #expect(part.next?.after == part.objects.last?.path && part.next?.waits == true)
    }
    // A page with two objects got one of them in place of both.
    var later: [Int] = []
    _ = try read(request, upTo: nil, shown: 2) { later.append($0.objects.count) }
    #expect(later.first == 3)
    // The way back ends with the first objects that it finds.
    var rest = 1
    let progress = QueryProgress(limit: nil)
    try progress.begin()
    let back = try QueryProgress.$current.withValue(progress) {
      try store.read(onProgress: {
        rest -= 1
        if rest == 0 { throw QueryProgress.Stop.tooSlow(.seconds(1)) }
      }) {
        let last = ObjectGrid.Request(filter: request.filter, before: "49999")
        return try ObjectGrid.previous(of: model, last, in: &$0)
      }
    }
    let start = try #require(back.after.flatMap { Int($0) })
    #expect(start > 11_000 && start < 20_001)
    #expect(try read(back, upTo: nil).objects == Array(whole.objects.suffix(2)))
    // Nothing is in part where all objects are sorted, or an index finds them.
    for request in [
      ObjectGrid.Request(filter: "name == \"hit\"", sort: "name"),
      ObjectGrid.Request(filter: "id > 49990"), ObjectGrid.Request(),
    ] { #expect(try !read(request, upTo: .seconds(3_600)) { _ in Issue.record() }.isSearching) }
  }

  /// Beside the first object, others take long to be tested.
  @Test func aPageIsAnsweredWithTheFirstObjectsAndGetsTheOthers() throws {
    let studio = try TestStudio("--query-limit", "3600") { tx in
      let heavy = (1_001...1_028).map { Ref<Volume>($0) }
      try tx.insert(
        contentsOf: (1...2_000).map { Volume(id: $0, title: "v", note: nil, cover: nil) })
      for id in 1_001...1_028 {
        try tx.upsert(Volume(id: id, title: "v", note: nil, cover: nil, earlier: heavy))
      }
    }
    let slow =
      String(repeating: "Volume.earlier any (", count: 3) + "id < 0"
      + String(repeating: ")", count: 3)
    let page = try studio.grid("Volume", where: "title == \"v\" and (id in [5, 1990] or \(slow))")
    #expect(page.status == 200 && page.text.contains("id=\"searching\""), "\(page.text)")
    #expect(!page.text.contains("/objects/1990") && !page.text.contains("count-link"))
    #expect(page.next?.contains("wait=1") == true)
    let version = try #require(page.text.firstMatch(of: #/data-version="(\w+)"/#)?.output.1)
    let path = try #require(page.text.firstMatch(of: #/data-events="([^"]+)"/#)?.output.1)
    let found = page.objects.count
    #expect(path.hasSuffix("search=\(found)") && page.text.contains("Searching: \(found) object"))
    let events = try TestConnection(to: studio.server.port)
    events.send(
      studio.request("\(path.replacing("&amp;", with: "&"))&version=\(version)"))
    #expect(events.read(upTo: "\r\n\r\n")?.hasPrefix("HTTP/1.1 200") == true)
    var event = ""
    while !event.contains("/objects/1990"), let next = events.read(upTo: "\n\n") {
      event = next.replacing("\\/", with: "/")
    }
    #expect(event.contains("/objects/5") && event.contains("/objects/1990"))
    #expect(!event.contains("searching") && event.contains("Found by the filter: "))
  }

  @Test func aPartOfAQueryEndsAlone() throws {
    let progress = QueryProgress(limit: nil)
    try progress.begin()
    try QueryProgress.$current.withValue(progress) {
      #expect(try QueryProgress.part(upTo: .zero) { try progress.check() } == nil)
      #expect(try QueryProgress.part(upTo: .seconds(3_600)) { 1 } == 1)
      try progress.check()
    }
    let over = QueryProgress(limit: .zero)
    try over.begin()
    QueryProgress.$current.withValue(over) {
      #expect(throws: QueryProgress.Stop.tooSlow(.zero)) {
        try QueryProgress.part(upTo: .seconds(3_600)) { try over.check() }
      }
    }
  }

  @Test func aWaitingQueryIsNotBegunForNobody() throws {
    let progress = QueryProgress(limit: nil)
    progress.cancel()
    #expect(throws: QueryProgress.Stop.left) { try progress.begin() }
    let slow = QueryProgress(limit: .zero)
    try slow.begin()
    #expect(throws: QueryProgress.Stop.tooSlow(.zero)) { try slow.check() }
  }

  /// The mark below the text was at the wrong column: letters of Korean are two columns wide.
  @Test(arguments: [
    ("name == \"우유\" and x", "name == &quot;우유&quot; and <mark>x</mark></code>"),
    ("이름 == 1", "<code><mark>이름</mark> == 1</code>"), ("name ==", "name ==<mark>…</mark></code>"),
    ("  yeer == 1 ", "<code><mark>yeer</mark> == 1</code>"),
    ("name == \"a\" ) or id == 1", "name == &quot;a&quot; <mark>)</mark> or id == 1</code>"),
  ])
  func theWrongWordIsMarked(filter: String, marked: String) throws {
    let studio = try TestStudio()
    let page = try studio.grid("Shelf", where: filter)
    #expect(page.status == 422 && page.text.contains(marked), "\(page.text)")
  }

  /// The hints were of whole statements: what may follow was select, group by and limit.
  @Test func aFilterThatIsMoreThanAConditionIsTold() throws {
    let studio = try TestStudio()
    for (filter, reason, word) in [
      ("Shelf where name == \"a\"", "Type only what follows where: name == \"a\"", "Shelf"),
      ("shelf where id > 1 sort by name limit 3", "Type only what follows where: id > 1", "shelf"),
      ("where id == 1", "Type only what follows where: id == 1", "where"),
      ("Volume", "Type only what follows where.", "Volume"),
      ("select name", "Type only what follows where; the page shows all properties.", "select"),
      ("sort by name", "Type only what follows where; to sort, click", "sort by"),
      ("id > 1 order by name desc", "Type only what follows where; to sort, click", "order by"),
      ("id > 1 limit 5", "Type only what follows where; a page has 100 objects", "limit"),
      ("id > 1 take 5", "Type only what follows where; a page has 100 objects", "take"),
      ("delete Shelf where id == 1", "Type only what follows where: id == 1", "delete"),
      ("delete Shelf", "Type only what follows where; objects are changed with", "delete"),
      ("id > 1 foo", "does not fit here: what may follow is and, or<", "foo"),
      ("id > 1 sorrt name", "does not fit here: what may follow is and, or<", "sorrt"),
      ("id == $1", "a filter has no parameters: write the value itself<", "$"),
      ("id == ?", "write the value itself<", "?"),
    ] {
      let page = try studio.grid("Shelf", where: filter)
      let text = page.text.replacing("&quot;", with: "\"").replacing("&gt;", with: ">")
      #expect(page.status == 422 && text.contains(reason), "\(filter): \(text)")
      #expect(text.contains("<mark>\(word)</mark>"), "\(filter): \(text)")
      for clause in ["group by", "distinct by", "a parameter", "a query"] {
        #expect(!text.contains(clause), "\(filter): \(text)")
      }
    }
  }

  /// Words of clauses that are names of properties, or texts.
  @Test func aConditionMayHaveWordsOfClauses() throws {
    let store = try Store.inMemory(models: TestStudio.models)
    let models = try store.models
    let model = try #require(models.first { $0.name == "Shelf" })
    for filter in ["name == \"sort by limit\"", "`where` == 1", "limit.a == 1", "limit == 3"] {
      #expect(FilterAdvice(filter, of: model, among: models).clause(at: 0) == nil, "\(filter)")
    }
  }

  /// It was dropped, and all objects were shown.
  @Test(arguments: ["%FF", "%zz", "id+==+1+or+%C3", "%"])
  func aFilterThatCannotBeDecodedIsTold(query: String) throws {
    let studio = try TestStudio { try $0.insert(Shelf(id: 1, name: "shelf")) }
    for field in ["query", "after"] {
      let page = try studio.page("/models/Shelf?\(field)=\(query)")
      #expect(page.status == 422 && page.text.contains("not text in UTF-8"))
      #expect(page.objects.isEmpty)
    }
  }

  /// It was answered with 500, and the filter was gone.
  @Test func anErrorOfARunningQueryIsToldUnderTheFilter() throws {
    let studio = try TestStudio { try $0.insert(Shelf(id: 1, name: "shelf")) }
    // A search has 64 terms at most, which are counted when it runs.
    let words = (0..<65).map { "word\($0)" }.joined(separator: " ")
    let page = try studio.grid("Shelf", where: "name matches \"\(words)\"")
    #expect(page.status == 422 && page.text.contains("value=\"name matches"))
    #expect(page.text.contains("id=\"error\"") && page.text.contains("more than 64 terms"))
    #expect(try studio.grid("Shelf", where: "name matches \"shelf\"").objects.count == 1)
  }

  /// Pages told their readers to use upsert, and to open the store for writing.
  @Test(
    arguments: [
      .duplicateKey(model: "M", fields: ["a"], key: "1"), .readOnly, .nestedWrite,
      .objectTooLarge(model: "M", key: "1", bytes: 9),
      .cannotEncode(model: "M", field: "a", reason: "no JSON"),
      .primaryKeyChanged(model: "M", key: "1"), .staleObject(model: "M", fields: ["a"], key: "1"),
      .conditionTooDeep(model: "M"), .expressionTooDeep(model: "M"), .unknownModel(model: "M"),
      .relevanceWithoutSearch(model: "M"),
      .cannotOpen(
        path: "p", reason: "there is no such file; open the store for writing to create it"),
      .cannotOpen(path: "p", reason: "it is on a network file system; set allowsNetworkFileSystem"),
      .notACroftFile(path: "p", reason: "its first bytes are not those of a store"),
      .newerFormat(path: "p", version: 9), .unsupportedFeatures(path: "p", features: ["x"]),
      .schemaMismatch(model: "M", field: "a", reason: "its program knows; allow unknown cases"),
      .fileReplaced(path: "p", reason: "another file is there"),
      .busy(reason: "another writer was at work, for longer than writerTimeout"),
      .mapFull(reason: "MDB_MAP_FULL"), .readersFull(reason: "MDB_READERS_FULL"),
      .tooManyTrees(reason: "MDB_DBS_FULL"), .transactionFailed(reason: "MDB_BAD_TXN"),
      .overflow(model: "M", field: "a"), .notCodable(key: "k", reason: "r"),
      .cannotWrite(path: "p", reason: "r"), .invalidModel(model: "M", reason: "r"),
      .keyTooLong(model: "M", field: "a", bytes: 300), .searchTooLong(model: "M"),
      .corrupt(model: "M", key: "1", reason: "r"), .system(reason: "r", code: 5),
      .uniqueViolation(model: "M", fields: ["a"], key: "1", existing: "2"),
      .deniedByRelation(model: "M", field: "a", key: "1", target: "T 2", count: 1),
    ] as [StoreError])
  func errorsOfTheStoreAreToldForPages(error: StoreError) {
    let text = error.pageText
    for word in [
      "upsert", "isReadOnly", "Store.", "maxReaders", "models:", "for writing", "usesStoredModels",
      "writerTimeout", "transaction", "MDB_", "&&", "this program", "allow", "fetched", "insert",
    ] {
      #expect(!text.contains(word), "\(text)")
    }
    #expect(text.hasSuffix(".") && !text.contains(".."), "\(text)")
  }
}
