/// A storage type as the catalog writes it: `int64`, `string?`, `[date]`, `{uuid?}?`, `[:bool]`.
///
/// A set stands in braces, a dictionary's values behind a colon.
struct StoredType: Codable, Hashable, Sendable {
  var storage: StorageType

  init(_ storage: StorageType) { self.storage = storage }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let storage = StorageType(text: text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "there is no type \(text)")
    }
    self.storage = storage
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(storage.text)
  }
}

extension StorageType {
  /// The type as the catalog writes it and a person reads it.
  var text: String {
    let kind = kind == .compound ? parts.text : kind.rawValue
    let element = kind + (isElementOptional ? "?" : "")
    let value =
      switch collection {
      case nil: kind
      case .array: "[\(element)]"
      case .set: "{\(element)}"
      case .dictionary: "[:\(element)]"
      }
    return value + (isOptional ? "?" : "")
  }

  /// The type that a text names; nil where it names none.
  init?(text: String) {
    let isOptional = text.last == "?"
    var rest = isOptional ? text.dropLast() : text[...]
    var collection: Collection?
    if rest.hasPrefix("["), rest.hasSuffix("]") {
      collection = rest.hasPrefix("[:") ? .dictionary : .array
    } else if rest.hasPrefix("{"), rest.hasSuffix("}") {
      collection = .set
    }
    if let collection { rest = rest.dropFirst(collection == .dictionary ? 2 : 1).dropLast() }
    let isElementOptional = collection != nil && rest.last == "?"
    if isElementOptional { rest = rest.dropLast() }
    let parts = KeyParts(text: rest)
    guard let kind = parts == nil ? Kind(rawValue: String(rest)) : .compound,
      kind != .compound || parts != nil
    else { return nil }
    self.init(
      kind, isOptional: isOptional, collection: collection, isElementOptional: isElementOptional,
      parts: parts ?? KeyParts())
  }
}
