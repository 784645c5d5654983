/// What the writer keeps at hand of each database: a cursor, and a copy of the last key.
///
/// A put past the last key can be appended, which spares the search and fills pages to the
/// brim. The copy may be older than the tree (deletes make the last key smaller, other cursors
/// larger); the C library looks again in any case, so that it is a good guess and never more.
///
/// Threads: `@unchecked` because whoever holds the writer's place has it alone.
@safe final class WriteSlots: @unchecked Sendable {
  @unsafe struct Slot {
    var cursor: CursorHandle?
    var lastKeyCount = 0
    var lastKey: UnsafeMutableRawPointer?
  }

  private let slots: UnsafeMutablePointer<Slot>
  private let slotCount: Int
  /// The slot of the tree of each database, by its place; 0 where the C library has not opened it.
  private let trees: UnsafeMutablePointer<UInt32>
  private let capacity: Int
  private let maxKeyBytes: Int
  /// The slots that have a cursor.
  private var open: [UInt32] = []

  init(capacity: Int, maxKeyBytes: Int) {
    self.capacity = capacity
    // The C library keeps two trees of its own before the first.
    slotCount = capacity + 2
    self.maxKeyBytes = maxKeyBytes
    // Safety: every element is initialised here and lives until deinit.
    unsafe slots = .allocate(capacity: slotCount)
    unsafe slots.initialize(repeating: Slot(), count: slotCount)
    unsafe trees = .allocate(capacity: capacity)
    unsafe trees.initialize(repeating: 0, count: capacity)
  }

  deinit {
    // Safety: allocated with this count; the copies of keys are this object's own.
    for slot in 0..<slotCount { unsafe slots[slot].lastKey?.deallocate() }
    unsafe slots.deinitialize(count: slotCount)
    unsafe slots.deallocate()
    unsafe trees.deinitialize(count: capacity)
    unsafe trees.deallocate()
  }

  /// The slot of the tree of the database in a place; nil where it has to be opened first.
  @inline(__always)
  func slot(ofTreeIn place: Int) -> UInt32? {
    // Safety: the place comes out of the database table, which checked it.
    let slot = unsafe trees[place]
    return slot == 0 ? nil : slot
  }

  /// Notes that the C library has opened a tree.
  func setSlot(_ slot: UInt32, ofTreeIn place: Int) {
    // Safety: as above.
    unsafe trees[place] = slot
  }

  /// Notes that the C library has closed a tree.
  func forgetTree(in place: Int) {
    // Safety: as above.
    unsafe trees[place] = 0
  }

  /// The writer's cursor in a database, opened at need.
  @inline(__always)
  func cursor(
    in slot: UInt32, of transaction: TransactionHandle, for operation: LMDBError.Operation
  ) throws(LMDBError) -> CursorHandle {
    // Safety: the C library gives no slot past the capacity it was told.
    if let cursor = unsafe slots[Int(slot)].cursor { return cursor }
    return try openCursor(in: slot, of: transaction, for: operation)
  }

  /// Whether a key lies past the last one, as far as the writer knows.
  @inline(__always)
  func isPastLast(_ key: UnsafeRawBufferPointer, in slot: UInt32) -> Bool {
    // Safety: the copy holds as many bytes as its count says.
    let lastCount = unsafe slots[Int(slot)].lastKeyCount
    guard lastCount > 0, let last = unsafe slots[Int(slot)].lastKey,
      let start = key.baseAddress
    else { return true }
    let order = unsafe compareBytes(start, last, min(key.count, lastCount))
    return order > 0 || (order == 0 && key.count > lastCount)
  }

  /// Notes the last key.
  @inline(__always)
  func setLast(_ key: UnsafeRawBufferPointer, in slot: UInt32) {
    // Safety: the C library has accepted the key, so it fits into the copy.
    guard let last = unsafe slots[Int(slot)].lastKey, let start = key.baseAddress,
      key.count <= maxKeyBytes
    else { return }
    unsafe last.copyMemory(from: start, byteCount: key.count)
    unsafe slots[Int(slot)].lastKeyCount = key.count
  }

