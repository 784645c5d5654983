import Foundation
import TestSupport
import Testing

@testable import Croft

/// Typed queries as texts, and back.
@Suite struct QueryDescriptionTests {
  private typealias Root = QueryColumn<Tome, Tome>

  private static let texts = [
    "", "a", "우유 배달", "\"", "\\", "it's", "\u{0}", "line\nend", "`where`", "é", "$1", "👩‍👩‍👧", "*?",
  ]
  private static let options: [TextOptions] = [
    [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
  ]

  /// A condition on one property, with a value that the generator draws.
  private static func term(
    _ tome: Root, _ random: inout SeededGenerator
  ) -> QueryCondition<Tome> {
    let text = random.pick(texts)
    let number = Int32(truncatingIfNeeded: random.next())
    let real = Double(bitPattern: random.next())
    let price = real.isFinite ? real : 0.1
    let moment = Date(timeIntervalSinceReferenceDate: Double(random.below(2_000_000_000)) / 7 - 1e9)
    switch random.below(18) {
    case 0: return tome.title == text
    case 1: return tome.title.contains(text, options: random.pick(options))
    case 2: return tome.title.hasPrefix(text, options: random.pick(options))
    case 3: return tome.title.like(text)
    case 4: return tome.year < number
    case 5: return tome.year >= number && tome.year != 0
    case 6: return tome.price == price
    case 7: return tome.price.in([price, nil, 1])
    case 8: return tome.cost > Decimal(number) / 1_000
    case 9: return tome.lentAt < moment
    case 10: return tome.bytes == Data([UInt8(truncatingIfNeeded: random.next())])
    case 11:
      let last = UInt8(random.below(256))
      return tome.code
        == UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, last))
    case 12: return tome.tags.any { $0 == text }
    case 13: return tome.writer.name != text
    case 14: return tome.cover.pages == nil
    case 15: return tome.shelf.in([.low, .high])
    case 16: return tome.scores.count > random.below(4)
    default: return tome.copies + 1 > tome.copies || tome.isLent
    }
  }

  private static func condition(
    _ tome: Root, _ depth: Int, _ random: inout SeededGenerator
  ) -> QueryCondition<Tome> {
    guard depth > 0 else { return term(tome, &random) }
    let left = condition(tome, random.below(depth), &random)
    switch random.below(4) {
    case 0: return !left
    case 1: return left || condition(tome, random.below(depth), &random)
    case 2: return left && condition(tome, random.below(depth), &random)
    default: return left
    }
  }

  @Test func aLiteralHasOneLine() {
    let value = StoredValue.list([.string("a\n\t\"\\b"), .none, .data([0, 255]), .date(0.1)])
    #expect(
      value.literal == #"["a\n\t\"\\b", nil, x"00ff", 2001-01-01T00:00:00.1Z]"#)
  }

  @Test func aRandomQueryIsWrittenAsATextThatIsReadAsAnEqualOne() throws {
    var random = SeededGenerator.forTest("aRandomQueryIsWrittenAsATextThatIsReadAsAnEqualOne")
    for _ in 0..<Torture.steps(short: 1_000, long: 200_000) {
      var query = Tome.where { Self.condition($0, random.below(6), &random) }
      if random.below(3) == 0 { query = query.order(by: \.title.descending, \.year) }
      if random.below(3) == 0 { query = query.limit(random.below(9), offset: random.below(3)) }
      let text = query.description
      #expect(
        try Query<Tome>(text, calendar: DynamicWorld.utc) == query, "\(text), seed \(random.seed)")
    }
  }

  /// Each unit, both signs, and the ends of months, beside ISO 8601.
  @Test(arguments: [
    ("now", "2026-03-31T12:34:56Z"), ("now - 90s", "2026-03-31T12:33:26Z"),
    ("now - 35m", "2026-03-31T11:59:56Z"), ("now + 12h", "2026-04-01T00:34:56Z"),
    ("now - 7d", "2026-03-24T12:34:56Z"), ("now + 2w", "2026-04-14T12:34:56Z"),
    ("now - 1mo", "2026-02-28T12:34:56Z"), ("now + 1y", "2027-03-31T12:34:56Z"),
    ("today", "2026-03-31T00:00:00Z"), ("today + 1mo - 1d", "2026-04-29T00:00:00Z"),
    ("2024-02-29", "2024-02-29T00:00:00Z"),
    ("2026-06-01T09:30:00+09:00", "2026-06-01T00:30:00Z"),
  ])
  func aMomentIsTheDateThatItNames(text: String, date: String) throws {
    let now = try Date("2026-03-31T12:34:56Z", strategy: .iso8601)
    let expected = try Date(date, strategy: .iso8601)
    var random = SeededGenerator(seed: 5)
    let world = try DynamicWorld(count: 1, &random)
    let schemas = try world.openUndeclared().read { try $0.storedModels().schemas }
    let query = try ResolvedQuery(world.query("Tome where lentAt < \(text)"), schemas, now: now)
    #expect(query.core == Tome.where { $0.lentAt < expected }.core)
  }

  @Test func parametersHaveNames() throws {
    let expected = Tome.where { $0.year < 2000 && $0.title == "Sea" }
    let text = "year < $before and title == $title"
    let values: [String: any Storable] = ["before": 2000, "title": "Sea"]
    #expect(try Query<Tome>(text, named: values) == expected)
    #expect(throws: QueryTextError.self) { try Query<Tome>(text, named: ["before": 2000]) }
    var random = SeededGenerator(seed: 6)
    let world = try DynamicWorld(&random)
    let store = try world.open()
    #expect(
      try store.fetch(DynamicQuery("Tome where " + text, named: values)).count
        == store.count(expected))
  }
}
