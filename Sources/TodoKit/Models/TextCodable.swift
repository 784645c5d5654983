/// A value that is written, also in JSON, as the text that describes it.
public protocol TextCodable: RawRepresentable, LosslessStringConvertible, Codable
where RawValue: Codable {
  /// How the text is written, for the error of another text.
  static var textForm: String { get }
}

extension TextCodable {
  /// Reads a value from its text.
  ///
  /// - Throws: `DecodingError.dataCorrupted` for a text that does not name a value.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = Self(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(Self.textForm), not \(text).")
    }
    self = value
  }

  /// Writes the value as its text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
