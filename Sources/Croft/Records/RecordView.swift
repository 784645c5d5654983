import LMDB

/// A key and a row in the store's memory, checked against their layout.
///
/// It borrows the transaction's memory: it is made, used and dropped within one
/// call, and never outlives a write.
@safe
struct RecordView {
  let key: UnsafeRawPointer
  let row: UnsafeRawPointer
  let keyCount: Int
  let rowCount: Int
  let isWide: Bool
  /// Whether the row's checksum follows it, as it does in the table.
  var hasChecksum = false

  /// Checks a row of a table, whose checksum follows it; see ``checkSum(_:)``.
  ///
  /// Rows of format 2 have none.
  @inline(__always)
  init?(key: UnsafeRawBufferPointer, stored row: UnsafeRawBufferPointer, layout: RecordLayout) {
    guard let start = row.baseAddress, row.count >= 4 else { return nil }
    // Safety: the row has four bytes, and a header's second holds the flags.
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

  /// Throws where the checksum behind the row is not that of key and row.
  ///
  /// Call it before a row's values are returned or written again; tests of conditions, counts and
  /// removals need not.
  @inline(__always)
  func checkSum(_ layout: RecordLayout) throws {
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
  func variable(_ slot: Int, _ layout: RecordLayout) -> UnsafeRawBufferPointer? {
    let start = slot == 0 ? 0 : end(slot &- 1, layout)
    let end = end(slot, layout)
    let base = layout.variableStart(isWide: isWide)
    guard start <= end, base &+ end <= rowCount else { return nil }
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
  func under(_ key: UnsafeRawPointer) -> RecordView {
    // Safety: the caller's copy lives as long as the view.
    var view = unsafe RecordView(
      key: key, keyCount: keyCount, row: row, rowCount: rowCount, isWide: isWide)
    view.hasChecksum = hasChecksum
    return view
  }
}

/// Memory for rows that were transcoded into another layout, freed all at once.
///
/// It lives as long as the query or statement whose views point into it, and is confined to
/// the thread of that.
@safe
final class RecordArena {
  private static var chunkBytes: Int { Threshold.arenaBytes.value }

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
    // Safety: the room is in the last chunk, behind what was taken before.
    if let last = unsafe chunks.last, used + count <= last.count,
      let start = last.baseAddress
    {
      let room = unsafe start + used
      used += count
      return unsafe room
    }
    let size = max(Self.chunkBytes, count)
    let start = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    unsafe chunks.append(UnsafeMutableRawBufferPointer(start: start, count: size))
    used = count
    return unsafe start
  }

  /// Forgets all rows; no view of one may be used again.
  func clear() {
    guard used > 0 else { return }
    // Safety: views end with the statement that the caller ends.
    while unsafe chunks.count > 1 { unsafe chunks.removeLast().deallocate() }
    used = 0
  }
}

// MARK: - From a table's bytes to a view

extension Table {
  /// A stored row in the program's layout: the one way from bytes to a view.
  ///
  /// A row of the current layout is read in place, and costs one comparison. A row of an older
  /// one, or of another program's, is transcoded into the arena.
  ///
  /// - Parameters:
  ///   - key: The row's key, lent as long as the view.
  ///   - row: The row's bytes, lent as long as the view.
  ///   - arena: Lives as long as the view is used.
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` for what is no row of the model.
  @inline(__always)
  func view(
    key: UnsafeRawBufferPointer, row: UnsafeRawBufferPointer, _ arena: RecordArena
  ) throws -> RecordView {
    // Safety: the caller lends the bytes for as long as it uses the view.
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
  ///   - key: The key's code, lent as long as the view.
  ///   - transaction: The transaction to read in.
  ///   - arena: Lives as long as the view is used.
  /// - Returns: The row, lent until the transaction changes; nil where there is none.
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

  /// Lends a decoder at the row of a primary key's code to a closure, if there is such a row.
  func withRow(
    _ key: UnsafeRawBufferPointer, in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ arena: RecordArena, _ body: (inout _RecordDecoder) throws -> Void
  ) throws {
    arena.clear()
    // Safety: the caller lends the key and keeps the arena until the closure has returned.
    guard let row = try unsafe row(key, in: transaction, arena) else { return }
    try row.checkSum(layout)
    var decoder = _RecordDecoder(layout: layout)
    decoder.move(to: row)
    try body(&decoder)
  }
}
