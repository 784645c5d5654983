/// Names an object of a space.
public struct SyncObject: Hashable, Comparable, Sendable {
  /// The number of its model in the space; 0 for descriptions of models.
  public var model: UInt32
  /// The code of its primary key: at least one byte.
  public var key: [UInt8]

  /// Names an object.
  public init(model: UInt32, key: [UInt8]) { (self.model, self.key) = (model, key) }

  /// Compares models, and the bytes of keys within one.
  public static func < (left: Self, right: Self) -> Bool {
    left.model == right.model
      ? left.key.lexicographicallyPrecedes(right.key) : left.model < right.model
  }
}

/// An object as the server has it, or its deletion.
public struct SyncRow: Hashable, Sendable {
  /// The object's name.
  public var object: SyncObject
  /// The version of the push that wrote the row.
  public var version: UInt64
  /// Whether the object was deleted: only the stamps are left then.
  public var isDeleted: Bool
  /// When the object and its fields were written, as bytes that only replicas read.
  public var stamps: [UInt8]
  /// The values of the fields, as bytes that only replicas read; nil where the object was deleted.
  public var fields: [UInt8]?

  /// Makes a row.
  public init(
    object: SyncObject, version: UInt64, isDeleted: Bool, stamps: [UInt8], fields: [UInt8]?
  ) {
    (self.object, self.version, self.isDeleted) = (object, version, isDeleted)
    (self.stamps, self.fields) = (stamps, fields)
  }

  /// The bytes of the key, the stamps and the values, by which answers are bounded.
  public var byteCount: Int { object.key.count + stamps.count + (fields?.count ?? 0) }
}

/// A place in the order in which rows are pulled: by version, and by object within one.
public struct SyncPosition: Hashable, Comparable, Sendable {
  /// The version of rows.
  public var version: UInt64
  /// The object of a row; nil for the place after all rows of the version.
  public var object: SyncObject?

  /// Makes the place of a row, or that after all rows of a version.
  public init(_ version: UInt64, _ object: SyncObject? = nil) {
    (self.version, self.object) = (version, object)
  }

  /// Compares versions, and objects within one.
  public static func < (left: Self, right: Self) -> Bool {
    if left.version != right.version { return left.version < right.version }
    guard let object = left.object else { return false }
    return right.object.map { object < $0 } ?? true
  }
}
