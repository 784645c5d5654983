import Croft
import Foundation
import TestSupport
import Testing

/// What is computed from columns: arithmetic, values for nil, texts, dates, whole structs.
@Suite(.keepsFailedStores) struct QueryExpressionTests {
  @Model struct Reader: Hashable {
    @PrimaryKey var id: Int
    var name: String
    var nickname: String?
  }

  @Embedded struct Cover: Hashable {
    var width: Int
    var colour: String
    var spine: Spine?
    var tags: [String] = []
  }

  @Embedded struct Spine: Hashable {
    var width: Int
    var note: String?
  }

  enum Mood: Int, StoredEnum, CaseIterable {
    case low = -3
    case fair = 2
    case high = 40
  }

  @Model struct Session: Hashable {
    @PrimaryKey var id: Int
    var startedAt: Date
    var endedAt: Date?
    @Indexed var pages: Int
    var goal: Int?
    var small: Int8
    var big: UInt64
    var share: Double
    var price: Decimal
    var title: String
    var note: String?
    var mood: Mood?
    var cover: Cover
    var second: Cover?
    var reader: Ref<Reader>?
  }

  private static let calendars: [Calendar] = [
    ("Europe/Berlin", 2), ("America/New_York", 1), ("Asia/Seoul", 2), ("Pacific/Apia", 1),
    ("America/Sao_Paulo", 7),
  ].compactMap { zone, firstWeekday in
    var calendar = Calendar(identifier: .gregorian)
    guard let zone = TimeZone(identifier: zone) else { return nil }
    calendar.timeZone = zone
    calendar.firstWeekday = firstWeekday
    return calendar
  }

  private static let texts = [
    "", "a", "Straße", "STRASSE", "İstanbul", "한국어 책", "e\u{301}te\u{301}", "été", "👩‍👩‍👧 family",
    "Zoë",
  ]

  private static func reader(_ id: Int, _ random: inout SeededGenerator) -> Reader {
    Reader(
      id: id, name: random.pick(texts), nickname: random.oneIn(3) ? nil : random.pick(texts))
  }

  private static func cover(_ random: inout SeededGenerator) -> Cover {
    Cover(
      width: random.below(3), colour: random.pick(["red", "été", "e\u{301}te\u{301}"]),
      spine: random.oneIn(2)
        ? nil : Spine(width: random.below(2), note: random.oneIn(2) ? nil : "n"),
      tags: random.oneIn(2) ? [] : ["a"])
  }

  private static func session(_ id: Int, _ random: inout SeededGenerator) -> Session {
    // Around the changes of summer time, and the day that Samoa left out.
    let moments: [Double] = [
      688_000_000, 670_204_800, 688_348_800, 720_000_000, 346_867_200, 347_000_000, -400_000_000,
    ]
    func date() -> Date {
      Date(
        timeIntervalSinceReferenceDate: random.pick(moments)
          + Double(random.below(40) * 5_400) + (random.oneIn(5) ? 0.25 : 0))
    }
    let numbers = [0, 1, -1, 2, 3, 7, -8, 100, .max, .min]
    return Session(
      id: id, startedAt: date(), endedAt: random.oneIn(3) ? nil : date(),
      pages: random.pick(numbers), goal: random.oneIn(3) ? nil : random.pick(numbers),
      small: random.pick([0, 1, -128, 127, 5]), big: random.pick([0, 1, 9, .max]),
      share: random.pick([0, 0.5, -2, .infinity, .nan, 1e300]),
      price: random.pick([0, 1, Decimal(string: "2.5") ?? 0, -3]),
      title: random.pick(texts), note: random.oneIn(3) ? nil : random.pick(texts),
      mood: random.oneIn(4) ? nil : random.pick(Mood.allCases), cover: cover(&random),
      second: random.oneIn(3) ? nil : cover(&random),
      reader: random.oneIn(4) ? nil : Ref(random.below(12)))
  }

  /// A condition, and the same in Swift.
  private struct Pair: Sendable {
    let name: String
    let query: Query<Session>
    let holds: @Sendable (Session, [Int: Reader]) -> Bool

    init<C: ConditionConvertible<Session>>(
      _ name: String, _ condition: (QueryColumn<Session, Session>) -> C,
      _ holds: @escaping @Sendable (Session, [Int: Reader]) -> Bool
    ) {
      self.name = name
      query = Session.where(condition)
      self.holds = holds
    }
  }

  private static func clamped(_ wide: (Int128, Int128) -> Int128, _ left: Int, _ right: Int) -> Int
  {
    Int(clamping: wide(Int128(left), Int128(right)))
  }

