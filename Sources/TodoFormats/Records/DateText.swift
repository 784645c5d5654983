import Foundation

/// A date as files write it: ISO 8601 in its two forms, with what is known of the zone.
///
/// `20260601`, `20260601T143000Z`, `2026-06-01`, `2026-06-01 14:30`, `2026-06-01T14:30:15.250+0900`.
/// Nothing is guessed: any other text is none.
struct DateText {
  /// What calendar and clock show.
  let date: TaskDate
  /// The seconds that the clock is ahead of the one in Greenwich; nil where the text does not say.
  let offset: Int?

  init?(_ text: some StringProtocol) {
    var scanner = DigitScanner(text)
    guard let year = scanner.number(4) else { return nil }
    let isDashed = scanner.skip("-")
    guard let month = scanner.number(2), !isDashed || scanner.skip("-"), let day = scanner.number(2)
    else { return nil }
    if scanner.isAtEnd {
      guard let date = TaskDate(year: year, month: month, day: day) else { return nil }
      self.date = date
      offset = nil
      return
    }
    guard scanner.skip("T") || scanner.skip(" "), let hour = scanner.number(2) else { return nil }
    let hasColon = scanner.skip(":")
    guard let minute = scanner.number(2) else { return nil }
    var second = 0
    if !hasColon || scanner.skip(":") {
      // A basic time without seconds is followed by nothing or a zone.
      if let read = scanner.number(2) { second = read } else if hasColon { return nil }
      if scanner.skip(".") || scanner.skip(",") { guard scanner.digits() else { return nil } }
    }
    offset = Self.offset(&scanner)
    guard scanner.isAtEnd, let time = TaskDate.Time(hour: hour, minute: minute, second: second),
      let date = TaskDate(year: year, month: month, day: day, time: time)
    else { return nil }
    self.date = date
  }

  private static func offset(_ scanner: inout DigitScanner) -> Int? {
    if scanner.skip("Z") { return 0 }
    let isAhead = scanner.skip("+")
    guard isAhead || scanner.skip("-"), let hours = scanner.number(2) else { return nil }
    _ = scanner.skip(":")
    let seconds = hours * 3600 + (scanner.number(2) ?? 0) * 60
    return isAhead ? seconds : -seconds
  }

  /// The moment; one without a zone is in that of the reader.
  func moment(in zone: TimeZone) -> Date {
    guard let offset else { return date.moment(in: zone) }
    return date.moment(in: .gmt).addingTimeInterval(TimeInterval(-offset))
  }

  /// The date and time in a zone; a text without a zone is already in it.
  func local(in zone: TimeZone) -> TaskDate {
    offset == nil ? date : TaskDate(moment(in: zone), in: zone)
  }
}

/// Reads digits and signs from the front of a text.
private struct DigitScanner {
  private var rest: Substring.UTF8View

  init(_ text: some StringProtocol) { rest = Substring(text).utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  /// Reads a number of exactly `count` digits; nil, and nothing is read, if there are fewer.
  mutating func number(_ count: Int) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy(\.isDigit) else { return nil }
    rest.removeFirst(count)
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  /// Skips digits; false if there is none.
  mutating func digits() -> Bool {
    let count = rest.prefix(while: \.isDigit).count
    rest.removeFirst(count)
    return count > 0
  }

  mutating func skip(_ sign: Unicode.Scalar) -> Bool {
    guard let first = rest.first, first == UInt8(ascii: sign) else { return false }
    rest.removeFirst()
    return true
  }
}

extension UInt8 {
  var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
}
