public import Croft
import Foundation
import TerminalText

/// Values as texts: for people, and in JSON.
public enum ValueText {
  /// A value as people read it; nil is empty in files and `nil` in tables.
  ///
  /// - Parameters:
  ///   - value: The value. Bytes are `x\"` and digits; a date is that of ISO 8601 in UTC.
  ///   - nothing: The text for nil that is not in a list.
  public static func plain(_ value: StoredValue, nothing: String = "") -> String {
    switch value {
    case .none: nothing
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .uint(let value): "\(value)"
    case .double(let value): "\(value)"
    case .date(let seconds): moment(seconds)
    case .uuid(let high, let low): uuid(high, low)
    case .string(let value): value
    case .data(let bytes): "x\"" + bytes.map { hexadecimal($0) }.joined() + "\""
    case .decimal(let value): "\(value)"
    case .list(let values):
      "[" + values.map { plain($0, nothing: "nil") }.joined(separator: ", ") + "]"
    }
  }

  /// A list as a query text has it, with its texts in quotes.
  static func list(_ values: [StoredValue]) -> String {
    let literals = values.map { value in
      guard case .string(let text) = value else { return plain(value, nothing: "nil") }
      let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      return "\"" + escaped + "\""
    }
    return "[" + literals.joined(separator: ", ") + "]"
  }

  /// A value in JSON: numbers and truth values as such, all else as texts, bytes in base64.
  static func json(_ value: StoredValue) -> String {
    switch value {
    case .none: "null"
    // JSON has no number for these.
    case .double(let number) where !number.isFinite: "\(number)".jsonQuoted
    case .decimal(let number) where !number.isFinite: "\(number)".jsonQuoted
    case .bool, .int, .uint, .decimal, .double: plain(value)
    case .data(let bytes): Data(bytes).base64EncodedString().jsonQuoted
    case .date, .uuid, .string: plain(value).jsonQuoted
    case .list(let values): "[" + values.map { json($0) }.joined(separator: ",") + "]"
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }

  /// The seconds of the dates whose years have four digits: from the year 36 to the end of 9999.
  private static let writtenSeconds: Range<Double> = -62_000_000_000..<252_423_993_600

  /// A date as ISO 8601 writes it, in Greenwich, with the digits by which a query finds it.
  private static func moment(_ seconds: Double) -> String {
    guard writtenSeconds.contains(seconds) else { return "\(seconds)" }
    let whole = seconds.rounded(.down)
    let date = Date(timeIntervalSinceReferenceDate: whole).formatted(.iso8601)
    if seconds == whole { return date }
    // Both are multiples of one power of two, so that the difference is exact, and its digits have
    // an end.
    var (rest, digits) = (seconds - whole, "0.")
    while rest > 0, whole + (Double(digits) ?? 0) != seconds {
      rest *= 10
      digits += "\(Int(rest))"
      rest -= rest.rounded(.down)
    }
    return date.dropLast() + digits.dropFirst() + "Z"
  }

  private static func uuid(_ high: UInt64, _ low: UInt64) -> String {
    let bytes = [high, low].flatMap { word in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
    }
    // As `uuidString`, dumps and errors have it; a query takes either case.
    let digits = bytes.map { hexadecimal($0) }.joined().uppercased()
    var (text, rest) = ("", digits[...])
    for count in [8, 4, 4, 4, 12] {
      text += (text.isEmpty ? "" : "-") + rest.prefix(count)
      rest = rest.dropFirst(count)
    }
    return text
  }
}
