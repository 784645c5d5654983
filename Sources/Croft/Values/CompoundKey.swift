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
/// Keys are in the order of their parts: the first decides, then the next. A property can hold
/// one, and a `Ref` to such a model does: as the key's code, from which a text comes back in
/// normalisation form C, equal to the one that it was made from.
public protocol CompoundKey: StorableKey {
  /// How each part would be stored alone.
  static var _parts: [StorageType] { get }
  /// Reads the parts from the key's code.
  init(_key row: inout _RowDecoder) throws
}

extension CompoundKey {
  /// Bytes of variable length, which are the key's code.
  public static var storage: StorageType { StorageType(keyOf: _parts) }
  /// The code as conditions hold it.
  public var stored: StoredValue {
    var code = _ByteBuffer()
    appendKey(to: &code)
    // Safety: the bytes are copied while the buffer lives.
    return unsafe .data([UInt8](code.bytes))
  }

  /// Writes the code.
  public func store(into row: inout _RowEncoder) {
    var code = _ByteBuffer()
    appendKey(to: &code)
    // Safety: the bytes are copied while the buffer lives.
    unsafe row.storeVariable(code.bytes)
  }

  /// Reads the key from its code.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` for bytes that are no such code; what
  ///   reading a part throws.
  public static func load(from row: inout _RowDecoder) throws -> Self {
    // Safety: the bytes are read while the row is borrowed.
    let code = try unsafe row.withVariable { unsafe $0 }
    return try unsafe row.decodeCode(code)
  }

  /// Reads the key as a part of another one.
  public static func loadKey(from row: inout _RowDecoder) throws -> Self {
    try Self(_key: &row)
  }
}

extension _ByteBuffer {
  /// Appends a part of a compound key.
  @inlinable
  public mutating func appendKeyPart<V: StorableKey>(_ value: V) { value.appendKey(to: &self) }
}
