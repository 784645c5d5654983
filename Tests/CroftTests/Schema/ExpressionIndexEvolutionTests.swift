import Foundation
import TestSupport
import Testing

@testable import Croft

/// An index on an expression while programs and their models change.
@Suite(.keepsFailedStores) struct ExpressionIndexEvolutionTests {
  /// The program before there was an index.
  enum Plain {
    @Model struct Trip: Hashable {
      @PrimaryKey var id: Int
      var day: Date
      var title: String
      var length: Int
    }
  }

  /// The program that added one.
  enum Indexed {
    @Model struct Trip: Hashable {
      @PrimaryKey var id: Int
      var day: Date
      var title: String
      var length = 0
      #Index<Trip> {
        [
          $0.day.start(of: .month, in: ExpressionIndexEvolutionTests.seoul).ascending,
          ($0.length * 2).descending,
        ]
      }
      #Index<Trip> { [$0.title.lowercased().ascending] }
    }
  }

  /// A program that renames what the index reads.
  enum Renamed {
    @Model struct Trip: Hashable {
      @PrimaryKey var id: Int
      @Renamed(from: "day") var date: Date
      var title: String
      @Renamed(from: "length") var kilometres: Int
      #Index<Trip> {
        [
          $0.date.start(of: .month, in: ExpressionIndexEvolutionTests.seoul).ascending,
          ($0.kilometres * 2).descending,
        ]
      }
      #Index<Trip> { [$0.title.lowercased().ascending] }
    }
  }

  /// A program with another calendar, and another number.
  enum Recomputed {
    @Model struct Trip: Hashable {
      @PrimaryKey var id: Int
      var day: Date
      var title: String
      var length: Int
      #Index<Trip> {
        [
          $0.day.start(of: .month, in: ExpressionIndexEvolutionTests.berlin).ascending,
          ($0.length * 3).descending,
        ]
      }
      #Index<Trip> { [$0.title.lowercased().ascending] }
    }
  }

  /// A program in which a length may be missing, and that has another property in its index.
  enum Widened {
    @Model struct Trip: Hashable {
      @PrimaryKey var id: Int
      var day: Date
      var title: String
      var length: Int?
      var stops = 4
      #Index<Trip> {
        [
          $0.day.start(of: .month, in: ExpressionIndexEvolutionTests.seoul).ascending,
          ($0.length * 2).descending,
        ]
      }
      #Index<Trip> { [$0.title.lowercased().ascending] }
      #Index<Trip> { [($0.stops + 1).ascending] }
    }
  }

  static let seoul = calendar("Asia/Seoul")
  static let berlin = calendar("Europe/Berlin")

  private static func calendar(_ zone: String) -> Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: zone) ?? .gmt
    return calendar
  }

  private static func day(_ number: Int) -> Date {
    Date(timeIntervalSince1970: Double(number) * 86_400 / 3 + 946_700_000)
  }

  private static let month = seoul.date(from: DateComponents(year: 2000, month: 2)) ?? .distantPast

  private func open<M: Model>(_ model: M.Type, _ temporary: TemporaryStore) throws -> Store {
    try Store.open(at: temporary.url, models: model, options: .forTests)
  }

  /// Checks that a query uses an index and finds the ids.
  private func expect<M: Model>(
    _ query: Query<M>, _ ids: [M.PrimaryKey], in store: Store,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let plans = try store.everyPlan(of: query) { found, plan in
      #expect(found.map(\._primaryKey) == ids, "plan \(plan)", sourceLocation: location)
    }
    #expect(plans > 1, sourceLocation: location)
    #expect(try store.verify().problems == [], sourceLocation: location)
  }

  private func fill(_ temporary: TemporaryStore, _ count: Int = 300) throws {
    let store = try open(Plain.Trip.self, temporary)
    try store.write { tx in
      try tx.insert(
        contentsOf: (0..<count).map {
          Plain.Trip(id: $0, day: Self.day($0), title: "Trip \($0 % 7)", length: $0 % 10)
        })
    }
  }

  private var inFebruary: [Int] {
    (0..<300).filter {
      Self.seoul.dateInterval(of: .month, for: Self.day($0))?.start == Self.month
    }
  }

  @Test func anIndexIsMadeOfObjectsThatAreThereAndAnOlderProgramKeepsItUpToDate() throws {
    try withTemporaryStore(of: Indexed.Trip.self) { temporary in
      try fill(temporary)
      let month = Self.month
      let query = Indexed.Trip.where { $0.day.start(of: .month, in: Self.seoul) == month }
      try expect(query, inFebruary, in: open(Indexed.Trip.self, temporary))

      let older = try open(Plain.Trip.self, temporary)
      let newer = try open(Indexed.Trip.self, temporary)
      try older.write { tx in
        try tx.delete(Plain.Trip.self, inFebruary[0])
        try tx.update(Plain.Trip.where { $0.id == 0 }, set: \.day, to: Self.month)
        try tx.insert(Plain.Trip(id: 1_000, day: Self.month, title: "TRIP 3", length: 1))
      }
      let ids = [0] + inFebruary.dropFirst() + [1_000]
      try expect(query, ids, in: newer)
      #expect(try older.verify().problems == [])
      let titles = Indexed.Trip.where { $0.title.lowercased() == "trip 3" }
      #expect(try newer.fetch(titles).map(\.id).last == 1_000)
      _ = try newer.write { try $0.update(Indexed.Trip.self, 0) { $0.day = .distantPast } }
      #expect(try older.verify().problems == [])
      try expect(query, Array(ids.dropFirst()), in: newer)
    }
  }

  @Test func anIndexFollowsTheFieldsThatAreRenamed() throws {
    try withTemporaryStore(of: Renamed.Trip.self) { temporary in
      try fill(temporary)
      let before = try open(Indexed.Trip.self, temporary).statistics.models[0].indexes.count
      let month = Self.month
      let store = try open(Renamed.Trip.self, temporary)
      try expect(
        Renamed.Trip.where { $0.date.start(of: .month, in: Self.seoul) == month }, inFebruary,
        in: store)
      #expect(try store.statistics.models[0].indexes.count == before)
      // The program before the renaming still uses it, by its own names.
      let older = try open(Indexed.Trip.self, temporary)
      try older.write { try $0.insert(Indexed.Trip(id: 500, day: month, title: "", length: 3)) }
      try expect(
        Indexed.Trip.where { $0.day.start(of: .month, in: Self.seoul) == month },
        inFebruary + [500],
        in: older)
      #expect(try store.count(Renamed.Trip.where { $0.kilometres * 2 == 6 }) == 31)
    }
  }

  @Test func anotherCalendarOrNumberIsAnotherIndex() throws {
    try withTemporaryStore(of: Recomputed.Trip.self) { temporary in
      try fill(temporary)
      let first = try open(Indexed.Trip.self, temporary)
      #expect(try first.statistics.models[0].indexes.count == 2)
      let store = try open(Recomputed.Trip.self, temporary)
      let month = Self.month
      let explanation = try store.explain(
        Recomputed.Trip.where { $0.day.start(of: .month, in: Self.seoul) == month })
      #expect(explanation.access == .scan)
      let start = try #require(Self.berlin.dateInterval(of: .month, for: Self.day(100))?.start)
      let ids = (0..<300).filter {
        Self.berlin.dateInterval(of: .month, for: Self.day($0))?.start == start
      }
      try expect(
        Recomputed.Trip.where { $0.day.start(of: .month, in: Self.berlin) == start }, ids, in: store
      )
      #expect(try store.statistics.models[0].indexes.count == 2)
    }
  }

  @Test func anIndexIsMadeAnewWhereAPropertyItReadsHasAnotherType() throws {
    try withTemporaryStore(of: Widened.Trip.self) { temporary in
      try fill(temporary)
      _ = try open(Indexed.Trip.self, temporary)
      let month = Self.month
      for turn in 0..<3 {
        let newer = try open(Widened.Trip.self, temporary)
        try newer.write { tx in
          try tx.insert(
            Widened.Trip(id: 600 + turn * 2, day: month, title: "", length: 4, stops: 9))
          try tx.upsert(Widened.Trip(id: turn, day: month, title: "nil", length: nil))
        }
        let query = Widened.Trip.where {
          $0.day.start(of: .month, in: Self.seoul) == month && $0.length * 2 == 8
        }
        let expected = try newer.fetch(Widened.Trip.all).filter { trip in
          trip.length == 4
            && Self.seoul.dateInterval(of: .month, for: trip.day)?.start == month
        }
        try expect(query, expected.map(\.id), in: newer)
        // The older objects have the default.
        try expect(
          Widened.Trip.where { $0.stops + 1 == 10 }, (0...turn).map { 600 + $0 * 2 }, in: newer)
        let older = try open(Indexed.Trip.self, temporary)
        try older.write { tx in
          try tx.insert(Indexed.Trip(id: 601 + turn * 2, day: month, title: "X", length: 5))
        }
        try expect(
          Indexed.Trip.where { $0.title.lowercased() == "x" }, (0...turn).map { 601 + $0 * 2 },
          in: older)
        try expect(
          Indexed.Trip.where {
            $0.day.start(of: .month, in: Self.seoul) == month && $0.length * 2 == 10
          },
          try older.fetch(Indexed.Trip.all).filter {
            $0.length == 5 && Self.seoul.dateInterval(of: .month, for: $0.day)?.start == month
          }.map(\.id), in: older)
      }
    }
  }

  @Test func anIndexThatNobodyDeclaresAnyMoreGoes() throws {
    try withTemporaryStore(of: Indexed.Trip.self, checksAtEnd: false) { temporary in
      _ = try open(Indexed.Trip.self, temporary)
      #expect(try open(Plain.Trip.self, temporary).statistics.models[0].indexes.isEmpty)
    }
  }

  @Test func anIndexIsBuiltStepByStepAndMadeAnewFromDamage() throws {
    try withTemporaryStore(of: Indexed.Trip.self) { temporary in
      try fill(temporary)
      let build = try StepwiseBuild(at: temporary.url, Indexed.Trip.self)
      let month = Self.month
      let older = try open(Plain.Trip.self, temporary)
      var steps = 0
      while try build.step() != nil {
        steps += 1
        if steps < 6 {
          try older.write { tx in
            try tx.insert(Plain.Trip(id: -steps, day: month, title: "early", length: 0))
            try tx.insert(Plain.Trip(id: 2_000 + steps, day: month, title: "late", length: 0))
          }
        }
        #expect(try older.verify().problems == [])
      }
      #expect(steps >= 5)
      let store = try open(Indexed.Trip.self, temporary)
      let ids = (1...5).map { -$0 }.reversed() + inFebruary + (1...5).map { 2_000 + $0 }
      let query = Indexed.Trip.where { $0.day.start(of: .month, in: Self.seoul) == month }
        .order(by: \.id)
      try expect(query, Array(ids), in: store)
      try store.rebuildIndexes()
      try expect(query, Array(ids), in: store)
    }
  }

  @Test(arguments: 0..<40) func anExpressionIsReadAsItWasStored(round: Int) throws {
    var random = SeededGenerator.forTest("\(#function) \(round)")
    let expression = Self.expression(4, &random)
    let stored = CatalogEntry.Expression(expression) { $0 + 40 }
    let bytes = try JSONEncoder().encode(stored)
    let read = try JSONDecoder().decode(CatalogEntry.Expression.self, from: bytes)
    #expect(read == stored)
    #expect(read.fields == expression.columns.map { $0.place + 40 })
    let restored = read.expression { ColumnPath(place: $0 - 40, name: "column \($0 - 40)") }
    #expect(restored == expression, "\(expression)")
    #expect(
      read.expression { $0 == 40 ? nil : ColumnPath(place: $0 - 40, name: "") } == nil
        || !read.fields.contains(40))
  }

  private static func expression(
    _ depth: Int, _ random: inout SeededGenerator
  ) -> ColumnExpression {
    let column = ColumnExpression.column(
      {
        ColumnPath(place: $0, name: "column \($0)")
      }(random.below(3)))
    if depth == 0 { return column }
    func term() -> ColumnExpression { expression(depth - 1, &random) }
    switch random.below(9) {
    case 0: return column
    case 1:
      return .constant(
        random.pick([
          .bool(true), .int(.min), .uint(.max), .double(-.infinity), .double(0.1), .date(-1.5),
          .uuid(1, .max), .string("e\u{301} 한"), .data([0, 255]), .decimal(Decimal(12) / 7),
        ]))
    case 2, 3:
      let operations: [ColumnExpression.Operation] = [
        .plus, .minus, .times, .dividedBy, .remainder,
      ]
      let (left, right) = (term(), term())
      return .arithmetic(
        left, random.pick(operations), right, random.pick([.int8, .uint64, .float, .decimal]))
    case 4:
      let left = term()
      return .coalesced(left, term())
    case 5: return .text(term(), random.pick([.lowercased, .uppercased, .count]))
    case 6:
      let operand = term()
      return .start(
        operand, of: random.pick([.day, .weekOfYear, .month, .era]),
        UnitCalendar(random.pick([seoul, berlin])))
    default:
      let operand = term()
      return .component(
        operand, random.pick([.weekday, .hour, .yearForWeekOfYear]),
        UnitCalendar(random.pick([seoul, berlin])))
    }
  }
}
