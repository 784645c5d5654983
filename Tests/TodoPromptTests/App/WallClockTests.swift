import Foundation
import Presentation
import Testing
import TodoKit

@testable import TodoPrompt

@Suite struct WallClockTests {
  private func clock(_ time: String, hours: Double) throws -> (WallClock, Date) {
    let date = try Date(time, strategy: .iso8601)
    return (WallClock(now: { date }, secondsFromUTC: { _ in Int(hours * 3600) }), date)
  }

  @Test(arguments: [
    ("2026-01-02T03:04:59Z", 0, "2026-01-02", "2026-01-02 03:04"),
    ("2026-01-02T15:04:00Z", 9, "2026-01-03", "2026-01-03 00:04"),
    ("2026-03-01T01:00:00Z", -3.5, "2026-02-28", "2026-02-28 21:30"),
    ("2027-12-31T23:59:59Z", 5.75, "2028-01-01", "2028-01-01 05:44"),
    ("1969-12-31T23:59:59Z", 0, "1969-12-31", "1969-12-31 23:59"),
    ("1900-03-01T00:00:00Z", -1, "1900-02-28", "1900-02-28 23:00"),
  ])
  func theDayIsThatOfThePlace(time: String, hours: Double, day: String, text: String) throws {
    let (clock, date) = try clock(time, hours: hours)
    #expect(clock.today.description == day)
    #expect(clock.text(of: date) == text)
  }

  @Test func aMomentOutsideTheCalendarIsItsFirstOrLastDay() {
    let clock = WallClock(now: { Date(timeIntervalSince1970: 0) }, secondsFromUTC: { _ in 0 })
    for (seconds, day) in [
      (Double.infinity, "9999-12-31"), (1e300, "9999-12-31"), (-Double.infinity, "0001-01-01"),
      (-1e300, "0001-01-01"), (Double.nan, "0001-01-01"),
    ] {
      #expect(clock.text(of: Date(timeIntervalSince1970: seconds)).hasPrefix(day))
    }
  }

  @Test func aPlacesOffsetIsThatOfTheMomentAskedAbout() {
    let clock = WallClock(
      now: { Date(timeIntervalSince1970: 0) },
      secondsFromUTC: { $0.timeIntervalSince1970 < 1000 ? 3600 : 7200 })
    #expect(clock.text(of: Date(timeIntervalSince1970: 0)) == "1970-01-01 01:00")
    #expect(clock.text(of: Date(timeIntervalSince1970: 3600)) == "1970-01-01 03:00")
  }

  /// The places are west of Greenwich and east of it, and the clock skips midnight or repeats it.
  @Test(arguments: [
    // As in Santiago, where a day began at eleven of the day before.
    ("2026-09-06", -4.0, -3.0, "2026-09-06T04:00:00Z", "2026-09-06T04:00:00Z"),
    // At midnight it is eleven again.
    ("2026-04-05", -3.0, -4.0, "2026-04-05T03:00:00Z", "2026-04-05T04:00:00Z"),
    // As in Beirut.
    ("2026-03-29", 2.0, 3.0, "2026-03-28T22:00:00Z", "2026-03-28T22:00:00Z"),
    // At one it is midnight again, and the day begins with the first one.
    ("2026-10-25", 3.0, 2.0, "2026-10-24T22:00:00Z", "2026-10-24T21:00:00Z"),
    // As in Berlin, where the clock changes at night.
    ("2026-03-29", 1.0, 2.0, "2026-03-29T01:00:00Z", "2026-03-28T23:00:00Z"),
  ])
  func aDayBeginsAtItsFirstMoment(
    day: String, before: Double, after: Double, change: String, start: String
  ) throws {
    let change = try Date(change, strategy: .iso8601)
    let clock = WallClock(
      now: { change }, secondsFromUTC: { Int(($0 < change ? before : after) * 3600) })
    let start = try Date(start, strategy: .iso8601)
    #expect(clock.start(of: try #require(CalendarDay(day))) == start)
    #expect(clock.text(of: start).hasPrefix(day))
    #expect(!clock.text(of: start.addingTimeInterval(-1)).hasPrefix(day))
  }

  /// The issue of words for no day and no time is at the field that they were typed for.
  @Test(arguments: [
    "", " ", ",", "at", "fri 25:00", "fri 3", "fri sat", "14:30 15:30", "2026-06-01T", "fri14:30",
    "T14:30", "someday", "someday 14:30", "fri at", "fri 14:30 x",
  ])
  func wordsThatAreNotReadAreInTheIssueOfTheirField(words: String) throws {
    let (clock, _) = try clock("2026-05-27T12:00:00Z", hours: 0)
    let ofDay = #expect(throws: CommandError.self) { try clock.dueDay(words) }
    #expect(ofDay?.isUnknownWord(words, at: .due) == true)
    let ofTime = #expect(throws: CommandError.self) { try clock.due(words) }
    #expect(ofTime?.isUnknownWord(words, at: .dueTime) == true)
  }

  @Test func aPriorityThatIsNotReadIsInItsIssue() throws {
    let error = #expect(throws: CommandError.self) { try Priority.option("urgent") }
    #expect(error?.isUnknownWord("urgent", at: .priority) == true)
    #expect(try Priority.option("h") == .high)
  }
}

extension CommandError {
  /// Whether this is a wrong use because of words that a field does not take.
  fileprivate func isUnknownWord(_ words: String, at path: FieldPath) -> Bool {
    guard case .issue(let issue) = cause, status == .usage else { return false }
    return issue == ValidationIssue(.invalidFormat, at: path, params: ["word": .text(words)])
  }
}
