import Foundation
import TestSupport
import Testing

@testable import Croft

/// Indexes on expressions: their entries follow every kind of write, and queries use them.
@Suite(.keepsFailedStores) struct ExpressionIndexTests {
  @Embedded struct Place: Hashable {
    var city: String
    var floor: Int?
  }

  @Model struct Visit: Hashable {
    @PrimaryKey var id: Int
    var day: Date
    var left: Date?
    var name: String
    var price: Float
    var cents: Int8
    var tip: Int?
    var place: Place
    @Relation(onDelete: .nullify) var host: Ref<Host>?

    #Index<Visit> { [$0.month.descending] }
    #Index<Visit> { [$0.name.lowercased().ascending, $0.tip.descending] }
    #Index<Visit> { [($0.price * 1.1).ascending] }
    #Index<Visit> { [($0.cents + 100).descending, $0.name.count.ascending] }
    #Index<Visit> {
      [
        ($0.tip ?? 7).ascending,
        $0.left.component(.weekday, in: ExpressionIndexTests.berlin).ascending,
      ]
    }
    #Index<Visit> { [$0.place.city.uppercased().descending] }
    #Index<Visit> { [($0.place.floor / 2).ascending] }
  }

  @Model struct Host: Hashable {
    @PrimaryKey var id: Int
  }

  static let berlin: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: "Europe/Berlin") ?? .gmt
    return calendar
  }()

  private static let names = [
    "", "ann", "Ann", "ÉTÉ", "e\u{301}te\u{301}", "été", "한국어", "Straße",
    String(repeating: "Lang ", count: 60), String(repeating: "lang ", count: 60) + "x",
    String(repeating: "LANG ", count: 60),
  ]

  private static func visit(_ id: Int, _ random: inout SeededGenerator) -> Visit {
    let day = Date(timeIntervalSince1970: Double(random.below(400)) * 86_400 / 2)
    return Visit(
      id: id, day: day, left: random.oneIn(3) ? nil : day + Double(random.below(20)) * 7_200,
      name: random.pick(names), price: Float(random.below(40)) / 7, cents: Int8(random.below(128)),
      tip: random.oneIn(3) ? nil : random.below(12) - 3,
      place: Place(
        city: random.pick(names), floor: random.oneIn(4) ? nil : random.below(9) - 4),
      host: random.oneIn(2) ? nil : Ref(random.below(4)))
  }

  /// A query, the same in Swift, and whether it has to use an index.
  private struct Question {
    let query: Query<Visit>
    let holds: (Visit) -> Bool
    var usesIndex = true
  }

  private static func month(_ visit: Visit) -> Date? {
    berlin.dateInterval(of: .month, for: visit.day)?.start
  }

  private static func questions(_ random: inout SeededGenerator) -> [Question] {
    let month = berlin.dateInterval(
      of: .month, for: Date(timeIntervalSince1970: Double(random.below(200)) * 86_400))?.start
    guard let month else { return [] }
    let name = random.pick(names)
    let price = Float(random.below(40)) / 7 * 1.1
    let cents = Int8(clamping: 100 + random.below(60))
    let tip = random.below(12) - 3
    let half = random.below(5) - 2
    return [
      Question(query: Visit.where { $0.month == month }, holds: { Self.month($0) == month }),
      Question(
        query: Visit.where { $0.month > month && $0.tip == tip },
        holds: { (Self.month($0) ?? .distantPast) > month && $0.tip == tip }),
      Question(
        query: Visit.where { $0.name.lowercased() == name.lowercased() },
        holds: { $0.name.lowercased() == name.lowercased() }),
      Question(
        query: Visit.where { $0.name.lowercased() == name && $0.tip == nil },
        holds: { $0.name.lowercased() == name && $0.tip == nil }),
      Question(
        query: Visit.where { $0.name.lowercased().hasPrefix("lang lang") },
        holds: { $0.name.lowercased().hasPrefix("lang lang") }),
      Question(query: Visit.where { $0.price * 1.1 == price }, holds: { $0.price * 1.1 == price }),
      Question(query: Visit.where { $0.price * 1.1 < price }, holds: { $0.price * 1.1 < price }),
      Question(
        query: Visit.where { $0.cents + 100 == cents && $0.name.count == name.count },
        holds: {
          Int8(clamping: Int($0.cents) + 100) == cents && $0.name.count == name.count
        }),
      Question(
        query: Visit.where { ($0.tip ?? 7) == tip || ($0.tip ?? 7) == 7 },
        holds: { ($0.tip ?? 7) == tip || ($0.tip ?? 7) == 7 }),
      Question(
        query: Visit.where {
          ($0.tip ?? 7) == tip && $0.left.component(.weekday, in: berlin) == 3
        },
        holds: { visit in
          (visit.tip ?? 7) == tip
            && visit.left.map { berlin.component(.weekday, from: $0) } == 3
        }),
      Question(
        query: Visit.where { $0.place.city.uppercased() == name.uppercased() },
        holds: { $0.place.city.uppercased() == name.uppercased() }),
      Question(
        query: Visit.where { $0.place.floor / 2 == half },
        holds: { $0.place.floor.map { $0 / 2 } == half }),
      Question(
        query: Visit.where { $0.place.floor / 2 == nil }, holds: { $0.place.floor == nil }),
      Question(
        query: Visit.where { $0.place.floor / 2 != nil }, holds: { $0.place.floor != nil }),
      // Another calendar's months, and another number: no index has them.
      Question(
        query: Visit.where { $0.day.start(of: .month, in: gmt) == month },
        holds: { gmt.dateInterval(of: .month, for: $0.day)?.start == month }, usesIndex: false),
      Question(
        query: Visit.where { $0.price * 1.2 == price }, holds: { $0.price * 1.2 == price },
        usesIndex: false),
    ]
  }

  private static let gmt: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  private func expect(
    _ store: Store, _ twin: [Int: Visit], _ random: inout SeededGenerator
  ) throws {
    let all = twin.values.sorted { $0.id < $1.id }
    for (number, question) in Self.questions(&random).enumerated() {
      let note = Comment("seed \(random.seed), question \(number)")
      let expected = all.filter(question.holds)
      let plans = try store.everyPlan(of: question.query) { found, plan in
        #expect(found == expected, "\(note), plan \(plan)")
      }
      #expect((plans > 1) == question.usesIndex, note)
      #expect(try store.count(question.query) == expected.count, note)
    }
    let byMonth = Visit.all.order(by: { [$0.month.descending] })
    let months = all.sorted {
      (Self.month($1) ?? .distantPast, $0.id) < (Self.month($0) ?? .distantPast, $1.id)
    }
    for count in [months.count, 5] {
      let plans = try store.everyPlan(of: byMonth.limit(count)) { found, plan in
        #expect(found == Array(months.prefix(count)), "seed \(random.seed), plan \(plan)")
      }
      #expect(plans > 1)
    }
    #expect(try store.verify().problems == [])
  }

  @Test func entriesFollowEveryKindOfWrite() throws {
    for _ in 0..<3 {
      var random = SeededGenerator.forTest(#function)
      try withTemporaryStore(of: Visit.self, Host.self) { temporary in
        var store = try temporary.open()
        var twin: [Int: Visit] = [:]
        try store.write { tx in try tx.insert(contentsOf: (0..<4).map(Host.init)) }
        for _ in 0..<40 {
          try write(&twin, store, &random)
          try expect(store, twin, &random)
          if random.oneIn(8) { store = try temporary.open() }
        }
      }
    }
  }

  private func write(
    _ twin: inout [Int: Visit], _ store: Store, _ random: inout SeededGenerator
  ) throws {
    struct Undone: Error {}
    var changed = twin
    let doesUndo = random.oneIn(6)
    do {
      try store.write { tx in
        for _ in 0..<(1 + random.below(3)) {
          if random.oneIn(5) {
            let before = changed
            var inner = random
            _ = try? tx.savepoint { tx in
              try Self.change(&changed, &tx, &inner)
              throw Undone()
            }
            random = inner
            changed = before
          }
          try Self.change(&changed, &tx, &random)
        }
        if doesUndo { throw Undone() }
      }
      twin = changed
    } catch is Undone {}
  }

  private static func change(
    _ twin: inout [Int: Visit], _ tx: inout WriteTransaction, _ random: inout SeededGenerator
  ) throws {
    let low = random.below(150)
    let range = low..<(low + random.below(60))
    switch random.below(9) {
    case 0, 1:
      let new = range.filter { twin[$0] == nil }.map { visit($0, &random) }
      try tx.insert(contentsOf: new)
      for visit in new { twin[visit.id] = visit }
    case 2:
      let new = visit(low, &random)
      try tx.upsert(new)
      twin[low] = new
    case 3:
      let tip = random.below(12) - 3
      let query = Visit.where { $0.id >= range.lowerBound && $0.id < range.upperBound }
      try tx.update(query, set: (\.tip, to: tip), (\.left, to: nil))
      for id in range where twin[id] != nil {
        twin[id]?.tip = tip
        twin[id]?.left = nil
      }
    case 4:
      let name = random.pick(names)
      try tx.update(Visit.where { $0.month < Date(timeIntervalSince1970: 6_000_000) }) {
        $0.name = name
        $0.place.floor = nil
      }
      for (id, visit) in twin
      where month(visit) ?? .distantFuture < Date(timeIntervalSince1970: 6_000_000) {
        twin[id]?.name = name
        twin[id]?.place.floor = nil
      }
    case 5:
      let name = random.pick(names).lowercased()
      let count = try tx.delete(Visit.where { $0.name.lowercased() == name })
      let gone = twin.values.filter { $0.name.lowercased() == name }
      #expect(count == gone.count, "seed \(random.seed)")
      for visit in gone { twin[visit.id] = nil }
    case 6:
      try tx.delete(Visit.self, low)
      twin[low] = nil
    case 7:
      // The references to the host become nil, in the rows' bytes.
      let host = random.below(4)
      try tx.delete(Host.self, host)
      try tx.insert(Host(id: host))
      for (id, visit) in twin where visit.host == Ref(host) { twin[id]?.host = nil }
    default:
      if random.oneIn(4) {
        try tx.deleteAll(Visit.self)
        twin = [:]
      }
    }
  }

  @Test func aLiveQueryAndAClosureFollowTheIndex() throws {
    try withStore(of: Visit.self, Host.self) { store in
      var random = SeededGenerator.forTest(#function)
      let month = try #require(
        Self.berlin.dateInterval(of: .month, for: Date(timeIntervalSince1970: 8_000_000))?.start)
      let query = Visit.where { $0.month == month }
      try store.write { tx in try tx.insert(contentsOf: (0..<4).map(Host.init)) }
      let results = Recorder<[Visit]>()
      let counts = Recorder<Int>()
      let first = store.observe(query) { results.add(Array($0.after)) }
      let second = store.observe(ReadRequest { try $0.count(query) }) { counts.add($0) }
      store.live.drain()
      for step in 0..<60 {
        let visit = Self.visit(step % 25, &random)
        try store.write { tx in
          if step % 7 == 6 {
            try tx.delete(Visit.self, visit.id)
          } else {
            try tx.upsert(visit)
          }
        }
        store.live.drain()
        #expect(try results.all.last == store.fetch(query), "seed \(random.seed), step \(step)")
        #expect(try counts.all.last == store.count(query), "seed \(random.seed), step \(step)")
      }
      #expect(counts.all.count > 2)
      first.cancel()
      second.cancel()
    }
  }
}

extension Store {
  /// Runs a query by each of its plans, and passes the results on.
  ///
  /// - Returns: How many plans there are; one reads all rows.
  func everyPlan<M: Model>(of query: Query<M>, _ body: ([M], Int) throws -> Void) throws -> Int {
    var plan = 0
    while true {
      let forced = ForcedPlan(plan)
      let found = try ForcedPlan.$current.withValue(forced) { try fetch(query) }
      try body(found, plan)
      plan += 1
      if plan >= forced.count { return forced.count }
    }
  }
}

extension QueryColumn where Value == ExpressionIndexTests.Visit, M: Model {
  fileprivate var month: QueryColumn<M, Date> {
    self.day.start(of: .month, in: ExpressionIndexTests.berlin)
  }
}