  private static func pairs(_ random: inout SeededGenerator) -> [Pair] {
    let (number, calendar) = (random.below(5) - 2, random.pick(calendars))
    let (text, cover) = (random.pick(texts), cover(&random))
    let second: Cover? = random.oneIn(3) ? nil : cover
    let unit = random.pick([.day, .weekOfYear, .month, .year] as [Calendar.Component])
    let day = session(0, &random).startedAt
    let mood = random.pick(Mood.allCases)
    let dayStart = calendar.dateInterval(of: unit, for: day)?.start ?? day
    let lower = text.lowercased()
    return [
      Pair("sum", { $0.pages + 1 > number }) { it, _ in clamped(+, it.pages, 1) > number },
      Pair("difference", { number - $0.pages >= 0 }) { it, _ in clamped(-, number, it.pages) >= 0 },
      Pair("product", { $0.pages * 3 == $0.pages + $0.pages + $0.pages }) { it, _ in
        clamped(*, it.pages, 3) == clamped(+, clamped(+, it.pages, it.pages), it.pages)
      },
      Pair("quotient", { $0.pages / 3 == number }) { it, _ in it.pages / 3 == number },
      Pair("by zero", { $0.pages / 0 == nil }) { _, _ in true },
      Pair("of two", { $0.pages / ($0.goal ?? 1) == nil }) { it, _ in it.goal == 0 },
      Pair("remainder", { $0.pages % 3 == number }) { it, _ in it.pages % 3 == number },
      Pair("optional", { $0.goal - 1 < number }) { it, _ in
        it.goal.map { clamped(-, $0, 1) < number } ?? false
      },
      Pair("nil", { ($0.goal + $0.goal).isNil }) { it, _ in it.goal == nil },
      Pair("unlike", { $0.goal * 2 != 4 }) { it, _ in it.goal.map { clamped(*, $0, 2) != 4 } ?? true
      },
      Pair("unsigned", { $0.big - 1 < 5 }) { it, _ in it.big <= 5 },
      Pair("small", { $0.small + 100 > 120 }) { it, _ in Int(it.small) + 100 > 120 },
      Pair("real", { $0.share * 2 + 1 >= 0 }) { it, _ in it.share * 2 + 1 >= 0 },
      Pair("real quotient", { 1 / $0.share > 1 }) { it, _ in 1 / it.share > 1 },
      Pair("decimal", { $0.price * 2 == 5 }) { it, _ in it.price * 2 == 5 },
      Pair("decimal by zero", { (1 / $0.price).isNil }) { it, _ in it.price == 0 },
      Pair("value for nil", { ($0.goal ?? 7) > $0.pages }) { it, _ in (it.goal ?? 7) > it.pages },
      Pair("other for nil", { ($0.goal ?? $0.pages) == number }) { it, _ in
        (it.goal ?? it.pages) == number
      },
      Pair("enum for nil", { ($0.mood ?? .fair) >= mood }) { it, _ in
        (it.mood ?? .fair).rawValue >= mood.rawValue
      },
      Pair("one of", { it in (it.mood ?? .fair).in([.fair, .high]) }) { it, _ in
        [.fair, .high].contains(it.mood ?? .fair)
      },
      Pair("small letters", { $0.title.lowercased() == lower }) { it, _ in
        it.title.lowercased() == lower
      },
      Pair("capitals", { $0.note.uppercased() != text }) { it, _ in it.note?.uppercased() != text },
      Pair("prefix", { $0.title.lowercased().hasPrefix("s") }) { it, _ in
        it.title.lowercased().hasPrefix("s")
      },
      Pair("length", { $0.title.count > 4 }) { it, _ in it.title.count > 4 },
      Pair("length of none", { $0.note.count <= 4 }) { it, _ in
        it.note.map { $0.count <= 4 } ?? false
      },
      Pair("empty", { $0.title.isEmpty }) { it, _ in it.title.isEmpty },
      Pair("unit", { $0.startedAt.start(of: unit, in: calendar) == dayStart }) { it, _ in
        calendar.dateInterval(of: unit, for: it.startedAt)?.start == dayStart
      },
      Pair("unit of none", { $0.endedAt.start(of: unit, in: calendar) >= dayStart }) { it, _ in
        it.endedAt.flatMap { calendar.dateInterval(of: unit, for: $0)?.start }.map {
          $0 >= dayStart
        }
          ?? false
      },
      Pair("hour", { $0.startedAt.component(.hour, in: calendar) < 12 }) { it, _ in
        calendar.component(.hour, from: it.startedAt) < 12
      },
      Pair("weekday", { $0.endedAt.component(.weekday, in: calendar) == 1 }) { it, _ in
        it.endedAt.map { calendar.component(.weekday, from: $0) == 1 } ?? false
      },
      Pair("struct", { $0.cover == cover }) { it, _ in it.cover == cover },
      Pair("other struct", { $0.cover != cover }) { it, _ in it.cover != cover },
      Pair("optional struct", { $0.second == second }) { it, _ in it.second == second },
      Pair("other optional struct", { $0.second != second }) { it, _ in it.second != second },
      Pair("through a reference", { $0.reader.name.count > $0.title.count }) { it, readers in
        guard let name = it.reader.flatMap({ readers[$0.key]?.name }) else { return false }
        return name.count > it.title.count
      },
      Pair("nil behind a reference", { ($0.reader.nickname ?? $0.title) == text }) { it, readers in
        (it.reader.flatMap { readers[$0.key]?.nickname } ?? it.title) == text
      },
      Pair(
        "together",
        { ($0.pages + $0.pages > 3 || $0.title.count == 1) && !($0.goal - 2 == 0) }
      ) { it, _ in
        (clamped(+, it.pages, it.pages) > 3 || it.title.count == 1)
          && !(it.goal.map { clamped(-, $0, 2) == 0 } ?? false)
      },
    ]
  }

