extension ValidationIssue {
  /// The kind of an issue, as a name that programs compare and message catalogues look up.
  ///
  /// The list is open: a domain adds its own as static constants, best with its
  /// name in front (`"todo.reservedName"`).
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name itself.
    public let rawValue: String

    /// Makes a code of the given name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }
  }
}

extension ValidationIssue.Code: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Makes a code of the given name.
  public init(stringLiteral name: String) {
    self.init(rawValue: name)
  }

  /// The name itself.
  public var description: String { rawValue }
}

extension ValidationIssue.Code {
  /// No choice was made where one is required.
  public static let required: Self = "required"
  /// A text is required, and the input is empty or has no visible characters.
  public static let blank: Self = "blank"
  /// A text or a list is shorter than allowed.
  public static let tooShort: Self = "tooShort"
  /// A text or a list is longer than allowed.
  public static let tooLong: Self = "tooLong"
  /// A number is outside its bounds.
  public static let outOfRange: Self = "outOfRange"
  /// Another entry has this value already.
  public static let notUnique: Self = "notUnique"
  /// The chosen object does not exist, or was deleted.
  public static let notFound: Self = "notFound"
  /// Another program or screen has changed the value since it was read.
  public static let stale: Self = "stale"
  /// Two fields that must have the same value differ.
  public static let mismatch: Self = "mismatch"
  /// The input cannot be read as a value of its type.
  public static let invalidFormat: Self = "invalidFormat"
  /// The input could not be checked; only saving it shows whether it is accepted.
  public static let unchecked: Self = "unchecked"
  /// Something failed that is not about the input.
  public static let unexpected: Self = "unexpected"
}
