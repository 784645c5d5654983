import LMDB

/// A key and a row in the store's memory, checked against their layout.
///
/// It borrows the transaction's memory: it is made, used and dropped within one
/// call, and never outlives a write.
@safe
struct RecordView {
  let key: UnsafeRawPointer
  let keyCount: Int
  let row: UnsafeRawPointer
  let rowCount: Int
  let isWide: Bool
  /// Whether the row's checksum follows it, as it does in the table.
  var hasChecksum = false
}

extension RecordView {
  /// Checks a row of a table, whose checksum follows it; see ``checkSum(_:)``.
  ///
  /// Rows of format 2 have none.
  @inline(__always)
  init?(key: UnsafeRawBufferPointer, stored row: UnsafeRawBufferPointer, layout: RecordLayout) {
    guard let start = row.baseAddress, row.count >= 4 else { return nil }
    // Safety: the row has the four bytes of a header.
    let header = UInt32(littleEndian: unsafe start.loadUnaligned(as: UInt32.self))
    // Nearly all rows: narrow, of this layout, and with a checksum.
    if header == layout.header, row.count >= layout.leastBytes, let keyStart = key.baseAddress,
      layout.keyWidth.map({ $0 == key.count }) ?? true
    {
      unsafe self.init(
        key: keyStart, keyCount: key.count, row: start, rowCount: row.count &- Checksum.size,
        isWide: false, hasChecksum: true)
      return
    }
    // Safety: a header's second byte holds the flags.
    let flags = unsafe start.load(fromByteOffset: 1, as: UInt8.self)
    guard flags & RecordLayout.checksumFlag != 0 else {
      unsafe self.init(key: key, row: row, layout: layout)
      return
    }
    guard row.count >= 4 + Checksum.size else { return nil }
    let bare = unsafe UnsafeRawBufferPointer(start: start, count: row.count &- Checksum.size)
    unsafe self.init(key: key, row: bare, layout: layout)
    hasChecksum = true
  }

  /// Throws where the checksum after the row is not that of key and row.
  ///
  /// Call it before a row's values are returned or written again, and before its index entries are
  /// removed; tests of conditions and counts need not.
  @inline(__always)
  func checkSum(_ layout: RecordLayout) throws {
    if hasChecksum, unsafe !Checksum.holds(keyBytes, rowBytes) {
      throw damage("the row's checksum does not fit", layout)
    }
  }

  @inline(never)
  func damage(_ reason: String, _ layout: RecordLayout) -> StoreError {
    .corrupt(
      model: layout.schema.name, key: unsafe layout.schema.describe(key: keyBytes), reason: reason)
  }

  /// Checks tag, flags, layout and length; nil for what is no row of this layout.
  ///
  /// Variable ends are checked where they are read. Rows of a tree come through
  /// ``Table/view(key:row:_:)``, which knows all their layouts.
  @inline(__always)
  init?(key: UnsafeRawBufferPointer, row: UnsafeRawBufferPointer, layout: RecordLayout) {
    guard let keyStart = key.baseAddress, let start = row.baseAddress,
      row.count >= layout.endsStart + layout.variableCount * 2
    else { return nil }
    // Safety: the guard found at least the four bytes of a header.
    let stored = UInt32(littleEndian: unsafe start.loadUnaligned(as: UInt32.self))
    let header = stored | UInt32(RecordLayout.checksumFlag) << 8
    if header == layout.header(isWide: false) {
      isWide = false
    } else if header == layout.header(isWide: true),
      row.count >= layout.variableStart(isWide: true)
    {
      isWide = true
    } else {
      return nil
    }
    if let width = layout.keyWidth, key.count != width { return nil }
    unsafe self.key = keyStart
    unsafe self.row = start
    keyCount = key.count
    rowCount = row.count
  }

