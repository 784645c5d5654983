/// One column's place in a row; plain bits, so that loops over rows copy it freely.
struct ColumnLayout: Sendable {
  enum Place: Sendable, Hashable {
    /// Not in the row: the key's code gives the value back.
    case key
    /// In the fixed-width area, at a constant offset from the row's first byte.
    case fixed(offset: Int)
    /// Among the variable bytes, ended by this end offset.
    case variable(slot: Int)
  }

  /// The column's place in the declaration.
  let index: Int
  let storage: StorageType
  let place: Place
  /// The bit that says whether the value is present, for optionals.
  let presenceBit: Int?

  /// The kind of the value; of a collection the kind of its elements.
  var kind: StorageType.Kind { storage.kind }
}

// MARK: - Reading a row

extension ColumnLayout {
  /// Whether the column holds a value; a required one always does.
  @inline(__always)
  func isPresent(in row: RecordView) -> Bool {
    presenceBit.map { row.isPresent($0) } ?? true
  }

  /// The column's bytes as they are stored: a key's code, a fixed-width value, or variable bytes.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` where the row's end offsets are wrong.
  @inline(__always)
  func bytes(in row: RecordView, _ layout: RecordLayout) throws -> UnsafeRawBufferPointer {
    switch place {
    case .key: return unsafe row.keyBytes
    case .fixed(let offset):
      // Safety: a checked row holds its whole fixed-width area.
      return unsafe UnsafeRawBufferPointer(
        start: row.row.advanced(by: offset), count: storage.width)
    case .variable(let slot):
      guard let bytes = unsafe row.variable(slot, layout) else {
        throw unsafe StoreError.corrupt(
          model: layout.schema.name, key: layout.schema.describe(key: row.keyBytes),
          reason: "its end offsets do not fit its length")
      }
      return unsafe bytes
    }
  }

  /// The column's value as conditions hold it.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` where the row's end offsets are wrong.
  func value(in row: RecordView, _ layout: RecordLayout) throws -> StoredValue {
    guard isPresent(in: row) else { return .none }
    let bytes = try unsafe bytes(in: row, layout)
    if case .key = place { return unsafe keyValue(bytes) }
    guard let value = unsafe StoredValue(bytes, as: storage) else {
      throw unsafe StoreError.corrupt(
        model: layout.schema.name, key: layout.schema.describe(key: row.keyBytes),
        reason: "\(layout.names[index]) holds bytes that are no such value")
    }
    return value
  }

  /// A primary key's value from its code; only kinds whose code restores the value come here.
  private func keyValue(_ code: UnsafeRawBufferPointer) -> StoredValue {
    switch kind {
    case .int8, .int16, .int32, .int64:
      .int(Int64(bitPattern: unsafe Self.word(code, 0) ^ (1 << 63)))
    case .date: .date(Double(orderedBits: unsafe Self.word(code, 0)))
    case .uuid: unsafe .uuid(Self.word(code, 0), Self.word(code, 8))
    default: .uint(unsafe Self.word(code, 0))
    }
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    // Safety: checked rows hold whole codes and whole fixed-width values.
    UInt64(bigEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }
}

extension ColumnLayout {
  /// The elements of a collection, of a dictionary its values; empty where it is nil.
  func elements(in row: RecordView, _ layout: RecordLayout) throws -> [StoredValue] {
    if storage.collection == nil {
      // An array of bytes is stored as `Data` is.
      guard case .data(let bytes) = try value(in: row, layout) else { return [] }
      return bytes.map { .uint(UInt64($0)) }
    }
    guard let collection = try collection(in: row, layout) else { return [] }
    return try (0..<collection.count).map { place in
      guard let value = collection.value(place) else { throw badEnds(in: row, layout) }
      return value
    }
  }
}

extension ColumnLayout {
  /// The column's collection in a row, or nil where it has none.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` for bytes that are no collection.
  func collection(in row: RecordView, _ layout: RecordLayout) throws -> CollectionView? {
    guard isPresent(in: row) else { return nil }
    guard let collection = unsafe CollectionView(try bytes(in: row, layout), storage) else {
      throw badEnds(in: row, layout)
    }
    return collection
  }

  /// The error for bytes of this column that are no value of its kind.
  func badEnds(in row: RecordView, _ layout: RecordLayout) -> StoreError {
    .corrupt(
      model: layout.schema.name, key: unsafe layout.schema.describe(key: row.keyBytes),
      reason: "the ends in its \(layout.names[index]) do not fit")
  }
}

extension ColumnLayout {
  /// Whether two rows of one layout hold the same bytes in this column.
  func isSame(in left: RecordView, _ right: RecordView, _ layout: RecordLayout) throws -> Bool {
    try isSame(in: left, layout, self, in: right, layout)
  }

  /// Whether a row holds the same bytes in this column as another row in another column.
  func isSame(
    in left: RecordView, _ leftLayout: RecordLayout, _ other: ColumnLayout, in right: RecordView,
    _ rightLayout: RecordLayout
  ) throws -> Bool {
    let isThere = isPresent(in: left)
    guard isThere == other.isPresent(in: right) else { return false }
    guard isThere else { return true }
    // Safety: both rows stay as they are while they are compared.
    return unsafe ByteList.compare(
      try bytes(in: left, leftLayout), try other.bytes(in: right, rightLayout)) == 0
  }
}
