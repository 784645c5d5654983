import Foundation
import TestSupport
import Testing

@testable import TodoFormats

@Suite("TaskDate")
struct TaskDateTests {
  @Test(arguments: [
    "2026-06-01", "2024-02-29", "2026-06-01T14:30", "2026-06-01T14:30:15",
    "2026-06-01T00:00[Europe/Berlin]", "0001-01-01", "9999-12-31T23:59:59",
  ])
  func aDateIsReadAsItIsWritten(text: String) {
    #expect(TaskDate(text)?.description == text)
  }

  @Test(arguments: [
    "", "2026", "2026-02-30", "2025-02-29", "2026-13-01", "0000-01-01", "26-06-01", "2026-6-1",
    "2026-06-01T24:00", "2026-06-01T14:60", "2026-06-01T", "2026-06-01 ", "2026-06-01T14:30Z",
    "2026-06-01[", "tomorrow", "２０２６-06-01", "20260601T1", "2026-06-01T14:30:",
  ])
  func whatIsNoDateIsNone(text: String) {
    #expect(TaskDate(text) == nil)
  }

  @Test func everyDayOfACenturyIsThatOfFoundation() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    for day in stride(from: -40_000, through: 40_000, by: 13) {
      let moment = Date(timeIntervalSince1970: TimeInterval(day) * 86_400 + 45_296)
      let parts = calendar.dateComponents([.year, .month, .day], from: moment)
      let date = TaskDate(moment, in: .gmt)
      #expect([date.year, date.month, date.day] == [parts.year, parts.month, parts.day])
      #expect(date.time == TaskDate.Time(hour: 12, minute: 34, second: 56))
      #expect(date.moment(in: .gmt) == moment)
    }
  }

  @Test(arguments: ["Asia/Seoul", "Europe/Berlin", "America/Sao_Paulo", "Australia/Lord_Howe"])
  func aMomentOfAZoneIsFoundAgain(name: String) throws {
    var random = SeededGenerator.forTest("aMomentOfAZoneIsFoundAgain \(name)")
    let zone = try #require(TimeZone(identifier: name))
    for _ in 0..<2000 {
      let moment = Date(timeIntervalSince1970: TimeInterval(random.below(2_000_000_000)))
      let date = TaskDate(moment, in: zone)
      let again = date.moment(in: zone)
      // An hour that a clock shows twice is the first of the two.
      #expect(again == moment || TaskDate(again, in: zone) == date && again < moment)
      let day = date.wholeDay
      #expect(TaskDate(day.moment(in: zone), in: zone) == day)
    }
  }

  @Test func aDayWhoseMidnightIsSkippedIsStillADay() throws {
    let zone = try #require(TimeZone(identifier: "America/Sao_Paulo"))
    let day = try #require(TaskDate("2018-11-04"))
    #expect(day.moment(in: zone) == (try Date(utc: "2018-11-04T03:00:00Z")))
    #expect(TaskDate(day.moment(in: zone), in: zone) == day)
  }
}