  /// The error for bytes that the initialiser refused.
  @inline(never)
  static func reject(
    key: UnsafeRawBufferPointer, row: UnsafeRawBufferPointer, layout: RecordLayout
  ) -> StoreError {
    let reason: String
    if row.count < 4 || row.count < layout.endsStart + layout.variableCount * 2 {
      reason = "the row's \(row.count) bytes are too few"
    } else if unsafe row[0] != RecordLayout.tag {
      reason = unsafe "the row starts with byte \(row[0]), not with \(RecordLayout.tag)"
    } else if unsafe row[1] & ~(RecordLayout.wideFlag | RecordLayout.checksumFlag) != 0 {
      reason = unsafe "the row's flags \(row[1]) belong to a newer version of Croft"
    } else if unsafe UInt16(row[2]) | UInt16(row[3]) << 8 != layout.id {
      reason = "the catalog has no layout of the row's number"
    } else {
      reason = "the key has \(key.count) bytes, or the row is truncated"
    }
    return .corrupt(
      model: layout.schema.name, key: unsafe layout.schema.describe(key: key), reason: reason)
  }

  var keyBytes: UnsafeRawBufferPointer {
    // Safety: both were taken from one buffer.
    unsafe UnsafeRawBufferPointer(start: key, count: keyCount)
  }

  var rowBytes: UnsafeRawBufferPointer {
    // Safety: both were taken from one buffer.
    unsafe UnsafeRawBufferPointer(start: row, count: rowCount)
  }

  /// Whether an optional column holds a value.
  @inline(__always)
  func isPresent(_ bit: Int) -> Bool {
    // Safety: the initialiser checked that the row holds its bitmap.
    unsafe row.load(fromByteOffset: 4 &+ bit >> 3, as: UInt8.self) >> UInt8(bit & 7) & 1 == 1
  }

  /// The bytes of a variable column.
  @inline(__always)
  func variable(_ slot: Int, _ layout: RecordLayout) throws -> UnsafeRawBufferPointer {
    let start = slot == 0 ? 0 : end(slot &- 1, layout)
    let end = end(slot, layout)
    let base = layout.variableStart(isWide: isWide)
    guard start <= end, base &+ end <= rowCount else {
      throw damage("its end offsets do not fit its length", layout)
    }
    // Safety: the guard keeps the range inside the row.
    return unsafe UnsafeRawBufferPointer(
      start: row.advanced(by: base &+ start), count: end &- start)
  }

  @inline(__always)
  func end(_ slot: Int, _ layout: RecordLayout) -> Int {
    // Safety: the initialiser checked that the row holds all its end offsets.
    if isWide {
      return Int(
        UInt32(
          littleEndian: unsafe row.loadUnaligned(
            fromByteOffset: layout.endsStart &+ slot &* 4, as: UInt32.self)))
    }
    return Int(
      UInt16(
        littleEndian: unsafe row.loadUnaligned(
          fromByteOffset: layout.endsStart &+ slot &* 2, as: UInt16.self)))
  }
}

// MARK: - Rows that need no check

extension RecordView {
  func under(_ key: UnsafeRawPointer) -> RecordView {
    // Safety: the caller's copy lives as long as the view.
    unsafe RecordView(
      key: key, keyCount: keyCount, row: row, rowCount: rowCount, isWide: isWide,
      hasChecksum: hasChecksum)
  }
}

/// Memory for rows that were transcoded into another layout, freed all at once.
///
/// It lives as long as the query or statement whose views point into it, and is confined to
/// the thread of that.
@safe
final class RecordArena {
  private var chunks: [UnsafeMutableRawBufferPointer] = unsafe []
  /// How many bytes of the last chunk are taken.
  private var used = 0

  deinit {
    // Safety: each chunk was allocated here, and no view outlives the arena.
    while let chunk = unsafe chunks.popLast() { unsafe chunk.deallocate() }
  }

  /// The bytes that the arena holds on to.
  var byteCount: Int { unsafe chunks.reduce(0) { $0 + $1.count } }

  /// Uninitialised room, at an address that stays until ``clear()``.
  func room(for count: Int) -> UnsafeMutableRawPointer {
    // Safety: the room is in the last chunk, after the bytes that were taken before.
    if let last = unsafe chunks.last, used + count <= last.count,
      let start = last.baseAddress
    {
      let room = unsafe start + used
      used += count
      return unsafe room
    }
    let size = max(Threshold.arenaBytes.value, count)
    let start = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    unsafe chunks.append(UnsafeMutableRawBufferPointer(start: start, count: size))
    used = count
    return unsafe start
  }

