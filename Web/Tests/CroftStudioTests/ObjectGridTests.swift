import Croft
import Foundation
import PageServerTesting
import Testing

@testable import CroftStudio

/// The parts of a model's objects: where they begin, in which order, and what they cost.
struct ObjectGridTests {
  /// Numbers for tests, the same for a seed.
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  private func store(_ fill: (inout WriteTransaction) throws -> Void) throws -> Store {
    let store = try Store.inMemory(models: TestStudio.models)
    try store.write { try fill(&$0) }
    return store
  }

  private func model(_ name: String, in store: Store) throws -> StoredModel {
    try #require(try store.models.first { $0.name == name })
  }

  /// The keys of all pages.
  private func pages(
    of model: StoredModel, _ sort: String, count: Int, in store: Store
  ) throws -> [String] {
    var (request, keys) = (ObjectGrid.Request(sort: sort) as ObjectGrid.Request?, [String]())
    while let next = request {
      let grid = try store.read { try ObjectGrid(of: model, next, count: count, in: &$0) }
      keys += grid.objects.map(\.title)
      request = grid.next
    }
    return keys
  }

  /// Reads the pages back from an object, and compares each with a part of all keys.
  private func expectPagesBack(
    from start: Int, in keys: [String], of model: StoredModel, _ sort: String, count: Int,
    _ store: Store, _ comment: Comment
  ) throws {
    func page(_ request: ObjectGrid.Request) throws -> ObjectGrid {
      try store.read { try ObjectGrid(of: model, request, count: count, in: &$0) }
    }
    var (request, place) = (ObjectGrid.Request(sort: sort), 0)
    while place < start, let next = try page(request).next {
      request = next
      place += count
    }
    // Pages that begin elsewhere than those of the way there.
    let shift = count / 2
    if shift > 0, place + shift < keys.count {
      let part = try store.read { try ObjectGrid(of: model, request, count: shift, in: &$0) }
      (request, place) = (part.next ?? request, part.next == nil ? place : place + shift)
    }
    while let previous = try page(request).previous {
      request = try store.read {
        try ObjectGrid.previous(of: model, previous, count: count, in: &$0)
      }
      place = max(0, place - count)
      let found = try page(request)
      #expect(found.objects.map(\.title) == Array(keys[place...].prefix(count)), comment)
      if request.after == nil { break }
    }
    #expect(place == 0 && request.after == nil, comment)
  }

  /// The page after a key is a range of keys, and no object before it is read.
  @Test func aPageOfCompoundKeysIsARangeOfKeys() throws {
    let store = try store { tx in
      for number in 0..<500 { try tx.insert(Match(league: "L\(number % 3)", number: number)) }
    }
    let model = try model("Match", in: store)
    let order = try GridOrder("", of: model)
    let key = try #require(ObjectKey(path: "L1,100"))
    let parts = try #require(order.parts(after: GridOrder.Position(key: key, value: nil)))
    #expect(parts.count == 2)
    for part in parts {
      let condition = try #require(part.condition)
      let query = try DynamicQuery(
        "Match where (\(condition))\(order.clause) limit 101", named: part.parameters)
      let plan = try store.read { try $0.explain(query) }
      #expect(plan.access == .primaryKeyRange && plan.order == .primaryKey, "\(plan)")
      #expect(plan.residual == nil)
    }
    #expect(try pages(of: model, "", count: 7, in: store).count == 500)
  }

