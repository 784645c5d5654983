import Foundation
import TestSupport
import Testing

@testable import Croft

/// The beginning of a unit depends on the date alone, whatever dates came before.
@Suite struct UnitStartsTests {
  /// It came from another unit that Foundation lets overlap, around a change of the time zone.
  @Test(arguments: [Calendar.Component.hour, .day, .weekOfYear, .month, .quarter, .year])
  func aUnitThatIsKeptIsWhatFoundationSays(unit: Calendar.Component) throws {
    var random = SeededGenerator.forTest("unit starts")
    let zones = [
      "America/St_Johns", "America/Goose_Bay", "Australia/Lord_Howe", "Pacific/Apia",
      "Pacific/Kwajalein", "Pacific/Kiritimati",
    ]
    // Days that the last three left out: 2011-12-30, 1993-08-21 and 1995-01-01.
    let leftOut = [1_325_239_200.0, 745_891_200, 788_868_000]
    let others = TimeZone.knownTimeZoneIdentifiers.sorted()
    for name in zones + (0..<30).map({ _ in others[random.below(others.count)] }) {
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = try #require(TimeZone(identifier: name))
      calendar.firstWeekday = 1 + random.below(7)
      let starts = ColumnExpression.UnitStarts(unit, calendar)
      for round in 0..<12 {
        let day = Double(random.below(60 * 365) - 31 * 365) * 86_400
        let some = Date(timeIntervalSinceReferenceDate: day)
        let change =
          round < leftOut.count
          ? Date(timeIntervalSince1970: leftOut[round])
          : calendar.timeZone.nextDaylightSavingTimeTransition(after: some) ?? some
        // Dates around the change, most of them close to it, in any order.
        for _ in 0..<40 {
          let distance = Double(random.below(2_000) - 1_000)
          let date = change + distance * [7, 60, 600, 5_000][random.below(4)]
          let start = starts.start(of: date.timeIntervalSinceReferenceDate)
          let expected = calendar.dateInterval(of: unit, for: date)?.start
          #expect(
            start == expected?.timeIntervalSinceReferenceDate, "\(name) \(unit) of \(date)")
        }
      }
    }
  }
}