  /// Random objects, random conditions: fetched, counted, deleted and observed as Swift computes.
  @Test func conditionsHoldWhereSwiftSaysSo() throws {
    var random = SeededGenerator.forTest("expressions")
    for _ in 0..<Torture.steps(short: 6, long: 600) {
      try withStore(of: Session.self, Reader.self) { store in
        var readers: [Int: Reader] = [:]
        for id in 0..<12 { readers[id] = Self.reader(id, &random) }
        // Both sides of a batch of 256 rows.
        let count = random.pick([1, 255, 257, 600])
        var objects = (0..<count).map { Self.session($0, &random) }
        try store.write { tx in
          try tx.insert(contentsOf: readers.values)
          try tx.insert(contentsOf: objects)
        }
        let pairs = Self.pairs(&random)
        for pair in pairs {
          let expected = objects.filter { pair.holds($0, readers) }.map(\.id)
          #expect(
            try store.fetch(pair.query).map(\.id) == expected, "\(pair.name), seed \(random.seed)")
          #expect(
            try store.count(pair.query) == expected.count, "\(pair.name), seed \(random.seed)")
        }
        // A change of one object, seen by live queries.
        let watched = pairs.shuffled(using: &random).prefix(8)
        let recorders = watched.map { pair in
          let recorder = Recorder<[Int]>()
          return (recorder, store.observe(pair.query) { recorder.add($0.after.map(\.id)) })
        }
        for _ in 0..<10 {
          let place = random.below(count)
          objects[place] = Self.session(place, &random)
          let reader = Self.reader(random.below(12), &random)
          readers[reader.id] = reader
          try store.write { tx in
            try tx.upsert(objects[place])
            try tx.upsert(reader)
          }
        }
        store.drainObservers()
        for (pair, (recorder, token)) in zip(watched, recorders) {
          let expected = objects.filter { pair.holds($0, readers) }.map(\.id)
          #expect(recorder.all.last == expected, "live \(pair.name), seed \(random.seed)")
          token.cancel()
        }
        if let pair = pairs.randomElement(using: &random) {
          let left = objects.filter { !pair.holds($0, readers) }.map(\.id)
          try store.write { _ = try $0.delete(pair.query) }
          #expect(
            try store.fetch(Session.all).map(\.id) == left,
            "delete \(pair.name), seed \(random.seed)")
        }
      }
    }
  }

  /// The order by an expression, what is distinct by it, groups, sections and aggregates.
  @Test func ordersGroupsAndAggregatesAreAsInSwift() throws {
    var random = SeededGenerator.forTest("grouped expressions")
    for _ in 0..<Torture.steps(short: 6, long: 600) {
      try withStore(of: Session.self, Reader.self) { store in
        let readers = (0..<12).map { Self.reader($0, &random) }
        var objects = (0..<random.pick([0, 1, 300])).map { Self.session($0, &random) }
        try store.write { tx in
          try tx.insert(contentsOf: readers)
          try tx.insert(contentsOf: objects)
        }
        let calendar = random.pick(Self.calendars)
        let unit = random.pick([.day, .weekOfYear, .month, .year] as [Calendar.Component])
        func start(_ object: Session) -> Date {
          calendar.dateInterval(of: unit, for: object.startedAt)?.start ?? object.startedAt
        }
        let live = Recorder<[String]>()
        let token = store.observe(
          Session.all.grouped(
            by: { ($0.startedAt.start(of: unit, in: calendar), $0.reader) }, .count,
            .sum { $0.small + Int8(1) })
        ) { groups in live.add(groups.map { "\($0.key) \($0.values)" }) }
        for round in 0..<3 {
          // Ordered by the unit, the last first, then by the length of the title.
          let ordered = try store.fetch(
            Session.all.order {
              [$0.startedAt.start(of: unit, in: calendar).descending, $0.title.count.ascending]
            })
          let expected = objects.sorted { left, right in
            let (first, second) = (start(left), start(right))
            if first != second { return first > second }
            if left.title.count != right.title.count { return left.title.count < right.title.count }
            return left.id < right.id
          }
          #expect(ordered.map(\.id) == expected.map(\.id), "seed \(random.seed)")
          // Two values, one of them a reference.
          let groups = try store.fetch(
            Session.all.grouped(
              by: { ($0.startedAt.start(of: unit, in: calendar), $0.reader) }, .count,
              .sum { $0.small + Int8(1) }))
          let grouped = Dictionary(grouping: objects) {
            [start($0).timeIntervalSince1970, $0.reader.map { Double($0.key) } ?? -1]
          }
          #expect(groups.count == grouped.count, "seed \(random.seed)")
          for group in groups {
            let own =
              grouped[[group.key.0.timeIntervalSince1970, group.key.1.map { Double($0.key) } ?? -1]]
              ?? []
            #expect(group.values.0 == own.count)
            #expect(group.values.1 == own.reduce(0) { $0 + min(127, Int($1.small) + 1) })
          }
          #expect(groups.map { $0.key.0 } == groups.map { $0.key.0 }.sorted())
          store.drainObservers()
          #expect(live.all.last == groups.map { "\($0.key) \($0.values)" }, "seed \(random.seed)")
          // Sections through a reference.
          let names = Dictionary(uniqueKeysWithValues: readers.map { ($0.id, $0.name) })
          let sections = try store.sections(
            Session.all, by: { $0.reader.name.count }, isDescending: true)
          let byLength = Dictionary(grouping: objects) {
            $0.reader.flatMap { names[$0.key]?.count }
          }
          #expect(sections.map(\.key) == byLength.keys.sorted { ($0 ?? -1) > ($1 ?? -1) })
          for section in sections {
            #expect(section.objects.map(\.id) == byLength[section.key]?.map(\.id))
          }
          // One number.
          let sums = objects.map { Int(Int8(clamping: Int($0.small) * 2)) }
          #expect(
            try store.read { try $0.fetch(Session.all.sum { $0.small * 2 }) } == sums.reduce(0, +))
          #expect(
            try store.read { try $0.fetch(Session.all.max { $0.small * 2 }) }.map { Int($0) }
              == sums.max())
          if objects.isEmpty { return }
          for _ in 0..<5 {
            let place = random.below(objects.count)
            objects[place] = Self.session(place, &random)
            _ = try store.write { try $0.upsert(objects[place]) }
          }
          _ = round
        }
        token.cancel()
      }
    }
  }

  /// A day of 23 hours, a day of 25, and one that a country left out.
  @Test func daysAreThoseOfTheCalendar() throws {
    try withStore(of: Session.self, Reader.self) { store in
      var random = SeededGenerator.forTest("days")
      let berlin = Self.calendars[0]
      func at(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }
      let starts = try [
        "2022-03-26T22:59:59Z", "2022-03-26T23:00:00Z", "2022-03-27T21:59:59Z",
        "2022-03-27T22:00:00Z", "2022-10-29T22:00:00Z", "2022-10-30T22:59:59Z",
        "2022-10-30T23:00:00Z",
      ].map(at)
      try store.write { tx in
        for (id, start) in starts.enumerated() {
          var session = Self.session(id, &random)
          session.startedAt = start
          session.reader = nil
          try tx.insert(session)
        }
      }
      let days = try store.fetch(
        Session.all.grouped(by: { $0.startedAt.start(of: .day, in: berlin) }, .count))
      #expect(days.map(\.values) == [1, 2, 1, 2, 1])
      let weeks = try store.sections(
        Session.all, by: { $0.startedAt.start(of: .weekOfYear, in: berlin) })
      #expect(weeks.map { $0.objects.map(\.id) } == [[0, 1, 2], [3], [4, 5], [6]])
      let months = try store.fetch(
        Session.all.grouped(
          by: {
            ($0.startedAt.component(.year, in: berlin), $0.startedAt.component(.month, in: berlin))
          }, .count))
      #expect(months.map { [$0.key.0, $0.key.1, $0.values] } == [[2022, 3, 4], [2022, 10, 3]])
    }
  }

  @Test func aPlanTellsTheExpression() throws {
    try withStore(of: Session.self, Reader.self) { store in
      let plan = try store.read {
        try $0.explain(Session.where { $0.pages > 3 && $0.pages * 2 < 20 })
      }
      #expect("\(plan)".contains("(pages * 2) < 20"))
    }
  }
}
