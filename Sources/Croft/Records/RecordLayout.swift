/// The place of each column in a row; immutable, one for each layout id in the catalog.
///
/// The R1 format: tag, flags, layout id (u16), presence bits, fixed-width area, end
/// offsets, variable bytes. The article "Row format" draws it.
@usableFromInline
final class RecordLayout: Sendable {
  /// The first byte of every row.
  static let tag: UInt8 = 0x52
  /// The flag bit of rows whose end offsets are 32 bits wide.
  static let wideFlag: UInt8 = 1
  /// The flag bit of rows that have a checksum behind them in their table.
  static let checksumFlag: UInt8 = 2
  /// The id of a layout that the catalog does not have yet; no row is of it.
  static let unregistered: UInt16 = 0

  let schema: Schema
  let id: UInt16
  /// The program's columns in declaration order, then the hidden ones.
  let columns: [ColumnLayout]
  /// The columns' names, in the same order.
  let names: [String]
  let fixedStart: Int
  let endsStart: Int
  let variableCount: Int
  /// Whether some columns are hidden.
  let hasHidden: Bool
  /// The key's length where all keys have the same, else nil.
  let keyWidth: Int?

  /// The layout of the program's own columns, and of stored fields that it does not declare.
  convenience init(schema: Schema, hidden: [RecordColumn] = [], id: UInt16) {
    self.init(
      schema: schema, columns: schema.columns.map(RecordColumn.init) + hidden,
      keyWidth: schema.keyWidth, id: id)
  }

  /// A layout of any columns.
  init(schema: Schema, columns rowColumns: [RecordColumn], keyWidth: Int?, id: UInt16) {
    self.schema = schema
    self.id = id
    self.keyWidth = keyWidth
    var columns: [ColumnLayout] = []
    let optionals = rowColumns.count { $0.storage.isOptional && !$0.isOnlyInKey }
    var presence = 0
    var fixed = 4 + (optionals + 7) / 8
    var variable = 0
    fixedStart = fixed
    for (index, column) in rowColumns.enumerated() {
      var bit: Int?
      if column.storage.isOptional {
        bit = presence
        presence += 1
      }
      let place: ColumnLayout.Place
      if column.isOnlyInKey {
        place = .key
      } else if column.storage.width > 0 {
        place = .fixed(offset: fixed)
        fixed += column.storage.width
      } else {
        place = .variable(slot: variable)
        variable += 1
      }
      columns.append(
        ColumnLayout(
          index: index, storage: column.storage, place: place, presenceBit: bit))
    }
    self.columns = columns
    hasHidden = columns.count > schema.columns.count
    names = rowColumns.map(\.name)
    endsStart = fixed
    variableCount = variable
  }

  /// The columns that the program does not declare.
  var hidden: ArraySlice<ColumnLayout> { columns[schema.columns.count...] }

  /// The offset of the first variable byte.
  func variableStart(isWide: Bool) -> Int { endsStart + variableCount * (isWide ? 4 : 2) }

  /// The four header bytes as a little-endian word.
  func header(isWide: Bool) -> UInt32 {
    let flags = isWide ? Self.wideFlag | Self.checksumFlag : Self.checksumFlag
    return UInt32(Self.tag) | UInt32(flags) << 8 | UInt32(id) << 16
  }
}

/// A column as a layout is made of it.
struct RecordColumn: Sendable, Hashable {
  var name: String
  var storage: StorageType
  /// Whether the row leaves it out because the key holds it.
  var isOnlyInKey = false
}

extension RecordColumn {
  /// A property of the program's.
  init(_ column: ColumnDefinition) {
    self.init(name: column.name, storage: column.storage, isOnlyInKey: column.isOnlyInKey)
  }
}

// MARK: - Columns

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
