import Foundation
import Testing
import TodoKit
import TodoTestSupport

@Suite("CalendarDay")
struct CalendarDayTests {
  @Test func daysAreReadAsTheyAreWritten() {
    for text in ["2026-06-01", "0001-01-01", "9999-12-31", "2024-02-29", "2000-02-29"] {
      #expect(CalendarDay(text)?.description == text)
    }
  }

  @Test(arguments: [
    "", "2026-6-1", "2026-06-01T00:00", "2026/06/01", "2026-02-29", "1900-02-29", "2026-00-10",
    "2026-13-01", "2026-06-00", "2026-06-31", "0000-01-01", "-026-06-01", "+026-06-01",
    "２０２６-06-01", " 2026-06-01", "2026-06-01 ", "20260-6-01",
  ])
  func whatIsNoDayIsNotRead(text: String) {
    #expect(CalendarDay(text) == nil)
  }

  @Test func everyDayOfTheCalendarFollowsTheOneBeforeIt() throws {
    var day = try #require(CalendarDay(year: 1, month: 1, day: 1))
    var weekday = day.weekday
    var count = 1
    while let next = day.adding(days: 1) {
      weekday = weekday % 7 + 1
      // One expectation, and only where it fails: there are millions of days.
      guard
        next > day, next.number == day.number + 1, next.adding(days: -1) == day,
        next.day == day.day + 1 || next.day == 1, next.weekday == weekday
      else {
        Issue.record("\(day) is followed by \(next)")
        return
      }
      day = next
      count += 1
    }
    #expect(day.description == "9999-12-31")
    // 9999 years with their leap days: 2499 - 99 + 24.
    #expect(count == 9999 * 365 + 2424)
  }

  @Test func weekdaysAreCountedFromMonday() throws {
    #expect(CalendarDay("1970-01-01")?.weekday == 4)
    #expect(CalendarDay("2026-06-01")?.weekday == 1)
    #expect(CalendarDay("2000-01-02")?.weekday == 7)
  }

  @Test func farAwayIsNil() throws {
    let day = try #require(CalendarDay("2026-06-01"))
    #expect(day.adding(days: .max) == nil)
    #expect(day.adding(days: .min) == nil)
    #expect(day.adding(days: 3_000_000) == nil)
    #expect(CalendarDay(rawValue: 20_260_631) == nil)
    #expect(CalendarDay(rawValue: .min) == nil)
    #expect(CalendarDay(rawValue: -20_260_601) == nil)
    #expect(CalendarDay(rawValue: 20_260_601) == day)
  }

  @Test func aDueDayIsTheSameInEveryTimeZone() throws {
    // S-traps of other apps: an instant at midnight is another day elsewhere. A day has no instant.
    let day = try #require(CalendarDay("2026-06-01"))
    let json = String(decoding: try JSONEncoder().encode([day]), as: UTF8.self)
    #expect(json == #"["2026-06-01"]"#)
    #expect(try JSONDecoder().decode([CalendarDay].self, from: Data(json.utf8)) == [day])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([CalendarDay].self, from: Data(#"["2026-02-30"]"#.utf8))
    }
  }
}
