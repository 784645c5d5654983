#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Values as JSON and back, with errors that name the key.
enum ValueCoding {
  /// A value as JSON, its members in one order whenever it is encoded.
  static func json<T: Encodable>(_ value: T, _ key: String) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return try encoder.encode(value)
    } catch {
      throw StoreError.notCodable(key: key, reason: reason(error))
    }
  }

  /// A value from JSON.
  static func value<T: Decodable>(_ json: Data, _ key: String) throws -> T {
    do {
      return try JSONDecoder().decode(T.self, from: json)
    } catch {
      throw StoreError.notCodable(key: key, reason: reason(error))
    }
  }

  /// What a coder complains of, without its type's name.
  private static func reason(_ error: any Error) -> String {
    let context: (String, [any CodingKey])? =
      switch error {
      case EncodingError.invalidValue(_, let context):
        (context.debugDescription, context.codingPath)
      case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
        DecodingError.keyNotFound(_, let context), DecodingError.dataCorrupted(let context):
        (context.debugDescription, context.codingPath)
      default: nil
      }
    guard let (text, path) = context else { return "\(error)" }
    let sentence = text.hasSuffix(".") ? String(text.dropLast()) : text
    let place = path.map(\.stringValue).joined(separator: ".")
    return place.isEmpty ? sentence : "\(sentence) at \(place)"
  }
}
