/// A key and a row in the store's memory, checked against their layout.
///
/// It borrows the transaction's memory: it is made, used and dropped within one
/// call, and never outlives a write.
@safe
struct RowView {
  let key: UnsafeRawPointer
  let row: UnsafeRawPointer
  let keyCount: Int
  let rowCount: Int
  let isWide: Bool
  /// Whether the row's checksum follows it, as it does in the table.
  var hasChecksum = false

  /// Checks a row of a table, whose checksum follows it; see ``checkSum(_:)``.
  ///
  /// Rows of format 1 and 2 have none.
  @inline(__always)
  init?(key: UnsafeRawBufferPointer, stored row: UnsafeRawBufferPointer, layout: RowLayout) {
    guard let start = row.baseAddress, row.count >= 4 else { return nil }
    // Safety: the row has four bytes, and a header's second holds the flags.
    let flags = unsafe start.load(fromByteOffset: 1, as: UInt8.self)
    guard flags & RowLayout.checksumFlag != 0 else {
      unsafe self.init(key: key, row: row, layout: layout)
      return
    }
    guard row.count >= 4 + Checksum.size else { return nil }
    let bare = unsafe UnsafeRawBufferPointer(start: start, count: row.count &- Checksum.size)
    unsafe self.init(key: key, row: bare, layout: layout)
    hasChecksum = true
  }

  /// Throws where the checksum behind the row is not that of key and row.
  ///
  /// Call it before a row's values are returned or written again; tests of conditions, counts and
  /// removals need not.
  @inline(__always)
  func checkSum(_ layout: RowLayout) throws {
    if hasChecksum, unsafe !Checksum.holds(keyBytes, rowBytes) {
      throw unsafe StoreError.corrupt(
        model: layout.schema.name, key: layout.schema.describe(key: keyBytes),
        reason: "the row's checksum does not fit")
    }
  }

  /// Checks tag, flags, layout and length; nil for what is no row of this layout.
  ///
  /// Variable ends are checked where they are read. Rows of a tree come through
  /// ``Table/view(key:row:_:)``, which knows all their layouts.
  @inline(__always)
  init?(key: UnsafeRawBufferPointer, row: UnsafeRawBufferPointer, layout: RowLayout) {
    guard let keyStart = key.baseAddress, let start = row.baseAddress,
      row.count >= layout.endsStart + layout.variableCount * 2
    else { return nil }
    // Safety: the guard found at least the four bytes of a header.
    let stored = UInt32(littleEndian: unsafe start.loadUnaligned(as: UInt32.self))
    let header = stored | UInt32(RowLayout.checksumFlag) << 8
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
    key: UnsafeRawBufferPointer, row: UnsafeRawBufferPointer, layout: RowLayout
  ) -> StoreError {
    let reason: String
    if row.count < 4 || row.count < layout.endsStart + layout.variableCount * 2 {
      reason = "the row's \(row.count) bytes are too few"
    } else if unsafe row[0] != RowLayout.tag {
      reason = unsafe "the row starts with byte \(row[0]), not with \(RowLayout.tag)"
    } else if unsafe row[1] & ~(RowLayout.wideFlag | RowLayout.checksumFlag) != 0 {
      reason = unsafe "the row's flags \(row[1]) belong to a newer version of Croft"
    } else if unsafe UInt16(row[2]) | UInt16(row[3]) << 8 != layout.id {
      reason = "the catalog has no layout of the row's number"
    } else {
      reason = "the key has \(key.count) bytes, or the row is cut short"
    }
    return .corrupt(
      model: layout.schema.name, key: unsafe layout.schema.describe(key: key), reason: reason)
  }

  /// The key's bytes.
  var keyBytes: UnsafeRawBufferPointer {
    // Safety: both were taken from one buffer.
    unsafe UnsafeRawBufferPointer(start: key, count: keyCount)
  }

  /// The row's bytes.
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

  /// The bytes of a variable column, or nil where the end offsets do not fit.
  @inline(__always)
  func variable(_ slot: Int, _ layout: RowLayout) -> UnsafeRawBufferPointer? {
    let start = slot == 0 ? 0 : end(slot &- 1, layout)
    let end = end(slot, layout)
    let base = layout.variableStart(isWide: isWide)
    guard start <= end, base &+ end <= rowCount else { return nil }
    // Safety: the guard keeps the range inside the row.
    return unsafe UnsafeRawBufferPointer(
      start: row.advanced(by: base &+ start), count: end &- start)
  }

  @inline(__always)
  func end(_ slot: Int, _ layout: RowLayout) -> Int {
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

extension RowView {
  /// The encoder's row.
  init(_ encoder: borrowing _RowEncoder) {
    // Safety: the view is used before the encoder is written again.
    unsafe key = UnsafeRawPointer(encoder.key.base)
    unsafe row = UnsafeRawPointer(encoder.row.base)
    keyCount = encoder.key.count
    rowCount = encoder.row.count
    isWide = encoder.isWide
  }

  /// A view of bytes that were checked before.
  init(
    key: UnsafeRawPointer, keyCount: Int, row: UnsafeRawPointer, rowCount: Int, isWide: Bool
  ) {
    unsafe self.key = key
    unsafe self.row = row
    self.keyCount = keyCount
    self.rowCount = rowCount
    self.isWide = isWide
  }

  /// The same row with a copy of its key.
  func under(_ key: UnsafeRawPointer) -> RowView {
    // Safety: the caller's copy lives as long as the view.
    var view = unsafe RowView(
      key: key, keyCount: keyCount, row: row, rowCount: rowCount, isWide: isWide)
    view.hasChecksum = hasChecksum
    return view
  }
}
