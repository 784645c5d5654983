import LMDB

// Reading stored records: one column from the bytes, or a whole record by its key.

extension ColumnLayout {
  /// Whether the column holds a value; a required one always does.
  @inline(__always)
  func isPresent(in row: RowView) -> Bool {
    presenceBit.map { row.isPresent($0) } ?? true
  }

  /// The column's bytes as they are stored: a key's code, a fixed-width value, or variable bytes.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` where the row's end offsets are wrong.
  @inline(__always)
  func bytes(in row: RowView, _ layout: RowLayout) throws -> UnsafeRawBufferPointer {
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
  func value(in row: RowView, _ layout: RowLayout) throws -> StoredValue {
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
  func elements(in row: RowView, _ layout: RowLayout) throws -> [StoredValue] {
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

extension _RowDecoder {
  /// The value of one column of a row.
  mutating func value<V: Storable>(of column: ColumnLayout, in view: RowView) throws -> V {
    move(to: view, column: column)
    guard column.place == .key else { return try decode() }
    guard let type = V.self as? any StorableKey.Type, let value = try key(as: type) as? V else {
      preconditionFailure("A primary key is of a key's type.")
    }
    return value
  }

  private mutating func key<K: StorableKey>(as type: K.Type) throws -> K { try decodeKey() }

  /// Moves the decoder to one column of a row.
  mutating func move(to view: RowView, column: ColumnLayout) {
    move(to: view)
    columnsBegun = column.index
    presence = column.presenceBit ?? 0
    switch column.place {
    case .key: return
    case .fixed(let offset): fixed = offset
    case .variable(let slot):
      let width = isWide ? 4 : 2
      ends = layout.endsStart + slot * width
      lastEnd = slot == 0 ? 0 : view.end(slot - 1, layout)
    }
  }
}

extension Table {
  /// Lends a decoder at the row of a primary key's code to a closure, if there is such a row.
  func withRow(
    _ key: UnsafeRawBufferPointer, in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ arena: RowArena, _ body: (inout _RowDecoder) throws -> Void
  ) throws {
    arena.clear()
    // Safety: the caller lends the key and keeps the arena until the closure has returned.
    guard let row = try unsafe row(key, in: transaction, arena) else { return }
    try row.checkSum(layout)
    var decoder = _RowDecoder(layout: layout)
    decoder.move(to: row)
    try body(&decoder)
  }
}