  @Test func aPageInTheOrderOfAnIndexIsARangeOfIt() throws {
    let store = try store { tx in
      for id in 0..<500 { try tx.insert(Sample(id: id, size: Double(id % 50), title: "a")) }
    }
    let model = try model("Sample", in: store)
    for sort in ["size", "size desc"] {
      let order = try GridOrder(sort, of: model)
      let key = try #require(ObjectKey(path: "40"))
      let position = GridOrder.Position(key: key, value: .double(40))
      for part in try #require(order.parts(after: position)).prefix(2) {
        let condition = try #require(part.condition)
        let query = try DynamicQuery(
          "Sample where (\(condition))\(order.clause) limit 101", named: part.parameters)
        let plan = try store.read { try $0.explain(query) }
        #expect(plan.access == .indexRange && plan.order != .sorted, "\(plan)")
        #expect(plan.residual == nil)
      }
    }
  }

  /// Beside a sort of all objects at once, with nil, NaN and values that are equal.
  @Test(arguments: 1...4) func pagesInAnyOrderAreTheSortedObjects(seed: Int) throws {
    var numbers = Numbers(state: UInt64(seed))
    let values: [Double?] = [nil, .nan, -0.0, 0, .infinity, -.infinity, 1.5, 1e300, -2]
    let titles = ["", "a", "A", "우유", String(repeating: "long ", count: 300), "b"]
    let samples = (0..<120).map { id in
      Sample(
        id: id, size: values.randomElement(using: &numbers) ?? nil,
        weight: values.randomElement(using: &numbers) ?? nil,
        title: titles.randomElement(using: &numbers) ?? "",
        takenAt: (values.randomElement(using: &numbers) ?? nil).map {
          Date(timeIntervalSinceReferenceDate: $0)
        })
    }
    let store = try store { try $0.insert(contentsOf: samples) }
    let model = try model("Sample", in: store)
    /// Nil, numbers and NaN, in this order.
    func isBefore(_ left: Double?, _ right: Double?) -> Bool {
      guard let left else { return right != nil }
      guard let right else { return false }
      return left.isNaN ? false : right.isNaN ? true : left < right
    }
    func keys(_ precedes: (Sample, Sample) -> Bool) -> [String] {
      samples.sorted { left, right in
        if precedes(left, right) { return true }
        return precedes(right, left) ? false : left.id < right.id
      }.map { "\($0.id)" }
    }
    let size = { (left: Sample, right: Sample) in isBefore(left.size, right.size) }
    let weight = { (left: Sample, right: Sample) in isBefore(left.weight, right.weight) }
    let title = { (left: Sample, right: Sample) in
      left.title.utf8.lexicographicallyPrecedes(right.title.utf8)
    }
    let time = { (left: Sample, right: Sample) in
      isBefore(
        left.takenAt?.timeIntervalSinceReferenceDate,
        right.takenAt?.timeIntervalSinceReferenceDate)
    }
    let id = { (left: Sample, right: Sample) in left.id < right.id }
    for (name, precedes) in [
      ("size", size), ("weight", weight), ("title", title), ("takenAt", time), ("id", id),
    ] {
      let count = Int.random(in: 1...30, using: &numbers)
      let ascending = try pages(of: model, name, count: count, in: store)
      #expect(ascending == keys(precedes), "seed \(seed), \(name)")
      for (keys, sort) in [
        (ascending, name), (keys { precedes($1, $0) }, "\(name) desc"),
      ] {
        try expectPagesBack(
          from: Int.random(in: 0..<keys.count, using: &numbers), in: keys, of: model, sort,
          count: count, store, "back: seed \(seed), \(sort)")
      }
      let descending = try pages(of: model, "\(name) desc", count: count, in: store)
      #expect(descending == keys { precedes($1, $0) }, "seed \(seed), \(name) desc")
    }
  }

  @Test func aPageBeforeAKeyIsReadBackwards() throws {
    let store = try store { tx in
      for id in 0..<500 {
        try tx.insert(Sample(id: id, size: Double(id % 50), title: "a"))
        try tx.insert(Match(league: "L\(id % 3)", number: id))
      }
    }
    let model = try model("Sample", in: store)
    for sort in ["", "id desc", "size", "size desc"] {
      let order = try GridOrder(sort, of: model).reversed
      let key = try #require(ObjectKey(path: "240"))
      let value = sort.hasPrefix("size") ? StoredValue.double(40) : .int(240)
      let position = GridOrder.Position(key: key, value: order.property == nil ? nil : value)
      for part in try #require(order.parts(after: position)).prefix(2) {
        let condition = try #require(part.condition)
        let query = try DynamicQuery(
          "Sample where (\(condition))\(order.clause) limit 101", named: part.parameters)
        let plan = try store.read { try $0.explain(query) }
        #expect(plan.order != .sorted && plan.residual == nil, "\(sort) \(plan)")
      }
    }
    let matches = try self.model("Match", in: store)
    let keys = try pages(of: matches, "", count: 500, in: store)
    for sort in ["", "league desc", "number", "number desc"] {
      let keys = sort.isEmpty ? keys : try pages(of: matches, sort, count: 500, in: store)
      try expectPagesBack(from: 400, in: keys, of: matches, sort, count: 70, store, "\(sort)")
    }
  }

  /// There was no way back but the first page and the history of the browser.
  @Test func aLinkLeadsToThePreviousPageWithTheFilterAndTheOrder() throws {
    let studio = try TestStudio { tx in
      for id in 0..<350 { try tx.insert(Sample(id: id, size: Double(id % 3), title: "t\(id % 2)")) }
    }
    for query in ["", "?query=id+%3E+9&sort=size%20desc", "?sort=title"] {
      var page = try studio.page("/models/Sample\(query)")
      #expect(page.previous == nil)
      var pages = [page.objects]
      while let next = page.next {
        page = try studio.page(next)
        pages.append(page.objects)
      }
      #expect(pages.count == 4)
      for expected in pages.dropLast().reversed() {
        let answer = try studio.page(try #require(page.previous))
        #expect(answer.status == 303)
        let path = try #require(answer.headers["location"])
        #expect(path.contains("query=") == query.contains("query="))
        #expect(path.contains("sort=") == query.contains("sort="))
        page = try studio.page(path)
        #expect(page.objects == expected, "\(query) \(path)")
      }
      #expect(page.previous == nil && page.text.contains("First page") == false)
    }
    #expect(try studio.page("/models/Sample?before=no").status == 422)
    let end = try studio.page("/models/Sample?after=349")
    #expect(end.objects.isEmpty && end.previous == "/models/Sample?before=349")
  }

  @Test func aHeaderSortsAndTheOrderStaysInTheAddress() throws {
    let studio = try TestStudio { tx in
      for id in 0..<150 { try tx.insert(Sample(id: id, title: "t\(id % 10)")) }
    }
    let page = try studio.page("/models/Sample")
    #expect(
      page.text.contains(
        #"<th scope="col" aria-sort="ascending"><div class="column" data-column="id"><a href="/models/Sample?sort=id%20desc">id</a>"#
      ))
    let sorted = try studio.page("/models/Sample?sort=title")
    #expect(sorted.objects.prefix(2) == ["/models/Sample/objects/0", "/models/Sample/objects/10"])
    #expect(sorted.addresses.contains("/models/Sample?sort=title%20desc"))
    #expect(sorted.text.contains(#"<input type="hidden" name="sort" value="title">"#))
    let next = try studio.page(try #require(sorted.next))
    #expect(next.objects.count == 50 && Set(next.objects + sorted.objects).count == 150)
    #expect(next.addresses.contains("/models/Sample?sort=title"))
    for sort in ["none", "title%20up", "title%20desc%20x"] {
      let refused = try studio.page("/models/Sample?sort=\(sort)")
      #expect(refused.status == 422 && refused.text.contains("cannot be sorted by"))
    }
    #expect(try studio.page("/models/Volume?sort=earlier").status == 422)
    #expect(try studio.page("/models/Sample?sort=title&after=1&from=x").status == 422)
    #expect(try studio.page("/models/Sample?sort=title&after=999").status == 422)
  }

  @Test func aSortWithoutAnIndexOverManyObjectsSaysSo() throws {
    let studio = try TestStudio { tx in
      for id in 0..<ObjectGrid.manyObjects { try tx.insert(Sample(id: id, size: 1, title: "t")) }
    }
    let note = "No index has the order of weight"
    #expect(try studio.page("/models/Sample?sort=weight").text.contains(note))
    for sort in ["size", "title%20desc", "id%20desc", "id"] {
      #expect(try !studio.page("/models/Sample?sort=\(sort)").text.contains("No index"), "\(sort)")
    }
  }

  /// A page held the bytes of all of its objects.
  @Test func aPageOfLargeValuesTakesLittleMemory() throws {
    let studio = try TestStudio { tx in
      let text = String(repeating: "long text ", count: 50_000)
      for id in 0..<100 {
        let cover = Data(repeating: UInt8(id), count: 1 << 20)
        try tx.insert(Volume(id: id, title: text, note: nil, cover: cover))
      }
    }
    _ = try studio.page("/")
    let before = try studio.server.memory
    let page = try studio.page("/models/Volume")
    #expect(page.objects.count == 100 && page.text.utf8.count < 200_000)
    #expect(try studio.server.memory - before < 60 << 20)
    let object = try studio.page("/models/Volume/objects/1")
    #expect(
      object.text.contains("… 20000 of 500000 characters") && object.text.utf8.count < 100_000)
    let title = try #require(object.addresses.first { $0.hasSuffix("/values/title") })
    #expect(try studio.page(title).headers["content-length"] == "500000")
  }

  @Test func theBeginningOfATextIsOfCharacters() {
    let text = "a" + String(repeating: "\u{301}", count: 10_000) + "b"
    for (text, beginning) in [("우유", "우유"), ("우유 배달", "우유"), ("", "")] {
      let found = ValueText.beginning(of: text, 2)
      #expect(found.text == beginning && found.isAll == (text == beginning))
    }
    let cut = ValueText.beginning(of: text, 2)
    #expect(cut.text.unicodeScalars.count == 16 && !cut.isAll)
  }

  /// The grid had three dots, and the page the number of bytes.
  @Test func aTextThatIsNotShownWholeTellsHowLongItIs() throws {
    let title = String(repeating: "우유 ", count: 500)
    let studio = try TestStudio(writes: true) { tx in
      try tx.insert(Volume(id: 1, title: title, note: String(repeating: "n", count: 9_000)))
    }
    let grid = try studio.page("/models/Volume")
    #expect(grid.text.contains("… 200 of 1500 characters"))
    #expect(grid.text.contains("… 200 characters of 9000 bytes"))
    let whole = try #require(grid.addresses.first { $0.hasSuffix("/values/title") })
    #expect(try studio.page(whole).text == title)
    let object = try studio.page("/models/Volume/objects/1")
    #expect(object.text.contains(title) && !object.text.contains("characters"))
    var form = try studio.form(at: "/models/Volume/objects/1/edit")
    form["set:0:title"] = "short"
    #expect(try studio.post(form).text.contains("… 1000 of 1500 characters"))
  }

  @Test func aDamagedObjectIsNamedInItsRow() throws {
    let mark = "a name that is damaged"
    let studio = try TestStudio(damaging: mark) { tx in
      for id in 0..<150 { try tx.insert(Shelf(id: id, name: id == 40 ? mark : "shelf \(id)")) }
    }
    let page = try studio.page("/models/Shelf")
    #expect(page.status == 200)
    #expect(
      page.text.contains(#"<td class="damage" colspan="2">The store is damaged at Shelf 40:"#))
    #expect(page.objects.count == 99)
    let next = try studio.page(try #require(page.next))
    #expect(Set(page.objects + next.objects).count == 149)
    #expect(try studio.page("/models/Shelf/objects/40").text.contains("The store is damaged"))
  }
}
