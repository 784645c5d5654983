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
  public init(_ key: Target.PrimaryKey) { self.key = key }
}

extension Ref: StorableKey {
  /// All keys: a reference is looked up where it is written.
  public static var _domain: _ValueDomain { _ValueDomain(.all) }
  /// Exactly as the target's primary key.
  @inlinable public static var storage: StorageType { Target.PrimaryKey.storage }
  /// Writes the target's key.
  @inlinable public func store(into row: inout _RecordEncoder) { key.store(into: &row) }
  /// Reads the target's key.
  ///
  /// - Throws: As for the key's type.
  @inlinable
  public static func load(from row: inout _RecordDecoder) throws -> Self {
    Self(try Target.PrimaryKey.load(from: &row))
  }
  /// The target's key as conditions compare it.
  public var stored: StoredValue { key.stored }
  /// Appends the target's key code.
  @inlinable public func appendKey(to bytes: inout _ByteBuffer) { key.appendKey(to: &bytes) }

  /// The reference whose key conditions compare as `stored`; nil where there is none.
  public static func _value(of stored: StoredValue, _ row: inout _RecordDecoder) -> Self? {
    Target.PrimaryKey._value(of: stored, &row).map { Self($0) }
  }
  /// As for the target's key.
  @inlinable public static var keyRestoresValue: Bool { Target.PrimaryKey.keyRestoresValue }
  /// Reads the target's key from its code.
  ///
  /// - Throws: As for the key's type.
  @inlinable
  public static func loadKey(from row: inout _RecordDecoder) throws -> Self {
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

/// The type of a property that holds references: a `Ref`, an optional one, or a collection.
protocol RefProperty {
  /// The model referred to; a closure, because two models may refer to each other.
  static var target: @Sendable () -> Schema { get }
  /// Whether the property must hold a reference, so that it cannot be nullified.
  static var isRequired: Bool { get }
}

extension Ref: RefProperty {
  static var target: @Sendable () -> Schema { { Target._schema.erased } }
  static var isRequired: Bool { true }
}

extension Optional: RefProperty where Wrapped: RefProperty {
  static var target: @Sendable () -> Schema { Wrapped.target }
  static var isRequired: Bool { false }
}

extension Array: RefProperty where Element: RefProperty {
  static var target: @Sendable () -> Schema { Element.target }
  static var isRequired: Bool { false }
}

extension Set: RefProperty where Element: RefProperty {
  static var target: @Sendable () -> Schema { Element.target }
  static var isRequired: Bool { false }
}

extension Dictionary: RefProperty where Key == String, Value: RefProperty {
  static var target: @Sendable () -> Schema { Value.target }
  static var isRequired: Bool { false }
}
