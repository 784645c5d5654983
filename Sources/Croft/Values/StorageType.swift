/// How a property lies in a row: its bytes' kind, its form, and whether it may be absent.
///
/// It is what the catalog keeps and what decides a column's width, so two Swift types with
/// one storage (an `Int` and an enum with `Int` raw values) read each other's rows.
public struct StorageType: Hashable, Sendable {
  /// The kind of the bytes; of a collection the kind of its elements.
  public let kind: Kind
  /// Whether a presence bit tells `nil` from a value.
  public let isOptional: Bool
  /// The form of the collection; nil for a single value.
  public let collection: Collection?
  /// Whether elements of the collection may be absent.
  public let isElementOptional: Bool
  /// The kinds of a compound key's parts; of other kinds none.
  @usableFromInline let parts: KeyParts

  /// Makes a storage type.
  ///
  /// - Parameters:
  ///   - kind: The kind of the bytes; of a collection the kind of its elements.
  ///   - isOptional: Whether a presence bit tells `nil` from a value.
  ///   - collection: The form of the collection; nil for a single value.
  ///   - isElementOptional: Whether elements of the collection may be absent.
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

  /// How one element of a collection is stored.
  @inlinable
  public var element: StorageType {
    StorageType(kind, isOptional: isElementOptional, parts: parts)
  }

  /// The collections that a column can hold.
  ///
  /// The raw value is what the catalog keeps: a case may be added, never renamed.
  public enum Collection: String, Hashable, Sendable, Codable, CaseIterable {
    /// Elements in the user's order, repeated as often as they are.
    case array
    /// Distinct elements in the order of their key codes.
    case set
    /// Values under distinct texts, in the order of the texts' key codes.
    case dictionary
  }
}
