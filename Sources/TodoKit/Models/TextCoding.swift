/// The coding of values that are one text: that which describes them.
extension Decoder {
  /// Reads a value from its text.
  ///
  /// - Parameter form: How the text is written, for the error.
  func value<Value: LosslessStringConvertible>(_ form: String) throws -> Value {
    let container = try singleValueContainer()
    let text = try container.decode(String.self)
    if let value = Value(text) { return value }
    throw DecodingError.dataCorruptedError(
      in: container, debugDescription: "\(form), not \(text).")
  }
}

extension Encoder {
  /// Writes a value as its text.
  func encode(_ value: some LosslessStringConvertible) throws {
    var container = singleValueContainer()
    try container.encode(value.description)
  }
}
