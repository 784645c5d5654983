/// The changes of a batch, made with one cursor, which keeps pages full where many rows are put between two.
///
/// The C library divides a full page in the middle, unless the new row is the last of the page
/// (`mdb_page_split`). Rows that are put in their order before others would so leave each of their pages
/// half empty. Where there are many, the others are deleted first, and put again after them.
@safe struct SortedBatch {
  private let databases: WriterDatabases
  private let slot: UInt32
  private let cursor: CursorHandle
  private let environment: EnvironmentHandle
  /// The length of a page; 0 before it is needed.
  private var pageBytes = 0
  private var run: WriterDatabases.AscendingRun
  /// Of keys to delete that are not neighbours, every other one is sought at once.
  private var mayBeNext = true
  /// The change from which on the next row of the tree is looked at again.
  private var nextLook = 0
  /// The rows that were deleted to be put again, and the change before which that is due.
  private var moved = MovedRows()
  private var movedEnd = Int.max

  init(
    _ databases: WriterDatabases, _ slot: UInt32, _ cursor: CursorHandle,
    in environment: EnvironmentHandle
  ) {
    self.databases = databases
    self.slot = slot
    self.cursor = cursor
    self.environment = environment
    run = WriterDatabases.AscendingRun(databases, slot, cursor)
  }

  /// Makes one change, and returns the C library's code.
  ///
  /// - Parameters:
  ///   - index: The index of the change, after those of the changes before it.
  ///   - changes: All changes, whose bytes outlive the batch.
  ///   - mode: What to do with a key that exists.
  @inline(__always)
  mutating func make(
    _ index: Int, of changes: UnsafeBufferPointer<WriteTransaction.SortedChange>,
    _ mode: WriteTransaction.PutMode
  ) -> Int32 {
    if index >= nextLook {
      let code = unsafe look(at: index, of: changes)
      guard code == 0 else { return code }
    }
    let change = unsafe changes[index]
    let key = unsafe change.key
    if unsafe change.isDelete { return unsafe delete(key) }
    var value = unsafe Bytes(
      UnsafeRawBufferPointer(start: change.valueStart, count: change.valueCount))
    return unsafe run.put(key, &value, mode)
  }

  /// Puts the rows again that were moved, and copies the last key for later puts.
  mutating func finish() -> Int32 {
    let code = putMoved()
    run.finish()
    return code
  }

  @inline(__always)
  private mutating func delete(_ key: UnsafeRawBufferPointer) -> Int32 {
    run.finish()
    var value = unsafe Bytes.none
    let (found, isNext) = unsafe cursor.find(key, &value, mayBeNext: mayBeNext)
    mayBeNext = isNext || !mayBeNext
    let code = found == 0 ? cursor.delete() : found
    if code == LMDBError.Code.notFound.rawValue { return 0 }
    if code == 0 { unsafe databases.noteDelete(key, in: slot) }
    return code
  }

  // MARK: - Rows that are moved

  /// Puts the moved rows again when their time has come, and moves others before many puts between two rows.
  @inline(never)
  private mutating func look(
    at index: Int, of changes: UnsafeBufferPointer<WriteTransaction.SortedChange>
  ) -> Int32 {
    if index == movedEnd {
      let code = putMoved()
      guard code == 0 else { return code }
    }
    nextLook = index + Threshold.changesPerLook.value
    let change = unsafe changes[index]
    // Few changes fill no page, and rows past the last one are appended.
    if changes.count - index < Threshold.changesPerLook.value || run.isAppending { return 0 }
    if unsafe change.isDelete || databases.isPastLast(change.key, in: slot) { return 0 }
    var (key, value) = unsafe (Bytes(change.key), Bytes.none)
    let code = unsafe cursor.get(&key, &value, .atOrAfter)
    guard code == 0 else { return code == LMDBError.Code.notFound.rawValue ? 0 : code }
    if pageBytes == 0 { pageBytes = environment.pageBytes }
    var (end, bytes) = (index, 0)
    while end < changes.count, unsafe !changes[end].isDelete,
      unsafe KeyComparison.plain.order(changes[end].key, key.buffer) < 0,
      unsafe end == index || KeyComparison.plain.order(changes[end - 1].key, changes[end].key) < 0
    {
      let (keyCount, valueCount) = unsafe (changes[end].keyCount, changes[end].valueCount)
      // Of a value that has pages of its own, a page has the number of the first.
      bytes += keyCount + (keyCount + valueCount <= longestRow ? valueCount : 0)
      end += 1
    }
    // Before that change the next row stays the same.
    nextLook = max(nextLook, end)
    guard bytes >= Threshold.bytesBetweenRows.value else { return 0 }
    let moving = unsafe moveRows(from: key, value, atMost: end - index)
    if moved.count > 0 { (movedEnd, nextLook) = (end, end) }
    return moving
  }

