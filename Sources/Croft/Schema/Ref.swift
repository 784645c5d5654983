/// A reference to an object of a model: its primary key, and no more.
///
/// ```swift
/// @Model struct TodoItem {
///   @PrimaryKey var id: UUID = .timeOrdered()
///   @Relation(onDelete: .cascade) var group: Ref<TodoGroup>?
/// }
///
/// let item = TodoItem(group: Ref(group))
/// let group = try item.group.flatMap { try store.get(TodoGroup.self, $0.key) }
/// ```
/// It is a plain value with a copy of the key; the object may be read, changed and deleted
/// independently. A reference in a store never dangles: a statement that would leave one to a missing
/// object throws ``StoreError/danglingReference(model:field:key:target:)``, and the
/// ``DeleteRule`` applies when the object is deleted.
///
/// A property is a `Ref`, an optional one, or an array or a set of them.
public struct Ref<Target: Model>: Hashable, Sendable {
  /// The primary key of the object referred to.
  public let key: Target.PrimaryKey

  /// Makes a reference to an object.
  ///
  /// - Parameter object: The object; it need not be stored yet.
  public init(_ object: Target) { key = object._primaryKey }

  /// Makes a reference to the object of a primary key.
  ///
  /// - Parameter key: The value of the object's primary key.
  public init(_ key: Target.PrimaryKey) { self.key = key }
}

extension Ref: StorableKey {
  /// Exactly as the target's primary key.
  @inlinable public static var storage: StorageType { Target.PrimaryKey.storage }
  /// Writes the target's key.
  @inlinable public func store(into row: inout _RowEncoder) { key.store(into: &row) }
  /// Reads the target's key.
  ///
  /// - Throws: As for the key's type.
  @inlinable
  public static func load(from row: inout _RowDecoder) throws -> Self {
    Self(try Target.PrimaryKey.load(from: &row))
  }
  /// The target's key as conditions compare it.
  public var stored: StoredValue { key.stored }
  /// Appends the target's key code.
  @inlinable public func appendKey(to bytes: inout _ByteBuffer) { key.appendKey(to: &bytes) }
  /// As for the target's key.
  @inlinable public static var keyRestoresValue: Bool { Target.PrimaryKey.keyRestoresValue }
  /// Reads the target's key from its code.
  ///
  /// - Throws: As for the key's type.
  @inlinable
  public static func loadKey(from row: inout _RowDecoder) throws -> Self {
    Self(try Target.PrimaryKey.loadKey(from: &row))
  }
}

extension Ref: Encodable where Target.PrimaryKey: Encodable {
  /// Encodes the key, without anything around it.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(key)
  }
}

extension Ref: Decodable where Target.PrimaryKey: Decodable {
  /// Decodes a reference from its key.
  public init(from decoder: any Decoder) throws {
    key = try decoder.singleValueContainer().decode(Target.PrimaryKey.self)
  }
}

extension Ref: CustomStringConvertible {
  /// The model's name and the key.
  public var description: String { "\(Target.self) \(key)" }
}

/// The rule for an object when one that it refers to is deleted.
public enum DeleteRule: String, Hashable, Sendable, Codable {
  /// The reference is removed: set to nil, or removed from its collection.
  case nullify
  /// The object is deleted too.
  case cascade
  /// The object referred to cannot be deleted.
  case deny
}

/// The target of a column's references, as a program declares it.
struct ForeignKeyDefinition: Sendable {
  /// The model referred to; a closure, because two models may refer to each other.
  let target: @Sendable () -> Schema
  /// The rule for the object when one that it refers to is deleted.
  var onDelete: DeleteRule
}

/// The type of a property that holds references: a `Ref`, an optional one, or a collection.
protocol Referencing {
  /// The model referred to; a closure, because two models may refer to each other.
  static var target: @Sendable () -> Schema { get }
  /// Whether the property must hold a reference, so that it cannot be nullified.
  static var isRequired: Bool { get }
}

extension Ref: Referencing {
  static var target: @Sendable () -> Schema { { Target._schema.erased } }
  static var isRequired: Bool { true }
}

extension Optional: Referencing where Wrapped: Referencing {
  static var target: @Sendable () -> Schema { Wrapped.target }
  static var isRequired: Bool { false }
}

extension Array: Referencing where Element: Referencing {
  static var target: @Sendable () -> Schema { Element.target }
  static var isRequired: Bool { false }
}

extension Set: Referencing where Element: Referencing {
  static var target: @Sendable () -> Schema { Element.target }
  static var isRequired: Bool { false }
}

extension Dictionary: Referencing where Key == String, Value: Referencing {
  static var target: @Sendable () -> Schema { Value.target }
  static var isRequired: Bool { false }
}

extension ForeignKeyDefinition {
  /// The foreign key of a property; nil for a type that holds no references.
  ///
  /// - Parameters:
  ///   - type: The property's type.
  ///   - onDelete: The rule that the program declares; without one, optional references and
  ///     collections nullify, and required references deny.
  ///   - property: The property's name, for the message of a rule that cannot be kept.
  /// - Precondition: The rule is not `nullify` for a required reference.
  init?(_ type: Any.Type, onDelete: DeleteRule?, property: String) {
    guard let type = type as? any Referencing.Type else { return nil }
    precondition(
      !(onDelete == .nullify && type.isRequired),
      "\(property) must refer to an object, so it cannot be nullified: make it optional, or "
        + "choose .cascade or .deny.")
    self.init(target: type.target, onDelete: onDelete ?? (type.isRequired ? .deny : .nullify))
  }
}
