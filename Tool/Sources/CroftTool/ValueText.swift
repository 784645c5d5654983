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
    case .string(let text): text
    case .list(let values):
      "[" + values.map { plain($0, nothing: "nil") }.joined(separator: ", ") + "]"
    default: value.literal
    }
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
}
