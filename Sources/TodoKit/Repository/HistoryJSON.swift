import CroftFoundation

/// The JSON in which the history keeps commands.
///
/// Bytes that are UTF-8, such as the record of an imported task, are written as a text with a mark, and others in Base64, as
/// `JSONEncoder` writes them: zlib finds what recurs in a text, and in Base64 only where it is at the same of three places.
/// Histories of earlier programs have Base64 alone.
enum HistoryJSON {
  /// Begins a text; it is not Base64.
  private static let mark = "utf8:"

  static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.dataEncodingStrategy = .custom { data, encoder in
      var container = encoder.singleValueContainer()
      if let text = String(validating: data, as: UTF8.self) {
        try container.encode(mark + text)
      } else {
        try container.encode(data.base64EncodedString())
      }
    }
    return try encoder.encode(value)
  }

  static func decode<Value: Decodable>(_ type: Value.Type, from json: Data) throws -> Value {
    let decoder = JSONDecoder()
    decoder.dataDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      let text = try container.decode(String.self)
      if text.utf8.starts(with: mark.utf8) { return Data(text.utf8.dropFirst(mark.utf8.count)) }
      guard let data = Data(base64Encoded: text) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "not Base64")
      }
      return data
    }
    return try decoder.decode(type, from: json)
  }
}
