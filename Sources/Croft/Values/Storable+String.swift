extension String: StorableKey {
  /// UTF-8 of variable length.
  @inlinable public static var storage: StorageType { StorageType(.string) }

  /// Writes the user's own bytes.
  @inlinable
  public func store(into row: inout _RowEncoder) {
    var text = self
    // Safety: the bytes are copied before the buffer is given back.
    text.withUTF8 { unsafe row.storeVariable(UnsafeRawBufferPointer($0)) }
  }

  /// Reads the text; bytes that are no UTF-8, which only damage can bring, are replaced by U+FFFD.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` where the row's end offsets lie.
  @inlinable
  public static func load(from row: inout _RowDecoder) throws -> String {
    // Safety: the bytes are copied while the row is borrowed.
    try unsafe row.withVariable { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// The value as conditions hold it.
  public var stored: StoredValue { .string(self) }

  /// Reads the text's normalised form.
  public static func loadKey(from row: inout _RowDecoder) -> String {
    String(decoding: row.loadEscaped(), as: UTF8.self)
  }

  /// Appends the escaped UTF-8 of the normalised form (NFC), and its end mark.
  ///
  /// Swift calls canonically equivalent strings equal, so their keys must be one.
  public func appendKey(to key: inout _ByteBuffer) {
    var text = self
    // Safety: the bytes are copied before the buffer is given back.
    text.withUTF8 { bytes in
      unsafe key.appendNormalized(UnsafeRawBufferPointer(bytes))
    }
  }
}
