import Foundation
import TestSupport
import Testing

@testable import Croft

/// Query texts beside typed queries over the same objects, in a store that declares the models and one that does not.
@Suite struct DynamicQueryTests {
  /// A text, and the condition that a typed program writes for it.
  static let pairs: [(text: String, query: Query<Tome>)] = {
    var pairs: [(text: String, query: Query<Tome>)] = []
    // One statement each: the compiler takes long for one list of all.
    func add(_ text: String, _ query: Query<Tome>) { pairs.append((text, query)) }
    add("Tome", Tome.all)
    add("Tome where year == 1999", Tome.where { $0.year == 1999 })
    add("Tome where 1999 = year", Tome.where { $0.year == 1999 })
    add("Tome where year != 1999", Tome.where { $0.year != 1999 })
    add(
      "Tome where 2000 < year and year <= 2010",
      Tome.where { $0.year > 2000 && $0.year <= 2010 })
    add("Tome where year between 2000 and 2010", Tome.where { $0.year.between(2000, 2010) })
    add("Tome where not isLent", Tome.where { !$0.isLent })
    add("Tome where isLent == false", Tome.where { $0.isLent == false })
    add("Tome where !(isLent or copies > 2)", Tome.where { !($0.isLent || $0.copies > 2) })
    add("Tome where copies in [0, 3]", Tome.where { $0.copies.in([0, 3]) })
    add("Tome where copies not in [0, 3]", Tome.where { !$0.copies.in([0, 3]) })
    add("Tome where price == nil", Tome.where { $0.price == nil })
    add("Tome where price != null", Tome.where { $0.price != nil })
    add("Tome where cover == nil", Tome.where { $0.cover.isNil })
    add("Tome where cover != nil", Tome.where { !$0.cover.isNil })
    add("Tome where cover.pages == nil", Tome.where { $0.cover.pages == nil })
    add("Tome where writer.born == nil", Tome.where { $0.writer.born == nil })
    add("Tome where price in [nil, 2.5]", Tome.where { $0.price.in([nil, 2.5]) })
    add("Tome where price >= 2.25", Tome.where { $0.price >= 2.25 })
    add("Tome where cost < 1.25", Tome.where { $0.cost < Decimal(1.25) })
    add("Tome where shelf >= 1", Tome.where { $0.shelf >= .middle })
    add("Tome where title == \"바나나우유\"", Tome.where { $0.title == "바나나우유" })
    add("Tome where title contains \"il\"", Tome.where { $0.title.contains("il") })
    add(
      "Tome where title contains[c] \"MI\"",
      Tome.where { $0.title.contains("MI", options: [.caseInsensitive]) })
    add(
      "Tome where title contains[cd] 'zoe'",
      Tome.where { $0.title.contains("zoe", options: [.caseInsensitive, .diacriticInsensitive]) })
    add("Tome where title beginsWith \"Sea\"", Tome.where { $0.title.hasPrefix("Sea") })
    add("Tome where title endsWith \"level\"", Tome.where { $0.title.hasSuffix("level") })
    add("Tome where title like \"a\\\\*b\"", Tome.where { $0.title.like("a\\*b") })
    add("Tome where title matches \"우유\"", Tome.where { $0.title.matches("우유") })
    add("Tome where writer.name == \"ada\"", Tome.where { $0.writer.name == "ada" })
    add("Tome where writer == nil", Tome.where { $0.writer == nil })
    add("Tome where writer == 3", Tome.where { $0.writer == Ref(3) })
    add(
      "Tome where writer.born < 2000-01-01",
      Tome.where { $0.writer.born < date("2000-01-01T00:00:00Z") })
    add(
      "Tome where tags any (it beginsWith \"a\")",
      Tome.where { $0.tags.any { $0.hasPrefix("a") } })
    add("Tome where tags all (it != \"a\")", Tome.where { $0.tags.all { $0 != "a" } })
    add("Tome where tags none (it == \"a\")", Tome.where { $0.tags.none { $0 == "a" } })
    add("Tome where tags contains \"집안일\"", Tome.where { $0.tags.contains("집안일") })
    add("Tome where tags.count > 2", Tome.where { $0.tags.count > 2 })
    add("Tome where scores.sum >= 8", Tome.where { $0.scores.sum >= 8 })
    add("Tome where scores.max == 8", Tome.where { $0.scores.max == 8 })
    add(
      "Tome where readers any (it.name == \"Bo\")",
      Tome.where { $0.readers.any { $0.name == "Bo" } })
    add("Tome where readers any (it == 2)", Tome.where { $0.readers.contains(Ref(2)) })
    add("Tome where binding.color == \"red\"", Tome.where { $0.binding.color == "red" })
    add("Tome where cover.pages > 4", Tome.where { $0.cover.pages > 4 })
    add("Tome where copies + 1 > 3", Tome.where { $0.copies + 1 > 3 })
    add("Tome where (price ?? 0) == 0", Tome.where { ($0.price ?? 0) == 0 })
    add("Tome where lower(title) == \"milk\"", Tome.where { $0.title.lowercased() == "milk" })
    add("Tome where length(title) > 4", Tome.where { $0.title.count > 4 })
    add(
      "Tome where year(lentAt) == 2026",
      Tome.where { $0.lentAt.component(.year, in: DynamicWorld.utc) == 2026 })
    add(
      "Tome where start(lentAt, month) == 2026-06-01",
      Tome.where {
        $0.lentAt.start(of: .month, in: DynamicWorld.utc) == date("2026-06-01T00:00:00Z")
      })
    add(
      "Tome where code == 00000000-0000-0000-0000-000000000007",
      Tome.where { $0.code == uuid(7) })
    add("Tome where bytes == x\"0001\"", Tome.where { $0.bytes == Data([0, 1]) })
    add("Tome sort by title desc, year", Tome.order(by: \.title.descending, \.year))
    add(
      "Tome sort by writer.name limit 7 offset 3",
      Tome.order(by: \.writer.name).limit(7, offset: 3))
    add(
      "Tome distinct by year sort by copies desc",
      Tome.order(by: \.copies.descending).distinct(by: \.year))
    add("Tome where copies > 300", Tome.where { $0.id == -1 })
    add("Tome where copies < 300 and year > -99999999999", Tome.all)
    add("Tome where true and not false limit 3", Tome.all.limit(3))
    return pairs
  }()