  /// Writes a row: at the end when its key is past the last one, else where it belongs.
  ///
  /// With the reserve flag the value comes back as the room to write to.
  @inline(__always)
  func put(
    _ key: UnsafeRawBufferPointer, _ value: inout Bytes, _ mode: PutMode, in slot: UInt32,
    with cursor: CursorHandle, flags: UInt32 = 0
  ) -> Int32 {
    // Safety: key and value are the caller's, which outlive the call.
    // The last key that is remembered may be gone, which only an append has to know for sure.
    if unsafe mode == .append || isPastLast(key, in: slot) {
      let code = unsafe cursor.append(key, &value, flags: flags)
      if code == 0 {
        unsafe setLast(key, in: slot)
        return 0
      }
      guard code == LMDBError.Code.keyExists.rawValue else { return code }
      let refreshed = refreshLast(in: slot, with: cursor)
      guard refreshed == 0, mode != .append else { return refreshed == 0 ? code : refreshed }
    }
    return unsafe cursor.put(key, &value, mode, flags: flags)
  }

  /// Looks up the last key.
  func refreshLast(in slot: UInt32, with cursor: CursorHandle) -> Int32 {
    var (key, value) = unsafe (Bytes.none, Bytes.none)
    // Safety: the key lies in the map while it is copied.
    let code = unsafe cursor.get(&key, &value, .last)
    unsafe slots[Int(slot)].lastKeyCount = 0
    if code == 0 { unsafe setLast(key.buffer, in: slot) }
    return code == LMDBError.Code.notFound.rawValue ? 0 : code
  }

  /// Closes the cursor in one database, because another is about to write there.
  func close(_ slot: UInt32) {
    // Safety: as above; an open cursor's transaction is alive.
    unsafe slots[Int(slot)].cursor?.close()
    unsafe slots[Int(slot)].cursor = nil
    open.removeAll { $0 == slot }
  }

  /// Closes all cursors; a transaction must not end before this.
  func closeAll() {
    for slot in open {
      // Safety: as above.
      unsafe slots[Int(slot)].cursor?.close()
      unsafe slots[Int(slot)].cursor = nil
    }
    open.removeAll(keepingCapacity: true)
  }

  private func openCursor(
    in slot: UInt32, of transaction: TransactionHandle, for operation: LMDBError.Operation
  ) throws(LMDBError) -> CursorHandle {
    let (opened, code) = transaction.openCursor(in: slot)
    guard let cursor = opened else { throw LMDBError(operation, database: code) }
    // Safety: as above.
    if unsafe slots[Int(slot)].lastKey == nil {
      unsafe slots[Int(slot)].lastKey = .allocate(byteCount: maxKeyBytes, alignment: 8)
    }
    let found = refreshLast(in: slot, with: cursor)
    guard found == 0 else {
      cursor.close()
      throw LMDBError(operation, found)
    }
    unsafe slots[Int(slot)].cursor = cursor
    open.append(slot)
    return cursor
  }
}

extension CursorHandle {
  /// Writes a row at the end; `keyExists` when its key is not past the last one.
  @inline(__always)
  func append(
    _ key: UnsafeRawBufferPointer, _ value: inout Bytes, flags: UInt32 = 0
  ) -> Int32 {
    // Safety: key and value are the caller's.
    var bytes = unsafe Bytes(key)
    return unsafe put(&bytes, &value, flags | WriteFlag.append)
  }

  /// Writes a row where it belongs.
  @inline(__always)
  func put(
    _ key: UnsafeRawBufferPointer, _ value: inout Bytes, _ mode: PutMode, flags: UInt32 = 0
  ) -> Int32 {
    // Safety: key and value are the caller's.
    var bytes = unsafe Bytes(key)
    let presence = mode == .insert ? WriteFlag.mustNotExist : WriteFlag.none
    return unsafe put(&bytes, &value, flags | presence)
  }
}
