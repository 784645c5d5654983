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
    let minutes = Int((localSeconds(date) / 60).rounded(.down))
    let time = ((minutes % 1440) + 1440) % 1440
    return "\(day(of: date)) \(Self.twoDigits(time / 60)):\(Self.twoDigits(time % 60))"
  }

  private func day(of date: Date) -> CalendarDay {
    // 1 January 1970 as days are numbered.
    let epoch = 719_468
    guard let day = CalendarDay(number: epoch + Int((localSeconds(date) / 86_400).rounded(.down)))
    else { preconditionFailure("Set the clock to a year from 1 to 9999.") }
    return day
  }

  private func localSeconds(_ date: Date) -> Double {
    date.timeIntervalSince1970 + Double(secondsFromUTC(date))
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : String(number)
  }
}