  private static func date(_ text: String) -> Date {
    QueryMoment(calendar: DynamicWorld.utc, now: Date()).date(text) ?? .distantPast
  }

  private static func uuid(_ number: UInt8) -> UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number))
  }

  @Test func textsGiveWhatTypedQueriesGive() throws {
    var random = SeededGenerator.forTest("textsGiveWhatTypedQueriesGive")
    let world = try DynamicWorld(&random)
    let seed = random.seed
    let declared = try world.open()
    let undeclared = try world.openUndeclared()
    for (text, query) in Self.pairs {
      let expected = try declared.fetch(query).map(\.id)
      #expect(try world.ids(text, in: declared) == expected, "\(text), seed \(seed)")
      #expect(try world.ids(text, in: undeclared) == expected, "\(text), seed \(seed)")
      #expect(try undeclared.count(world.query(text)) == expected.count, "\(text), seed \(seed)")
    }
  }

  /// The executor is given the same condition, so plans and their tests hold for texts as well.
  @Test func aTextIsTheTreeOfTheTypedQuery() throws {
    var random = SeededGenerator(seed: 1)
    let world = try DynamicWorld(count: 1, &random)
    let entries = try world.openUndeclared().read { tx in
      try SchemaUpdate.readAll(tx.base)
    }
    let changed = ["> 300", "< 300", "not false", "1.25", "start(", "year("]
    for (text, query) in Self.pairs where !changed.contains(where: text.contains) {
      let resolved = try ResolvedQuery(world.query(text), entries.schemas, now: Date())
      #expect(resolved.core == query.core, "\(text)")
      #expect(
        try Query<Tome>(String(text.dropFirst("Tome ".count)), calendar: DynamicWorld.utc)
          == query)
    }
  }

  @Test func aTypedQueryIsWrittenAsATextThatIsReadAsAnEqualOne() throws {
    for (_, query) in Self.pairs {
      let text = query.description
      #expect(try Query<Tome>(text, calendar: DynamicWorld.utc) == query, "\(text)")
    }
    let moment = Date(timeIntervalSinceReferenceDate: 812_345_678.123_456_7)
    let others: [Query<Tome>] = [
      Tome.where { $0.lentAt > moment || !($0.title == "a\"\\b" && $0.price == nil) },
      Tome.where { ($0.isLent || $0.copies < 2) && ($0.year > 3 || $0.year < 1) },
      Tome.where { $0.price.in([0.1, nil, 1e-7, 1e300]) && $0.cost >= Decimal(12.5) },
      Tome.where { $0.lentAt.start(of: .weekOfYear, in: DynamicWorld.utc) < moment },
    ]
    for query in others {
      #expect(try Query<Tome>(query.description, calendar: DynamicWorld.utc) == query, "\(query)")
    }
    let first = try #require(
      Self.pairs.first { $0.text.contains("writer.name sort") || $0.text.contains("limit 7") })
    #expect(first.query.description == "Tome sort by writer.name limit 7 offset 3")
    #expect(
      Tome.where { $0.readers.any { $0.name == "Bo" } }.description
        == "Tome where readers any (it.name == \"Bo\")")
  }

  @Test func aTypedQueryIsCheckedWhenItIsMade() throws {
    #expect(
      try Query<Tome>("year < $1 and title == $2", 2000, "Sea")
        == Tome.where { $0.year < 2000 && $0.title == "Sea" })
    #expect(try Query<Tome>("id in $1", [1, 2]) == Tome.where { $0.id.in([1, 2]) })
    #expect(try Query<Tome>("sort by year limit 3") == Tome.order(by: \.year).limit(3))
    #expect(try Query<Tome>("") == Tome.all)
    for text in [
      "yeer < 1", "year < \"a\"", "year < $1", "select title", "group by year",
      "year < 1 where copies > 1",
    ] {
      #expect(throws: QueryTextError.self, "\(text)") { _ = try Query<Tome>(text) }
    }
  }

  /// Nil is what an absent reference makes of what is after it, and a parameter may be nil.
  @Test func whatMayBeNilIsComparedWithNil() throws {
    var random = SeededGenerator.forTest("whatMayBeNilIsComparedWithNil")
    let world = try DynamicWorld(&random)
    let store = try world.open()
    let without = world.volumes.filter { $0.writer == nil }.map(\.id)
    for text in ["lower(writer.name) == nil", "writer.name.count == nil", "writer.name == nil"] {
      #expect(try world.ids("Tome where " + text, in: store) == without, "\(text), \(random.seed)")
    }
    let nothing: Int? = nil
    let bare = world.volumes.filter { $0.cover == nil }.map(\.id)
    for (text, expected) in [("cover == $1", bare), ("price == $1", nil), ("year == $1", [])] {
      let query = try world.query("Tome where " + text, nothing)
      let expected = expected ?? world.volumes.filter { $0.price == nil }.map(\.id)
      #expect(try store.fetch(query).map { try $0["id", as: Int.self] } == expected, "\(text)")
    }
    #expect(throws: QueryTextError.self) {
      try store.fetch(world.query("Tome where cover in [$1]", nothing))
    }
  }

  /// Values that were typed have the types of what they are compared with.
  @Test func textsAreParametersOfAnyType() throws {
    var random = SeededGenerator.forTest("textsAreParametersOfAnyType")
    let world = try DynamicWorld(&random)
    let store = try world.openUndeclared()
    func ids(_ text: String, _ texts: [String: String]) throws -> [Int] {
      try store.fetch(DynamicQuery("Tome where " + text, texts: texts, calendar: DynamicWorld.utc))
        .map { try $0["id", as: Int.self] }
    }
    let code = "00000000-0000-0000-0000-000000000007"
    for (text, name, value, literal) in [
      ("year == $1", "1", "1999", "year == 1999"), ("title == $t", "t", "milk", "title == 'milk'"),
      ("title == $1", "1", "1999", "title == '1999'"), ("price < $1", "1", "2.5", "price < 2.5"),
      ("cost >= $1", "1", "1.25", "cost >= 1.25"), ("isLent == $x", "x", "true", "isLent == true"),
      ("price == $1", "1", "nil", "price == nil"), ("price != $1", "1", "null", "price != nil"),
      ("lentAt > $1", "1", "2026-06-01", "lentAt > 2026-06-01"),
      ("lentAt < $1", "1", "now - 7d", "lentAt < now - 7d"),
      ("code == $1", "1", code, "code == \(code)"),
      ("bytes == $1", "1", "x'0001'", "bytes == x'0001'"),
      ("title contains[c] $1", "1", "MI", "title contains[c] 'MI'"),
      ("shelf in [$1, 2]", "1", "0", "shelf in [0, 2]"),
      ("copies in $1", "1", "3", "copies in [3]"),
      ("tags contains $1", "1", "a", "tags contains 'a'"),
      ("writer == $1", "1", "3", "writer == 3"),
      ("writer.name == $1", "1", "nil", "writer.name == 'nil'"),
      ("year in $1", "1", "[1995, 2001]", "year in [1995, 2001]"),
      ("year not in $l", "l", " [1995,2001] ", "year not in [1995, 2001]"),
      ("price in $1", "1", "[2.5, nil]", "price in [2.5, nil]"),
      ("title in $1", "1", "['milk', \"Sea level\"]", "title in ['milk', 'Sea level']"),
      ("title in $1", "1", "[milk, sea]", "title in ['milk', 'sea']"),
      ("title in $1", "1", "milk", "title in ['milk']"),
      ("title in $1", "1", "[]", "title in []"),
      ("lentAt in $1", "1", "[2026-06-01]", "lentAt in [2026-06-01]"),
      ("title == $1", "1", "[milk]", "title == '[milk]'"),
    ] {
      #expect(try ids(text, [name: value]) == ids(literal, [:]), "\(text), \(value)")
    }
    for (text, value, reason) in [
      ("year == $1", "old", "compare it with a whole number"),
      ("year == $1", "1.5", "whole number"),
      ("year == $2", "1", "there is no value for $2: given are 1"), ("year == $1", "$1", "whole"),
      ("price < $1", "nil", "nil has no order"), ("isLent == $1", "yes", "true or false"),
      ("year in $1", "[1, 2", "the value of $1 is not a list: write it as [1, 2]"),
      ("year in $1", "[$1]", "is not a list"), ("year in $1", "[1 + 2]", "is not a list"),
      ("year in $1", "[a]", "compare it with a whole number"),
      ("year in $1", "['a': 1]", "is not a list"),
    ] {
      let error = #expect(throws: QueryTextError.self) { try ids(text, ["1": value]) }
      #expect(error?.reason.contains(reason) == true, "\(text), \(value): \(error?.reason ?? "")")
    }
  }

  /// Such a text was a list in a list too, so that other titles were found, or none.
  @Test func aTextInBracketsIsAListWhereItIsTheWholeList() throws {
    let folder = TemporaryFolder()
    let store = try Store.open(at: folder.url.appending(path: "l.croft"), models: Manuscript.self)
    let titles = ["[Untitled]", "Untitled", "[WIP", "WIP"]
    try store.write { tx in
      for (place, title) in titles.enumerated() {
        try tx.insert(Manuscript(id: place + 1, title: title))
      }
    }
    func ids(_ text: String, _ value: String) throws -> [Int] {
      try store.fetch(DynamicQuery("Manuscript where \(text) sort by id", texts: ["1": value]))
        .map { try $0["id", as: Int.self] }
    }
    for (text, value, expected) in [
      ("title in [$1]", "[Untitled]", [1]), ("title in $1", "[Untitled]", [2]),
      ("title not in [$1]", "[Untitled]", [2, 3, 4]),
      ("title not in $1", "[Untitled]", [1, 3, 4]), ("title in [$1]", "[WIP", [3]),
      ("title in [$1, 'WIP']", "[WIP", [3, 4]), ("title in ['WIP', $1]", "[a, b]", [4]),
      ("title in $1", "['[Untitled]', WIP]", [1, 4]), ("id in $1", "[1, 3]", [1, 3]),
    ] {
      #expect(try ids(text, value) == expected, "\(text), \(value)")
    }
    for (text, value, reason) in [
      ("title in $1", "[WIP", "is not a list"), ("id in [$1]", "[1, 3]", "a whole number"),
    ] {
      let error = #expect(throws: QueryTextError.self) { try ids(text, value) }
      #expect(error?.reason.contains(reason) == true, "\(text): \(error?.reason ?? "")")
    }
  }

  /// A clause was taken for it.
  @Test func aPropertyHasTheNameOfAClause() throws {
    let folder = TemporaryFolder()
    let store = try Store.open(at: folder.url.appending(path: "l.croft"), models: RankedTome.self)
    try store.write { tx in
      try tx.insert(contentsOf: (1...6).map { RankedTome(id: $0, order: $0 % 3, limit: $0) })
    }
    let typed = RankedTome.where { $0.order > 1 }.order(by: \.limit.descending).limit(1)
    for text in [
      "order > 1 sort by limit desc limit 1", "where order > 1 order by limit desc limit 1",
      "RankedTome where order > 1 sort by limit desc limit 1",
    ] {
      #expect(try Query<RankedTome>(text) == typed, "\(text)")
      #expect(try store.fetch(Query<RankedTome>(text)).map(\.id) == [5])
    }
    #expect(try store.fetch(Query<RankedTome>("limit == 4")).map(\.id) == [4])
    #expect(try store.fetch(Query<RankedTome>("limit 2")).map(\.id) == [1, 2])
  }

  /// A parameter was refused there, so that a page was put into the text.
  @Test func aLimitAndAnOffsetMayBeParameters() throws {
    var random = SeededGenerator(seed: 6)
    let world = try DynamicWorld(count: 6, &random)
    let store = try world.openUndeclared()
    for (limit, offset) in [(0, 0), (1, 0), (3, 2), (9, 5), (2, 9), (Int.max, 1)] {
      for part in ["sort by title, id", "select shelf, count group by shelf", "select count"] {
        let start = "Tome \(part) limit "
        let written = try store.fetch(DynamicQuery("\(start)\(limit) offset \(offset)"))
        let texts = ["1": "\(limit)", "n": "\(offset)"]
        for query in [
          try DynamicQuery(start + "$1 offset $2", limit, UInt8(offset)),
          try DynamicQuery(start + "$l offset $o", named: ["l": limit, "o": offset]),
          try DynamicQuery(start + "$1 offset $n", texts: texts),
        ] {
          #expect(try store.fetch(query) == written, "\(query) \(limit) \(offset)")
        }
      }
      #expect(
        try Query<Tome>("limit $1 offset $2", limit, offset)
          == Tome.all.limit(limit, offset: offset))
    }
    #expect(try Query<Tome>("year > $1 limit $2", 3, 4) == Tome.where { $0.year > 3 }.limit(4))
    #expect(!DynamicStatement.isStatement("delete limit $1"))
    for text in ["-1", "2.5", "", "many", "99999999999999999999", "[1]", "nil", "\"2\""] {
      for place in ["limit $1", "limit 1 offset $1", "select count limit $1"] {
        let query = try DynamicQuery("Tome " + place, texts: ["1": text])
        let error = #expect(throws: QueryTextError.self, "\(text)") { try store.fetch(query) }
        #expect(error?.reason.contains("$1 is a count here: give it a whole number") == true)
        #expect(error?.position == query.text.firstIndex(of: "$")?.utf16Offset(in: query.text))
      }
    }
    for query in [
      try DynamicQuery("Tome limit $1", -1), try DynamicQuery("Tome limit $1", UInt64.max),
      try DynamicQuery("Tome limit $1", "2"), try DynamicQuery("Tome limit $1", Int?.none),
      try DynamicQuery("Tome limit $1", 2.0), try DynamicQuery("Tome limit $2", 2),
    ] {
      #expect(throws: QueryTextError.self) { try store.fetch(query) }
    }
  }

  /// NaN is equal to nothing by `<`, so that one of them disordered all groups.
  @Test func groupsOfAnyNumbersAreInOrder() throws {
    let folder = TemporaryFolder()
    let store = try Store.open(at: folder.url.appending(path: "r.croft"), models: PriceRatio.self)
    let shares: [Double?] = [0.5, .nan, -2, nil, .infinity, 0, 1e300, -.infinity, .nan]
    try store.write { tx in
      try tx.insert(
        contentsOf: shares.indices.map { PriceRatio(id: $0, share: shares[$0], price: .nan) })
    }
    func values(_ text: String) throws -> [String] {
      try store.fetch(DynamicQuery(text)).map { "\($0.values[0])" }
    }
    let ascending = try values("PriceRatio select share group by share")
    let objects = try values("PriceRatio select share sort by share")
    var unique: [String] = []
    for value in objects where unique.last != value { unique.append(value) }
    #expect(ascending == unique)
    #expect(ascending.count == 8)
    #expect(
      try values("PriceRatio select share, count group by share sort by share desc")
        == ascending.reversed())
    #expect(try values("PriceRatio select price group by price").count == 1)
  }

  /// A Buddhist calendar took 2026 for the year 1483.
  @Test func datesAreGregorianInEachCalendar() throws {
    for identifier in [Calendar.Identifier.buddhist, .japanese, .hebrew, .islamicCivil] {
      var calendar = Calendar(identifier: identifier)
      calendar.timeZone = .gmt
      let moment = QueryMoment(calendar: calendar, now: Date())
      for text in ["2026-06-01", "2026-06-01T00:00Z", "0100-03-04T05:06:07Z", "9999-12-31"] {
        let date = try #require(moment.date(text))
        #expect(date == QueryMoment(calendar: DynamicWorld.utc, now: Date()).date(text))
        let written = QueryMoment.text(of: date.timeIntervalSinceReferenceDate)
        #expect(written.hasPrefix(text.prefix(10)))
      }
    }
    for seconds in [252_423_993_599.0, -61_999_999_999.0, 14.605736136436462] {
      let text = QueryMoment.text(of: seconds)
      let moment = QueryMoment(calendar: DynamicWorld.utc, now: Date())
      #expect(moment.date(text)?.timeIntervalSinceReferenceDate == seconds, "\(text)")
    }
  }

  @Test func objectsThatReferToOneAreAskedFor() throws {
    var random = SeededGenerator.forTest("objectsThatReferToOneAreAskedFor")
    let world = try DynamicWorld(&random)
    let store = try world.openUndeclared()
    func holds(_ text: String, _ test: ([Tome]) -> Bool) throws {
      let expected = world.writers.filter { writer in
        test(world.volumes.filter { $0.writer == Ref(writer) })
      }.map(\.id)
      #expect(
        try world.ids("Scribe where " + text, in: store) == expected, "\(text), seed \(random.seed)"
      )
    }
    try holds("Tome.writer any (year > 2020)") { $0.contains { $0.year > 2020 } }
    try holds("Tome.writer all (year > 1995)") { $0.allSatisfy { $0.year > 1995 } }
    try holds("Tome.writer none (isLent)") { !$0.contains { $0.isLent } }
    try holds("Tome.writer.count > 30") { $0.count > 30 }
  }

  @Test func aggregatesAreRows() throws {
    var random = SeededGenerator.forTest("aggregatesAreRows")
    let world = try DynamicWorld(&random)
    let store = try world.openUndeclared()
    func rows(_ text: String) throws -> [[StoredValue]] {
      try store.fetch(world.query(text)).map(\.values)
    }
    let volumes = world.volumes
    let prices = volumes.compactMap(\.price)
    let first = try store.fetch(
      world.query(
        "Tome select count, sum(copies) as n, avg(price), min(title), max(year), count(price)"))
    #expect(
      first.count == 1
        && first[0].names == [
          "count", "n", "avg(price)", "min(title)", "max(year)", "count(price)",
        ])
    #expect(try first[0]["count", as: Int.self] == volumes.count)
    #expect(try first[0]["n", as: UInt.self] == volumes.reduce(0) { $0 + UInt($1.copies) })
    #expect(try first[0]["max(year)", as: Int.self] == volumes.map { Int($0.year) }.max())
    #expect(try first[0]["count(price)", as: Int.self] == prices.count)
    #expect(
      abs(try first[0]["avg(price)", as: Double.self] - prices.reduce(0, +) / Double(prices.count))
        < 1e-9)
    let groups = Dictionary(grouping: volumes.filter { $0.year > 2000 }, by: \.shelf)
    let expected = groups.keys.sorted { $0.rawValue < $1.rawValue }.map { shelf in
      [
        StoredValue.int(Int64(shelf.rawValue)), .int(Int64(groups[shelf]?.count ?? 0)),
        .uint(groups[shelf]?.reduce(0) { $0 + UInt64($1.copies) } ?? 0),
      ]
    }
    let text = "Tome where year > 2000 select shelf, count, sum(copies) group by shelf"
    #expect(try rows(text) == expected)
    #expect(
      try rows(text + " sort by count desc, shelf limit 2")
        == Array(
          expected.sorted { left, right in
            guard case (.int(let first), .int(let second)) = (left[1], right[1]) else {
              return false
            }
            return first > second
          }.prefix(2)))
    #expect(try rows("Tome group by shelf").count == Set(volumes.map(\.shelf)).count)
    #expect(
      try rows("Tome where year < 0 select count, sum(year), max(year)") == [
        [.int(0), .int(0), .none]
      ])
    #expect(try rows("Tome where year < 0 group by year") == [])
    #expect(try rows("Tome where id > 3 select count") == [[.int(Int64(volumes.count - 3))]])
    #expect(
      try store.count(world.query("Tome group by shelf")) == Set(volumes.map(\.shelf)).count)
  }

  @Test func valuesAreReadByNameAndType() throws {
    var random = SeededGenerator.forTest("valuesAreReadByNameAndType")
    let world = try DynamicWorld(count: 3, &random)
    let store = try world.openUndeclared()
    let volume = world.volumes[1]
    let object = try #require(try store.fetch(world.query("Tome where id == $1", 2)).first)
    #expect(object.model == "Tome")
    #expect(try object["title", as: String.self] == volume.title)
    #expect(try object["price", as: Double?.self] == volume.price)
    #expect(try object["cost", as: Decimal.self] == volume.cost)
    #expect(try object["code", as: UUID.self] == volume.code)
    #expect(try object["binding.pages", as: Int.self] == volume.binding.pages)
    #expect(try object["lentAt", as: Date?.self] == volume.lentAt)
    #expect(try object["tags"] == .list(volume.tags.map { .string($0) }))
    #expect(try object["tags", as: [String].self] == volume.tags)
    #expect(try Set(object["scores", as: [Int].self]) == volume.scores)
    let tagged = DynamicObject(model: "Tome", names: ["tags"], values: [.list([.string("a")])])
    #expect(throws: StoreError.self) { try tagged["tags", as: [Int].self] }
    #expect(throws: StoreError.self) { try object["title", as: [String].self] }
    #expect(throws: StoreError.self) { try object["missing"] }
    #expect(throws: StoreError.self) { try object["title", as: Int.self] }
    let linked = try store.fetch(
      world.query("Tome where id == 2 select writer.name, title as name"))
    #expect(linked[0].names == ["writer.name", "name"])
    #expect(
      try linked[0]["writer.name", as: String?.self]
        == world.writers.first { Ref($0) == volume.writer }?.name)
  }

  @Test func referencesOfAnObjectAreFollowed() throws {
    var random = SeededGenerator.forTest("referencesOfAnObjectAreFollowed")
    let world = try DynamicWorld(&random)
    let declared = try world.open()
    let store = try world.openUndeclared()
    for volume in world.volumes {
      let object = try #require(
        try store.fetch(world.query("Tome where id == $1", volume.id)).first)
      let writer = try store.fetch("writer", of: object).map { try $0["name", as: String.self] }
      #expect(try writer == declared.get(volume.writer).map { [$0.name] } ?? [], "\(random.seed)")
      let readers = try store.fetch("readers", of: object).map { try $0["id", as: Int.self] }
      #expect(try readers == declared.fetch(volume.readers).map(\.id), "\(random.seed)")
    }
    let object = try #require(try store.fetch(world.query("Tome limit 1")).first)
    #expect(throws: StoreError.self) { try store.fetch("title", of: object) }
    #expect(throws: StoreError.self) { try store.fetch("missing", of: object) }
    let part = try store.fetch(world.query("Tome limit 1 select writer.name"))[0]
    #expect(throws: StoreError.self) { try store.fetch("writer.name", of: part) }
  }

  @Test func theModelsOfAFileAreDescribed() throws {
    var random = SeededGenerator(seed: 4)
    let world = try DynamicWorld(count: 10, &random)
    let models = try world.openUndeclared().models
    #expect(models.map(\.name) == ["Scribe", "Tome"])
    let volume = try #require(models.last)
    #expect(volume.objectCount == 10 && volume.bytes > 0 && volume.primaryKey == ["id"])
    let types = Dictionary(uniqueKeysWithValues: volume.properties.map { ($0.name, $0.typeName) })
    #expect(types["year"] == "int32" && types["price"] == "double?" && types["tags"] == "[string]")
    #expect(
      types["scores"] == "{int64}" && types["binding.color"] == "string"
        && types["notes"] == "coded")
    let writer = volume.properties.first { $0.name == "writer" }?.reference
    #expect(writer?.model == "Scribe" && writer?.onDelete == .nullify)
    #expect(volume.indexes.contains { $0.columns == ["title"] && !$0.isUnique })
    #expect(try world.open().models == models)
  }
}

@Model struct Manuscript: Hashable {
  @PrimaryKey var id: Int
  var title: String
}

@Model struct RankedTome: Hashable {
  @PrimaryKey var id: Int
  var order: Int
  var limit: Int
}

@Model struct PriceRatio {
  @PrimaryKey var id: Int
  var share: Double?
  var price: Decimal
}