  /// The most bytes of a key and a value that are on a page together (`me_nodemax`).
  ///
  /// Two such rows fit on a page, each with its head and the two bytes that say where it is.
  private var longestRow: Int {
    (pageBytes - Page.listStart) / 2 - Page.rowHeaderBytes - MemoryLayout<UInt16>.size
  }

  /// Deletes the rows of a page from one on, and keeps them.
  ///
  /// The C library does not tell where a page ends. Keys on one page are less than its length apart,
  /// so that these are all of its rows, and where pages are neighbours in memory perhaps some of the next.
  private mutating func moveRows(from first: Bytes, _ value: Bytes, atMost most: Int) -> Int32 {
    var (key, value) = unsafe (first, value)
    var code: Int32 = 0
    while code == 0, unsafe moved.isOnPage(key.buffer, pageBytes) {
      // A value that has pages of its own stays, and the rows before it; so do more rows than are put.
      let rowBytes = unsafe key.buffer.count + value.buffer.count
      guard rowBytes <= longestRow, moved.count < most else {
        moved.removeAll()
        return 0
      }
      unsafe moved.append(key.buffer, value.buffer)
      code = unsafe cursor.get(&key, &value, .next)
    }
    guard code == 0 || code == LMDBError.Code.notFound.rawValue else {
      moved.removeAll()
      return code
    }
    CoverageMark.hit(.rowsMovedForPuts)
    let rows = moved
    for row in 0..<rows.count {
      let code = unsafe rows.withRow(row) { key, _ in unsafe delete(key) }
      guard code == 0 else { return code }
    }
    return 0
  }

  private mutating func putMoved() -> Int32 {
    movedEnd = .max
    let rows = moved
    for row in 0..<rows.count {
      let code = unsafe rows.withRow(row) { key, value in
        var value = unsafe Bytes(value)
        let code = unsafe run.put(key, &value, .upsert)
        // The run must not keep the key, which is the copy's.
        run.finish()
        return code
      }
      guard code == 0 else { return code }
    }
    moved.removeAll()
    return 0
  }
}

extension WriteTransaction.SortedChange {
  /// The bytes of the key.
  @inline(__always)
  var key: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: keyStart, count: keyCount)
  }
}

/// Copies of neighbouring rows, ascending.
@safe private struct MovedRows {
  private var bytes: [UInt8] = []
  private var rows: [(start: Int, keyCount: Int, end: Int)] = []
  /// The addresses of the first and the last key in memory, where the rows were.
  private var addresses: ClosedRange<UInt>?

  var count: Int { rows.count }

  /// Whether a row that follows may be on the page of those that are here.
  func isOnPage(_ key: UnsafeRawBufferPointer, _ pageBytes: Int) -> Bool {
    guard let addresses else { return true }
    let address = UInt(bitPattern: key.baseAddress)
    let span = max(addresses.upperBound, address) - min(addresses.lowerBound, address)
    return span < UInt(pageBytes) && bytes.count < pageBytes
  }

  mutating func append(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    let address = UInt(bitPattern: key.baseAddress)
    let known = addresses ?? address...address
    addresses = min(known.lowerBound, address)...max(known.upperBound, address)
    let start = bytes.count
    // Safety: both are on their page until the next change.
    unsafe bytes.append(contentsOf: key)
    unsafe bytes.append(contentsOf: value)
    rows.append((start, key.count, bytes.count))
  }

  /// Passes the key and the value of a row, which are valid during the call.
  func withRow<R>(
    _ row: Int, _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> R
  ) -> R {
    let (start, keyCount, end) = rows[row]
    // Safety: the row was appended, so its bytes are there.
    return unsafe bytes.withUnsafeBytes { bytes in
      unsafe body(
        UnsafeRawBufferPointer(rebasing: bytes[start..<start + keyCount]),
        UnsafeRawBufferPointer(rebasing: bytes[start + keyCount..<end]))
    }
  }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
    addresses = nil
  }
}