  /// Forgets all rows; no view of one may be used again.
  @inline(__always)
  func clear() {
    if used > 0 { removeAll() }
  }

  private func removeAll() {
    // Safety: views end with the statement that the caller ends.
    while unsafe chunks.count > 1 { unsafe chunks.removeLast().deallocate() }
    used = 0
  }
}

// MARK: - From a table's bytes to a view

extension Table {
  /// Decodes a stored row, and transcodes one of an older layout.
  ///
  /// A row of the current layout is read in place, and costs one comparison. A row of an older
  /// one, or of another program's, is transcoded into the arena.
  ///
  /// - Parameters:
  ///   - key: The row's key, borrowed as long as the view.
  ///   - row: The row's bytes, borrowed as long as the view.
  ///   - arena: Lives as long as the view is used.
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` for what is no row of the model.
  @inline(__always)
  func view(
    key: UnsafeRawBufferPointer, row: UnsafeRawBufferPointer, _ arena: RecordArena
  ) throws -> RecordView {
    // Safety: the bytes are borrowed for as long as the caller uses the view.
    if let view = unsafe RecordView(key: key, stored: row, layout: layout) { return view }
    return try unsafe transcoded(key: key, row: row, arena)
  }

  @inline(never)
  private func transcoded(
    key: UnsafeRawBufferPointer, row: UnsafeRawBufferPointer, _ arena: RecordArena
  ) throws -> RecordView {
    // Safety: as for `view`; the count is checked before the two bytes are read.
    let id = unsafe row.count < 4 ? 0 : UInt16(row[2]) | UInt16(row[3]) << 8
    guard let transcoder = transcoders[id] else {
      throw unsafe RecordView.reject(key: key, row: row, layout: layout)
    }
    guard let view = unsafe RecordView(key: key, stored: row, layout: transcoder.source) else {
      throw unsafe RecordView.reject(key: key, row: row, layout: transcoder.source)
    }
    CoverageMark.hit(.rowTranscoded)
    // The row that it becomes has no checksum.
    try view.checkSum(transcoder.source)
    return try transcoder.transcode(view, into: arena)
  }

  /// Finds one row by its key's code.
  ///
  /// - Parameters:
  ///   - key: The key's code, borrowed as long as the view.
  ///   - arena: Lives as long as the view is used.
  /// - Returns: The row, borrowed until the transaction changes; nil where there is none.
  func row(
    _ key: UnsafeRawBufferPointer, in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ arena: RecordArena
  ) throws -> RecordView? {
    // Safety: the caller lets go of the view before anything is written.
    guard let row = try unsafe transaction.get(RawSpan(_unsafeBytes: key), in: rows) else {
      return nil
    }
    return try unsafe view(key: key, row: row.withUnsafeBytes { unsafe $0 }, arena)
  }

  /// Passes a decoder at the row of a primary key's code to a closure, if there is such a row.
  func withRow(
    _ key: UnsafeRawBufferPointer, in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ arena: RecordArena, _ body: (inout _RecordDecoder) throws -> Void
  ) throws {
    arena.clear()
    // Safety: the key is borrowed and the arena kept until the closure has returned.
    guard let row = try unsafe row(key, in: transaction, arena) else { return }
    try row.checkSum(layout)
    var decoder = _RecordDecoder(layout: layout)
    decoder.move(to: row)
    try body(&decoder)
  }
}

/// The offset of each column in a row; immutable, one for each layout id in the catalog.
///
/// The R1 format: tag, flags, layout id (u16), presence bits, fixed-width area, end
/// offsets, variable bytes. The article "Record format" draws it.
@usableFromInline
final class RecordLayout: Sendable {
  /// The first byte of every row.
  static let tag: UInt8 = 0x52
  /// The flag bit of rows whose end offsets are 32 bits wide.
  static let wideFlag: UInt8 = 1
  /// The flag bit of rows that have a checksum after them in their table.
  static let checksumFlag: UInt8 = 2
  /// The id of a layout that the catalog does not have yet; no row is of it.
  static let unregistered: UInt16 = 0

  let schema: Schema
  let id: UInt16
  /// The program's columns in declaration order, then the hidden ones.
  let columns: [ColumnLayout]
  let names: [String]
  let fixedStart: Int
  let endsStart: Int
  let variableCount: Int
  let hasHidden: Bool
  /// The key's length where all keys have the same, else nil.
  let keyWidth: Int?
  /// The first word of a row that is not wide and has a checksum, and the least bytes of the two.
  let (header, leastBytes): (UInt32, Int)

  /// The layout of the program's own columns, and of stored fields that it does not declare.
  convenience init(schema: Schema, hidden: [ColumnDefinition] = [], id: UInt16) {
    self.init(
      schema: schema, columns: schema.columns + hidden, keyWidth: schema.keyWidth, id: id)
  }

  init(schema: Schema, columns rowColumns: [ColumnDefinition], keyWidth: Int?, id: UInt16) {
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
    header = Self.header(id, isWide: false)
    leastBytes = fixed + variable * 2 + Checksum.size
  }

  /// The columns that the program does not declare.
  var hidden: ArraySlice<ColumnLayout> { columns[schema.columns.count...] }

  /// The offset of the first variable byte.
  func variableStart(isWide: Bool) -> Int { endsStart + variableCount * (isWide ? 4 : 2) }

  /// The four header bytes as a little-endian word.
  func header(isWide: Bool) -> UInt32 { Self.header(id, isWide: isWide) }

  private static func header(_ id: UInt16, isWide: Bool) -> UInt32 {
    let flags = isWide ? wideFlag | checksumFlag : checksumFlag
    return UInt32(tag) | UInt32(flags) << 8 | UInt32(id) << 16
  }
}

// MARK: - Columns

/// One column's offset in a row; plain bits, so that loops over rows copy it freely.
struct ColumnLayout: Sendable {
  enum Place: Sendable, Hashable {
    /// Not in the row: the key's code gives the value back.
    case key
    /// In the fixed-width area, at a constant offset from the row's first byte.
    case fixed(offset: Int)
    /// Among the variable bytes, ended by this end offset.
    case variable(slot: Int)
  }

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
      return try unsafe row.variable(slot, layout)
    }
  }

  /// The column's bytes as they are stored; nil where the value is nil.
  func storedBytes(
    in row: RecordView, _ layout: RecordLayout
  ) throws -> UnsafeRawBufferPointer? {
    isPresent(in: row) ? unsafe try bytes(in: row, layout) : nil
  }

  /// The column's value as conditions hold it.
  func value(in row: RecordView, _ layout: RecordLayout) throws -> StoredValue {
    guard isPresent(in: row) else { return .none }
    let bytes = try unsafe bytes(in: row, layout)
    let value =
      unsafe place == .key
      ? StoredValue(code: bytes, kind: kind) : StoredValue(bytes, as: storage)
    guard let value else {
      throw row.damage("\(layout.names[index]) holds bytes that are not such a value", layout)
    }
    return value
  }

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

  /// The column's collection in a row, or nil where it has none.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` for bytes that are not a collection.
  func collection(in row: RecordView, _ layout: RecordLayout) throws -> CollectionView? {
    guard isPresent(in: row) else { return nil }
    guard let collection = unsafe CollectionView(try bytes(in: row, layout), storage) else {
      throw badEnds(in: row, layout)
    }
    return collection
  }

  /// The error for bytes of this column that are not a value of its kind.
  func badEnds(in row: RecordView, _ layout: RecordLayout) -> StoreError {
    row.damage("the ends in its \(layout.names[index]) do not fit", layout)
  }

  /// Whether two rows of one layout hold the same bytes in this column.
  @inline(__always)
  func isSame(in left: RecordView, _ right: RecordView, _ layout: RecordLayout) throws -> Bool {
    guard presenceBit == nil, case .fixed(let offset) = place else {
      return try isSame(in: left, layout, self, in: right, layout)
    }
    // Safety: checked rows hold their whole fixed-width area.
    return unsafe ByteList.compare(
      UnsafeRawBufferPointer(start: left.row + offset, count: storage.width),
      UnsafeRawBufferPointer(start: right.row + offset, count: storage.width)) == 0
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
