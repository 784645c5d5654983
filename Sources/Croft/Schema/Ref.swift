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
/// It is a plain value and holds nothing of the object, which may be read, changed and deleted
/// meanwhile. In a store it never dangles: a statement that would leave a reference to no
/// object throws ``StoreError/danglingReference(model:field:key:target:)``, and the
/// ``DeleteRule`` says what becomes of it when the object is deleted.
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
  /// The target's key as conditions hold it.
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
