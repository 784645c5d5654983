/// A language in which messages are written, by its ISO 639 code in lower case.
public struct Language: RawRepresentable, Hashable, Sendable {
  /// The ISO 639 code, such as `ko`.
  public let rawValue: String

  /// Makes the language with the given ISO 639 code.
  public init(rawValue: String) {
    self.rawValue = rawValue.lowercased()
  }

  /// Korean.
  public static let korean = Language(rawValue: "ko")
  /// English, which is also used for a language that has no text.
  public static let english = Language(rawValue: "en")

  /// Reads the language out of a locale's name, such as `ko_KR.UTF-8` or `en-GB`.
  ///
  /// - Parameter identifier: The name as the environment or a system gives it.
  /// - Returns: The language; nil for a name without one: an empty name, `C` and `POSIX`, with or
  ///   without an encoding.
  public init?(localeIdentifier identifier: String) {
    let code = identifier.prefix { $0.isLetter && $0.isASCII }
    guard (2...3).contains(code.count) else { return nil }
    self.init(rawValue: String(code))
  }
}
