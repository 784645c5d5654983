extension _ByteBuffer {
  /// Appends a collection's bytes without some of its elements; the others keep their order.
  ///
  /// - Parameters:
  ///   - collection: The collection.
  ///   - lost: The places of the elements left out, ascending.
  ///   - storage: How the collection is stored.
  /// - Returns: False where the collection's bytes lie.
  mutating func appendCollection(
    _ collection: CollectionView, without lost: [Int], _ storage: StorageType
  ) -> Bool {
    let lost = Set(lost)
    let kept = (0..<collection.count).filter { !lost.contains($0) }
    // No bytes are the empty collection.
    if kept.isEmpty { return true }
    append(littleEndian: UInt32(kept.count))
    if storage.isElementOptional { appendPresence(of: kept, in: collection) }
    if storage.collection == .dictionary {
      // Safety: the collection's bytes are copied while it is lent.
      guard unsafe appendEnds(of: kept, { unsafe collection.keyBytes($0) }) else { return false }
    }
    if storage.kind.width == 0 {
      guard unsafe appendEnds(of: kept, { unsafe collection.bytes($0) }) else { return false }
    } else {
      for place in kept {
        guard let bytes = unsafe collection.bytes(place) else { return false }
        unsafe append(contentsOf: bytes)
      }
    }
    if storage.collection == .dictionary {
      for place in kept {
        if let bytes = unsafe collection.keyBytes(place) { unsafe append(contentsOf: bytes) }
      }
    }
    guard storage.kind.width == 0 else { return true }
    for place in kept {
      if let bytes = unsafe collection.bytes(place) { unsafe append(contentsOf: bytes) }
    }
    return true
  }

  private mutating func appendPresence(of places: [Int], in collection: CollectionView) {
    var bits = [UInt8](repeating: 0, count: (places.count + 7) / 8)
    for (position, place) in places.enumerated() where collection.isPresent(place) {
      bits[position >> 3] |= 1 << UInt8(position & 7)
    }
    for byte in bits { append(byte) }
  }

  /// Appends where parts of variable length end; false where one's bytes lie.
  private mutating func appendEnds(
    of places: [Int], _ bytes: (Int) -> UnsafeRawBufferPointer?
  ) -> Bool {
    var end: UInt32 = 0
    for place in places {
      guard let part = unsafe bytes(place) else { return false }
      end += UInt32(part.count)
      append(littleEndian: end)
    }
    return true
  }

  private mutating func append(littleEndian word: UInt32) {
    append(bigEndian: word.byteSwapped)
  }
}
