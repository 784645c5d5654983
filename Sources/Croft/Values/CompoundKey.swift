/// A primary key of several properties; `@Model` makes one where several are marked.
///
/// ```swift
/// @Model struct Track {
///   @PrimaryKey var album: Int
///   @PrimaryKey var number: Int
///   var title: String
/// }
///
/// let first = try store.get(Track.self, Track.PrimaryKey(album: 7, number: 1))
/// ```
///
/// Keys are in the order of their parts: the first decides, then the next. No property can hold
/// such a key, and so no `Ref` can point to such a model.
public protocol CompoundKey: StorableKey {}

extension CompoundKey {
  /// None: such a key is no property.
  public static var storage: StorageType { refuse() }
  /// None: such a key is no property.
  public var stored: StoredValue { Self.refuse() }
  /// None: such a key is no property.
  public func store(into row: inout _RowEncoder) { Self.refuse() }
  /// None: such a key is no property.
  public static func load(from row: inout _RowDecoder) throws -> Self { refuse() }

  private static func refuse() -> Never {
    preconditionFailure(
      "\(Self.self) is a key of several properties, which no property can hold: refer to models "
        + "whose primary key is one property.")
  }
}

extension _ByteBuffer {
  /// Appends a part of a compound key.
  @inlinable
  public mutating func appendKeyPart<V: StorableKey>(_ value: V) { value.appendKey(to: &self) }
}
