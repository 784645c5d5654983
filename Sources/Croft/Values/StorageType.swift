/// The stored type of a property: the kind of its bytes, its collection, and whether it is optional.
///
/// The catalog stores it, and it decides a column's width. Two Swift types with the same storage
/// type, such as `Int` and an enum with `Int` raw values, read each other's rows.
public struct StorageType: Hashable, Sendable {
  /// The kind of the bytes; of a collection the kind of its elements.
  public let kind: Kind
  /// Whether a presence bit distinguishes nil from a value.
  public let isOptional: Bool
  /// The kind of collection; nil for a single value.
  public let collection: Collection?
  /// Whether elements of the collection are optional.
  public let isElementOptional: Bool
  /// The kinds of a compound key's parts; of other kinds none.
  @usableFromInline let parts: KeyParts

  /// Makes a storage type.
  @inlinable
  public init(
    _ kind: Kind, isOptional: Bool = false, collection: Collection? = nil,
    isElementOptional: Bool = false
  ) {
    self.init(
      kind, isOptional: isOptional, collection: collection, isElementOptional: isElementOptional,
      parts: KeyParts())
  }

  @inlinable
  init(
    _ kind: Kind, isOptional: Bool = false, collection: Collection? = nil,
    isElementOptional: Bool = false, parts: KeyParts
  ) {
    self.kind = kind
    self.isOptional = isOptional
    self.collection = collection
    self.isElementOptional = isElementOptional
    self.parts = parts
  }

  /// The bytes in the fixed-width area, or 0 for what has variable length.
  @inlinable
  public var width: Int { collection == nil ? kind.width : 0 }

  /// The bytes of the key code, without a nil byte, or `nil` where they vary.
  var keyWidth: Int? { collection == nil ? codeWidth : nil }

  /// The bytes of the key code of a value, or of one element, or `nil` where they vary.
  var codeWidth: Int? { kind == .compound ? parts.codeWidth : kind.keyWidth }

  /// The same storage, with a presence bit.
  @inlinable
  public var optional: StorageType {
    StorageType(
      kind, isOptional: true, collection: collection, isElementOptional: isElementOptional,
      parts: parts)
  }

  /// The stored type of one element of a collection.
  @inlinable
  public var element: StorageType {
    StorageType(kind, isOptional: isElementOptional, parts: parts)
  }

  /// The kinds of collections in a column.
  ///
  /// The catalog stores the raw value: a case may be added, never renamed.
  public enum Collection: String, Hashable, Sendable, Codable, CaseIterable {
    /// Elements in the user's order, repeated as often as they are.
    case array
    /// Distinct elements in the order of their key codes.
    case set
    /// Values under distinct texts, in the order of the texts' key codes.
    case dictionary
  }

  /// The kinds of bytes in a row.
  ///
  /// The catalog stores the raw value: a case may be added, never renamed.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// One byte, 0 or 1.
    case bool
    /// Signed integers, little-endian two's complement.
    case int8, int16, int32, int64
    /// Unsigned integers, little-endian.
    case uint8, uint16, uint32, uint64
    /// IEEE 754 binary32, little-endian.
    case float
    /// IEEE 754 binary64, little-endian.
    case double
    /// Seconds since 2001-01-01 00:00 UTC, stored as a `double`.
    case date
    /// The 16 bytes of a UUID, in the order of its text.
    case uuid
    /// UTF-8 bytes, exactly as the user gave them.
    case string
    /// Bytes.
    case data
    /// A decimal number, stored as its key code.
    case decimal
    /// A value of any Codable type, as JSON.
    case coded
    /// A primary key of several properties, as its key code.
    case compound

    /// The bytes in the fixed-width area, or 0 for a kind of variable length.
    @inlinable
    public var width: Int {
      switch self {
      case .bool, .int8, .uint8: 1
      case .int16, .uint16: 2
      case .int32, .uint32, .float: 4
      case .int64, .uint64, .double, .date: 8
      case .uuid: 16
      case .string, .data, .decimal, .coded, .compound: 0
      }
    }

    /// The bytes of its key code, or `nil` for a kind whose code has variable length.
    var keyWidth: Int? {
      switch self {
      case .bool: 1
      case .float: 4
      case .uuid: 16
      case .string, .data, .decimal, .coded, .compound: nil
      default: 8
      }
    }

    /// Whether an index may keep only the first bytes of a value's code.
    var canBeCut: Bool { self == .string || self == .data || self == .coded }
  }
}

/// A storage type as the catalog writes it: `int64`, `string?`, `[date]`, `{uuid?}?`, `[:bool]`.
///
/// A set is written in braces, a dictionary's values after a colon.
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
