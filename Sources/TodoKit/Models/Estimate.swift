public import Croft

/// How long an item is expected to take, in whole minutes.
///
/// It is written, also in JSON, as `45m`, `2h` or `1h30m`.
public struct Estimate: RawRepresentable, StoredEnum, Hashable, Sendable {
  /// The minutes: at least 1, and less than 10,000 hours.
  public let rawValue: Int32

  /// Makes an estimate of minutes; nil for none, and for 10,000 hours or more.
  public init?(rawValue: Int32) {
    guard (1..<600_000).contains(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  /// Minutes as an estimate is written, such as `1h30m`; `0m` for none.
  ///
  /// - Parameter minutes: One estimate, or the sum of several.
  public static func text(ofMinutes minutes: Int) -> String {
    let (hours, rest) = minutes.quotientAndRemainder(dividingBy: 60)
    return (hours > 0 ? "\(hours)h" : "") + (rest > 0 || hours == 0 ? "\(rest)m" : "")
  }

  /// Minutes in Korean, such as `1시간30분`.
  public static func koreanText(ofMinutes minutes: Int) -> String {
    let (hours, rest) = minutes.quotientAndRemainder(dividingBy: 60)
    return (hours > 0 ? "\(hours)시간" : "") + (rest > 0 || hours == 0 ? "\(rest)분" : "")
  }

  /// Reads an estimate as people write it; nil for anything else.
  ///
  /// - `2h`, `45m`, `1h30m`, `1.5h`, `2 hours`, `90 min`
  /// - `2시간`, `45분`, `1시간 30분`, `1시간 반`
  ///
  /// - Parameter words: What was typed; case and white space do not matter.
  public init?(words: String) {
    var text = words.lowercased().filter { !$0.isWhitespace }[...]
    guard let hours = Self.take(Self.hours, of: &text, unit: 60) else { return nil }
    if hours > 0, text == "반" {
      self.init(rawValue: hours + 30)
      return
    }
    guard let minutes = Self.take(Self.minutes, of: &text, unit: 1), text.isEmpty else {
      return nil
    }
    self.init(rawValue: hours + minutes)
  }

  private static let hours = ["hours", "hour", "h", "시간"]
  private static let minutes = ["minutes", "minute", "mins", "min", "m", "분"]

  /// Removes a number and its unit from the beginning of a text.
  ///
  /// - Returns: The minutes; 0 where another unit comes first, and nil for no whole minutes.
  private static func take(
    _ names: [String], of text: inout Substring, unit: Int32
  ) -> Int32? {
    let digits = text.prefix { $0.isASCII && $0.isNumber || $0 == "." }
    let rest = text.dropFirst(digits.count)
    guard let name = names.first(where: rest.hasPrefix), !digits.isEmpty else { return 0 }
    // Halves of an hour, and quarters: others are no whole minutes for certain.
    guard digits.count <= 7, let number = Double(digits) else { return nil }
    let minutes = number * Double(unit)
    guard minutes < 600_000, let whole = Int32(exactly: minutes) else { return nil }
    text = rest.dropFirst(name.count)
    return whole
  }
}

extension Estimate: TextCodable {
  /// How the text is written, for the error of another text.
  public static let textForm = "An estimate is written 1h30m"

  /// Reads an estimate as it is written.
  public init?(_ text: String) { self.init(words: text) }

  /// The estimate as it is written, such as `1h30m`.
  public var description: String { Self.text(ofMinutes: Int(rawValue)) }

  /// The estimate in Korean, such as `1시간30분`.
  public var koreanWords: String { Self.koreanText(ofMinutes: Int(rawValue)) }
}
