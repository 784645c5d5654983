/// A collection's bytes, read in place: its count, and every element in constant time.
///
/// The article "Row format" draws them. It borrows the row's memory, as ``RowView`` does.
@safe
struct CollectionView {
  /// How many elements there are; of a dictionary how many pairs.
  let count: Int
  private let storage: StorageType
  private let parts: CollectionParts
  private let bytes: UnsafeRawBufferPointer
  /// Where a dictionary's values of variable length begin, behind its texts.
  private let valueStart: Int

  /// Checks the count against the length; ends are checked where they are read.
  ///
  /// - Parameters:
  ///   - bytes: The column's bytes; no bytes are the empty collection.
  ///   - storage: How the column is stored.
  /// - Returns: Nil for bytes that are no such collection.
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

  /// The bytes of an element (of a dictionary the value's), or nil where its ends lie.
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

  /// The bytes of a dictionary's text, or nil where its ends lie.
  ///
  /// - Precondition: The collection is a dictionary, and `index` is below ``count``.
  func keyBytes(_ index: Int) -> UnsafeRawBufferPointer? {
    unsafe variable(index, ends: parts.keyEnds, from: parts.variable)
  }

  /// An element as conditions hold it (of a dictionary the value), or nil where its bytes lie.
  ///
  /// - Precondition: `index` is from 0 on and below ``count``.
  func value(_ index: Int) -> StoredValue? {
    guard isPresent(index) else { return StoredValue.none }
    return unsafe bytes(index).flatMap {
      unsafe StoredValue($0, as: StorageType(storage.kind))
    }
  }

  /// The elements as ``StoredValue/list(_:)`` has them, or nil where some bytes lie.
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
  /// - Returns: False where the element's bytes lie.
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

extension ColumnLayout {
  /// The column's collection in a row, or nil where it has none.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` for bytes that are no collection.
  func collection(in row: RowView, _ layout: RowLayout) throws -> CollectionView? {
    guard isPresent(in: row) else { return nil }
    guard let collection = unsafe CollectionView(try bytes(in: row, layout), storage) else {
      throw badEnds(in: row, layout)
    }
    return collection
  }

  /// The error for bytes of this column that are no value of its kind.
  func badEnds(in row: RowView, _ layout: RowLayout) -> StoreError {
    .corrupt(
      model: layout.schema.name, key: unsafe layout.schema.describe(key: row.keyBytes),
      reason: "the ends in its \(layout.names[index]) do not fit")
  }
}
