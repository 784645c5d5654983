public import Croft

/// A time of day, to the minute: hours and minutes of a clock, but not a moment in time.
///
/// It is the same everywhere, as a ``CalendarDay`` is. It is written, also in JSON, as `14:30`.
public struct TimeOfDay: RawRepresentable, StoredEnum, Hashable, Sendable {
  /// The minutes since midnight, from 0 to 1439.
  public let rawValue: Int16

  /// Makes a time of the minutes since midnight; nil for another number.
  public init?(rawValue: Int16) {
    guard (0..<1440).contains(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  /// Makes a time of day; nil for hours or minutes that a clock does not have.
  ///
  /// - Parameters:
  ///   - hour: From 0 to 23.
  ///   - minute: From 0 to 59.
  public init?(hour: Int, minute: Int) {
    guard (0...23).contains(hour), (0...59).contains(minute) else { return nil }
    rawValue = Int16(hour * 60 + minute)
  }

  /// The last time of a day, with which lists put what has a day and no time.
  static let last: TimeOfDay = {
    guard let time = TimeOfDay(hour: 23, minute: 59) else {
      preconditionFailure("A day has 24 hours.")
    }
    return time
  }()

  /// The hour, from 0 to 23.
  public var hour: Int { Int(rawValue) / 60 }
  /// The minute, from 0 to 59.
  public var minute: Int { Int(rawValue) % 60 }
}

extension TimeOfDay: Comparable {
  /// Orders earlier times first.
  public static func < (lhs: TimeOfDay, rhs: TimeOfDay) -> Bool { lhs.rawValue < rhs.rawValue }
}

extension TimeOfDay: TextCodable {
  /// How the text is written, for the error of another text.
  public static let textForm = "A time of day is written 14:30"

  /// Reads `14:30` or `9:05`: hours of one or two digits, minutes of two; nil for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let areDigits = parts.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isNumber } }
    guard parts.count == 2, areDigits, (1...2).contains(parts[0].count), parts[1].count == 2,
      let hour = Int(parts[0]), let minute = Int(parts[1])
    else { return nil }
    self.init(hour: hour, minute: minute)
  }

  /// The time with two digits for hours and for minutes.
  public var description: String {
    "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
  }
}
