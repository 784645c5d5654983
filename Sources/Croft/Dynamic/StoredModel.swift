/// A model as the file describes it, whether the program declares it or not.
public struct StoredModel: Sendable, Hashable {
  /// The model's name.
  public let name: String
  /// Its stored properties in the order of the catalog; of a struct each of its own, as `address.city`.
  public let properties: [Property]
  /// Its indexes, those that references need among them.
  public let indexes: [Index]
  /// The number of its objects.
  public let objectCount: Int
  /// The bytes of the pages that hold its objects and indexes.
  public let bytes: Int

  /// The names of the properties that are the primary key, in the key's order.
  public var primaryKey: [String] { properties.filter(\.isPrimaryKey).map(\.name) }

  /// A stored property.
  public struct Property: Sendable, Hashable {
    /// The name, with dots inside structs.
    public let name: String
    /// The stored type; that of an enum is the type of its raw values.
    public let type: StorageType
    /// Whether it is the primary key, or a part of it.
    public let isPrimaryKey: Bool
    /// What it refers to, if it holds references.
    public let reference: Reference?
    /// The cases of its enum, in the order of the declaration; empty for other types.
    ///
    /// They are known of an enum that conforms to `CaseIterable`, once a program that declares it has opened
    /// the store for writing.
    public let cases: [Case]
    /// The value that it has in an object which is inserted without one; nil where a value must be given.
    ///
    /// It is ``StoredValue/none`` of an optional property without a default. A date and a UUID with a default must be
    /// given, because a program may calculate another one for each object, as `Date()` is; but a new object gets a
    /// new key where its primary key is one UUID. A property inside a struct that may be absent has its own.
    public let defaultValue: StoredValue?

    /// The type as the catalog writes it, such as `int64`, `string?` or `[date]`.
    ///
    /// A set is in braces, and a dictionary's values are after a colon: `{uuid}`, `[:bool]`.
    public var typeName: String { type.text }
  }

  /// A case of an enum.
  public struct Case: Sendable, Hashable {
    /// The name, as it is declared.
    public let name: String
    /// The raw value, which rows store.
    public let value: StoredValue
  }

  /// The target of references.
  public struct Reference: Sendable, Hashable {
    /// The name of the model that is referred to.
    public let model: String
    /// The rule for the object when the one that it refers to is deleted.
    public let onDelete: DeleteRule
  }

  /// An index.
  public struct Index: Sendable, Hashable {
    /// What it is over, in its order: properties, and expressions as programs write them.
    public let columns: [String]
    /// Whether no two objects may have the same values in it.
    public let isUnique: Bool
    /// Whether some objects are not in it yet; the next opening for writing builds it.
    public let isBuilding: Bool
  }
}
