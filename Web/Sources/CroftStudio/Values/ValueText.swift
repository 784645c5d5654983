import Croft
import Foundation

/// Values as texts: for people, in addresses, and in the query language.
enum ValueText {
  /// A value as people read it.
  static func plain(_ value: StoredValue) -> String {
    switch value {
    case .none: "nil"
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .uint(let value): "\(value)"
    case .double(let value): "\(value)"
    case .date(let seconds): moment(seconds)
    case .uuid: uuid(value)
    case .string(let value): value
    case .data(let bytes): bytes.count == 1 ? "1 byte" : "\(bytes.count) bytes"
    case .decimal(let value): "\(value)"
    case .list(let values): "[" + values.map(plain).joined(separator: ", ") + "]"
    }
  }

  /// A part of a key as a text that ``value(_:as:)`` reads.
  static func key(_ value: StoredValue) -> String {
    switch value {
    // All digits, where a date for people may lack some.
    case .date(let seconds): "\(seconds)"
    case .data(let bytes): bytes.map(hexadecimal).joined()
    default: plain(value)
    }
  }

  /// The value that a text of a key means; nil for a text that is not of the kind.
  static func value(_ text: String, as kind: StorageType.Kind) -> (any Storable)? {
    func some<Value: Storable>(_ type: Value.Type, _ value: Value?) -> (any Storable)? {
      guard let value else { return nil }
      return value
    }
    return switch kind {
    case .bool: some(Bool.self, Bool(text))
    case .int8, .int16, .int32, .int64: some(Int64.self, Int64(text))
    case .uint8, .uint16, .uint32, .uint64: some(UInt64.self, UInt64(text))
    case .float, .double: some(Double.self, Double(text))
    case .date:
      some(Date.self, Double(text).map { Date(timeIntervalSinceReferenceDate: $0) })
    case .uuid: some(UUID.self, UUID(uuidString: text))
    case .string: some(String.self, text)
    case .data: some(Data.self, bytes(text))
    case .decimal:
      some(Decimal.self, Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")))
    case .coded, .compound: nil
    }
  }

  /// A value as a literal of the query language; nil where it has none.
  static func literal(_ value: StoredValue) -> String? {
    switch value {
    case .none, .list: nil
    case .double(let number): number.isFinite ? plain(value) : nil
    case .decimal(let number): number.isFinite ? plain(value) : nil
    case .date(let seconds): writtenSeconds.contains(seconds) ? plain(value) : nil
    case .bool, .int, .uint, .uuid: plain(value)
    case .string(let text): quoted(text)
    case .data(let bytes): "x\"" + bytes.map(hexadecimal).joined() + "\""
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  private static func uuid(_ value: StoredValue) -> String {
    guard case .uuid(let high, let low) = value else { return "" }
    let bytes: [UInt8] = [high, low].flatMap { word in
      stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
    }
    let digits = bytes.map(hexadecimal).joined()
    var (text, rest) = ("", digits[...])
    for count in [8, 4, 4, 4, 12] {
      text += (text.isEmpty ? "" : "-") + rest.prefix(count)
      rest = rest.dropFirst(count)
    }
    return text
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }

  private static func bytes(_ text: String) -> Data? {
    var (data, rest) = (Data(), text[...])
    while !rest.isEmpty {
      guard rest.count > 1, let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
      data.append(byte)
      rest = rest.dropFirst(2)
    }
    return data
  }

  /// The seconds of the dates whose years have four digits: from the year 36 to the end of 9999.
  private static let writtenSeconds: Range<Double> = -62_000_000_000..<252_423_993_600

  /// A date as ISO 8601 writes it, in Greenwich, with as many digits as a query needs to find it again.
  private static func moment(_ seconds: Double) -> String {
    guard writtenSeconds.contains(seconds) else { return "\(seconds)" }
    let whole = seconds.rounded(.down)
    let date = Date(timeIntervalSinceReferenceDate: whole).formatted(.iso8601)
    if seconds == whole { return date }
    // Both are multiples of one power of two, so that the difference is exact, and its digits have an end.
    var (rest, digits) = (seconds - whole, "0.")
    while rest > 0, whole + (Double(digits) ?? 0) != seconds {
      rest *= 10
      digits += "\(Int(rest))"
      rest -= rest.rounded(.down)
    }
    return date.dropLast() + digits.dropFirst() + "Z"
  }
}
