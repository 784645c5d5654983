import TodoKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The time it is, and what a clock on the wall shows then.
struct WallClock: Sendable {
  let now: @Sendable () -> Date
  /// How far the clocks of this place are ahead of UTC at a moment.
  let secondsFromUTC: @Sendable (Date) -> Int

  /// The day it is here.
  var today: CalendarDay { day(of: now()) }

  /// A moment as clocks here show it, to the minute: `2026-06-01 09:30`.
  func text(of date: Date) -> String {
    let minutes = count(of: 60, at: date)
    let time = ((minutes % 1440) + 1440) % 1440
    return "\(day(of: date)) \(Self.twoDigits(time / 60)):\(Self.twoDigits(time % 60))"
  }

  private func day(of date: Date) -> CalendarDay {
    // Days are numbered so that 1 January 1970 is this one.
    let epoch = 719_468
    // A moment outside the years from 1 to 9999 is shown as the first or the last day there is.
    let number = min(max(306, epoch + count(of: 86_400, at: date)), 3_652_364)
    guard let day = CalendarDay(number: number) else {
      preconditionFailure("The bounds must be those of calendar days.")
    }
    return day
  }

  /// How often so many seconds have passed here since 1970; within what an integer holds.
  private func count(of seconds: Double, at date: Date) -> Int {
    let passed = date.timeIntervalSince1970 + Double(secondsFromUTC(date))
    return Int(min(max(-1e12, (passed / seconds).rounded(.down)), 1e12))
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : String(number)
  }
}
