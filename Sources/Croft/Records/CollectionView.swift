/// A collection's bytes, read in place: its count, and every element in constant time.
///
/// The article "Record format" draws them. It borrows the row's memory, as ``RecordView`` does.
@safe
struct CollectionView {
  /// How many elements there are; of a dictionary how many pairs.
  let count: Int
  private let storage: StorageType
  private let parts: CollectionParts
  private let bytes: UnsafeRawBufferPointer
  /// Where a dictionary's values of variable length begin, after its texts.
  private let valueStart: Int

  /// Checks the count against the length; ends are checked where they are read.
  ///
  /// - Parameters:
  ///   - bytes: The column's bytes; no bytes are the empty collection.
  ///   - storage: How the column is stored.
  /// - Returns: Nil for bytes that are not such a collection.
  init?(_ bytes: UnsafeRawBufferPointer, _ storage: StorageType) {
    let count = bytes.count < 4 ? 0 : unsafe Self.word(bytes, 0)
    let parts = CollectionParts(storage, count: count)
    guard unsafe count == 0 ? bytes.isEmpty : parts.variable <= bytes.count else { return nil }
    self.count = count
    self.storage = storage
    self.parts = parts
    unsafe self.bytes = bytes
    guard storage.collection == .dictionary, count > 0 else {
      valueStart = parts.variable
      return
    }
    valueStart = parts.variable + (unsafe Self.word(bytes, parts.keyEnds + 4 * (count - 1)))
    guard valueStart <= bytes.count else { return nil }
  }

  /// Whether an element holds a value; only those of optional elements may not.
  ///
  /// - Precondition: `index` is from 0 on and below ``count``.
  func isPresent(_ index: Int) -> Bool {
    guard storage.isElementOptional else { return true }
    // Safety: the initialiser found room for all presence bits.
    return unsafe bytes[CollectionParts.presence + index >> 3] >> UInt8(index & 7) & 1 == 1
  }

  /// The bytes of an element (of a dictionary the value's), or nil where its end offsets do not fit.
  ///
  /// - Precondition: `index` is from 0 on and below ``count``.
  func bytes(_ index: Int) -> UnsafeRawBufferPointer? {
    let width = storage.kind.width
    guard width == 0 else {
      let start = parts.values + index * width
      // Safety: the initialiser found room for all elements of fixed width.
      return unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<start + width])
    }
    return unsafe variable(index, ends: parts.values, from: valueStart)
  }

  /// The bytes of a dictionary's text, or nil where its end offsets do not fit.
  ///
  /// - Precondition: The collection is a dictionary, and `index` is below ``count``.
  func keyBytes(_ index: Int) -> UnsafeRawBufferPointer? {
    unsafe variable(index, ends: parts.keyEnds, from: parts.variable)
  }

  /// An element as conditions hold it (of a dictionary the value), or nil where its bytes are no value.
  ///
  /// - Precondition: `index` is from 0 on and below ``count``.
  func value(_ index: Int) -> StoredValue? {
    guard isPresent(index) else { return StoredValue.none }
    return unsafe bytes(index).flatMap {
      unsafe StoredValue($0, as: StorageType(storage.kind))
    }
  }

  /// The elements as ``StoredValue/list(_:)`` has them, or nil where some bytes are no value.
  var values: [StoredValue]? {
    var values: [StoredValue] = []
    for index in 0..<count {
      if storage.collection == .dictionary {
        guard let key = unsafe keyBytes(index) else { return nil }
        values.append(.string(unsafe String(decoding: key, as: UTF8.self)))
      }
      guard let value = value(index) else { return nil }
      values.append(value)
    }
    return values
  }

  private func variable(
    _ index: Int, ends: Int, from base: Int
  ) -> UnsafeRawBufferPointer? {
    // Safety: the initialiser found room for all end offsets.
    let start = index == 0 ? 0 : unsafe Self.word(bytes, ends + 4 * (index - 1))
    let end = unsafe Self.word(bytes, ends + 4 * index)
    guard start <= end, unsafe base + end <= bytes.count else { return nil }
    return unsafe UnsafeRawBufferPointer(rebasing: bytes[base + start..<base + end])
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int {
    // Safety: callers' offsets leave four bytes.
    Int(UInt32(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }
}

extension _ByteBuffer {
  /// Appends the key code of a collection's element, with its nil byte where elements may be absent.
  ///
  /// - Returns: False where the element's end offsets do not fit.
  mutating func appendCode(
    of index: Int, in collection: CollectionView, _ storage: StorageType, cut: Int?,
    foldsCase: Bool = false
  ) -> Bool {
    if storage.isElementOptional {
      guard collection.isPresent(index) else {
        append(0)
        return true
      }
      append(1)
    }
    guard let bytes = unsafe collection.bytes(index) else { return false }
    if let start = bytes.baseAddress, storage.kind.width > 0 {
      unsafe appendFixedCode(storage.kind, at: start)
    } else {
      unsafe appendVariableCode(storage.kind, bytes, cut: cut, foldsCase: foldsCase)
    }
    return true
  }
}

/// Where the parts of a collection's bytes begin, counted from the first byte.
struct CollectionParts {
  /// Where presence bits begin: after the count.
  static let presence = 4
  /// The end offsets of a dictionary's texts.
  let keyEnds: Int
  /// The elements of fixed width, or the end offsets of others.
  let values: Int
  /// The first byte of variable length; where there are none, the end of the collection.
  let variable: Int

  init(_ storage: StorageType, count: Int) {
    keyEnds = Self.presence + (storage.isElementOptional ? (count + 7) / 8 : 0)
    values = keyEnds + (storage.collection == .dictionary ? 4 * count : 0)
    variable = values + count * (storage.kind.width > 0 ? storage.kind.width : 4)
  }
}

extension _ByteBuffer {
  /// Appends a collection's bytes without some of its elements; the others keep their order.
  ///
  /// - Parameter lost: The places of the elements left out, ascending.
  /// - Returns: False where the collection's end offsets do not fit.
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
      // Safety: the collection's bytes are copied while it is borrowed.
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

  /// Appends the end offsets of parts of variable length; false where one's do not fit.
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
}
