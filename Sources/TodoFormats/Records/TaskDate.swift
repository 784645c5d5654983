import Foundation

/// A calendar day, with a time of day where there is one, and with the zone that a file names.
///
/// It is a local date. A moment in time of a file is converted to the zone of its row, or else to
/// the zone of the reader, so that `day` is not the day before.
package struct TaskDate: Hashable, Codable, Sendable {
  /// The year, from 1 to 9999.
  package let year: Int
  /// The month, from 1 to 12.
  package let month: Int
  /// The day of the month, from 1.
  package let day: Int
  /// The time of day; nil for a whole day.
  package var time: Time?
  /// The name of the time zone of the date; nil for the zone of the reader.
  package var zone: String?

  /// A time of day.
  package struct Time: Hashable, Codable, Sendable {
    /// The hour, from 0 to 23.
    package let hour: Int
    /// The minute, from 0 to 59.
    package let minute: Int
    /// The second, from 0 to 59.
    package let second: Int

    /// Makes a time; nil if there is no such time of day.
    ///
    /// A leap second is read as the second before it.
    package init?(hour: Int, minute: Int, second: Int = 0) {
      guard (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
      else { return nil }
      self.hour = hour
      self.minute = minute
      self.second = min(second, 59)
    }

    var seconds: Int { hour * 3600 + minute * 60 + second }
  }

  /// Makes a day; nil if the Gregorian calendar has no such day.
  package init?(year: Int, month: Int, day: Int, time: Time? = nil, zone: String? = nil) {
    guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    var parts = tm(year: year, month: month, day: day)
    _ = timegm(&parts)
    if parts.tm_mday != day { return nil }
    self.year = year
    self.month = month
    self.day = day
    self.time = time
    self.zone = zone
  }

  /// The same day without a time and a zone.
  package var wholeDay: TaskDate {
    var copy = self
    copy.time = nil
    copy.zone = nil
    return copy
  }

  /// Reads a date as `description` writes it.
  ///
  /// - Throws: `DecodingError` for a text that is not a date.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let date = TaskDate(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "A date is written 2026-06-01 or 2026-06-01T14:30.")
    }
    self = date
  }

  /// Writes the date as `description` gives it.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension TaskDate: LosslessStringConvertible {
  /// Reads `2026-06-01`, `2026-06-01T14:30`, `2026-06-01T14:30:15`, each with `[Zone]` after it.
  package init?(_ text: String) {
    var zone: String?
    var rest = text[...]
    let open = rest.utf8.firstIndex(of: UInt8(ascii: "["))
    if let open, rest.utf8.last == UInt8(ascii: "]") {
      zone = String(Substring(rest.utf8[open...].dropFirst().dropLast()))
      rest = rest[..<open]
    }
    guard let read = DateText(rest), read.offset == nil else { return nil }
    self = read.date
    self.zone = zone
  }

  /// The date as ISO 8601 has it, with the zone in brackets.
  package var description: String {
    var text = dashed
    if let time {
      text += "T\(time.hour.padded(2)):\(time.minute.padded(2))"
      if time.second != 0 { text += ":\(time.second.padded(2))" }
    }
    if let zone { text += "[\(zone)]" }
    return text
  }

  var dashed: String { "\(year.padded(4))-\(month.padded(2))-\(day.padded(2))" }

  /// The date as `20260601` or `20260601T143000`.
  var compact: String {
    let text = year.padded(4) + month.padded(2) + day.padded(2)
    guard let time else { return text }
    return text + "T" + time.hour.padded(2) + time.minute.padded(2) + time.second.padded(2)
  }
}

extension [TaskDate] {
  /// The dates, the earliest first, in whatever order a file has them.
  var inOrder: [TaskDate] { sorted { $0.description < $1.description } }
}

extension Int {
  /// The decimal digits, with zeros before them up to a count.
  func padded(_ count: Int) -> String {
    let digits = String(self)
    return String(repeating: "0", count: Swift.max(0, count - digits.utf8.count)) + digits
  }
}
