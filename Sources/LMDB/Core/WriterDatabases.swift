/// The trees that the running writer has open, with a cursor and a copy of the last key for each.
///
/// A put past the last key can be appended, which saves the search and fills the pages. The copy
/// may be outdated (a delete lowers the last key, a batch raises it). The C library refuses to append
/// a key that is not past the last one, and the copy is then refreshed.
///
/// A tree that a transaction opens or creates belongs to it until it commits, and is closed when it
/// aborts; a nested transaction passes its own to the enclosing one.
///
/// Threads: `@unchecked` because only the thread that holds the writer's lock uses it.
@safe final class WriterDatabases: @unchecked Sendable {
  @unsafe private struct Slot {
    var cursor: CursorHandle?
    var lastKeyCount = 0
    var lastKey: UnsafeMutableRawPointer?
    /// The length of the key that a search has left the cursor on, of which there is a copy after the
    /// last key's; 0 where the cursor may have moved since.
    var foundKeyCount = 0
    /// Whether the cursor is on that row, or where it was before it was deleted.
    var hasFound = false
    /// Whether the running transaction, or one nested in it, may have changed the tree.
    var isChanged = false
  }

  /// A tree that an uncommitted transaction has opened or created.
  private struct Uncommitted {
    let database: Database
    let isCreated: Bool
    var depth: Int
  }

  private let databases: DatabaseTable
  /// What notes the changes for the journal, where the file has one.
  let redo: RedoRecord?
  private let slots: UnsafeMutablePointer<Slot>
  private let slotCount: Int
  /// The C library's slot of each database's tree, by the database's index; 0 when it is not open.
  private let trees: UnsafeMutablePointer<UInt32>
  private let maxKeyBytes: Int
  /// The slots that have a cursor.
  private var withCursor: [UInt32] = []
  /// The slots whose trees may have been changed.
  private var changed: [UInt32] = []
  /// The pages of the commit before the running transaction; nil before they are needed.
  private var base: CommitPages?
  private var uncommitted: [Uncommitted] = []
  /// The check of the pages that the transaction may reach, where leaves are left to read.
  private var check: PageCheck?
  /// Whether that check has ended without the leaves of trees that were emptied.
  private(set) var hasUnreadLeaves = false
  /// How many write transactions are nested in each other.
  private(set) var depth = 0
  /// Whether the transaction, or one nested in it, did not fit into the map.
  private(set) var hasFilledMap = false
  /// The depth of the transaction that needed more than the map has, and so can only fail; 0 for none.
  private var fullMapDepth = 0

  init(_ databases: DatabaseTable, maxKeyBytes: Int, redo: RedoRecord?) {
    self.databases = databases
    self.redo = redo
    // The C library keeps two trees of its own in the first slots.
    slotCount = databases.capacity + 2
    self.maxKeyBytes = maxKeyBytes
    // Safety: every element is initialised here and lives until deinit.
    unsafe slots = .allocate(capacity: slotCount)
    unsafe slots.initialize(repeating: Slot(), count: slotCount)
    unsafe trees = .allocate(capacity: databases.capacity)
    unsafe trees.initialize(repeating: 0, count: databases.capacity)
  }

  deinit {
    // Safety: allocated with this count; the copies of keys are this object's own.
    for slot in 0..<slotCount { unsafe slots[slot].lastKey?.deallocate() }
    unsafe slots.deinitialize(count: slotCount)
    unsafe slots.deallocate()
    unsafe trees.deinitialize(count: databases.capacity)
    unsafe trees.deallocate()
  }

  /// A transaction begins, inside the running one if there is one.
  ///
  /// - Parameter check: The check of the pages that an outermost one may reach, which has left out their
  ///   leaves; nil where they need none.
  func begin(_ check: PageCheck? = nil) {
    if depth > 0 {
      redo?.beginNested()
    } else {
      (self.check, base, hasUnreadLeaves) = (check, nil, false)
    }
    // Safety: the table has as many entries. The trees are opened again, and so checked.
    if check != nil { unsafe trees.update(repeating: 0, count: databases.capacity) }
    depth += 1
  }

  /// The innermost transaction needed more than the map has.
  func fillMap() { (hasFilledMap, fullMapDepth) = (true, depth) }

  /// Whether the innermost transaction can only fail, because it needed more than the map has.
  var isFailedByFullMap: Bool { fullMapDepth == depth }

  /// The map was enlarged, after the outermost transaction.
  func didGrowMap() { hasFilledMap = false }

  /// Reads the leaves that were not read yet; nil where the transaction began with checked pages.
  ///
  /// A tree's leaves are read when it is opened, so these are of trees that were not opened, or only to
  /// be emptied.
  ///
  /// - Parameter isWhole: Whether those of trees that were emptied are read too.
  func endCheck(isWhole: Bool) -> PageCheck? {
    guard var check else { return nil }
    for name in check.unread.keys {
      // Safety: the database is in the table, which has as many entries.
      let isEmptied = databases.known(named: name).map { unsafe trees[Int($0.index)] != 0 } ?? false
      if isWhole || !isEmptied { check.readLeaves(of: name) }
    }
    self.check = nil
    hasUnreadLeaves = !check.unread.isEmpty
    return check
  }

  /// The innermost transaction ends.
  func end(isCommitted: Bool) {
    if !isCommitted {
      while let last = uncommitted.last, last.depth == depth {
        // Safety: the database is in the table, which has as many entries.
        unsafe trees[Int(last.database.index)] = 0
        if last.isCreated { databases.forget(last.database) }
        uncommitted.removeLast()
      }
    }
    // A transaction around it may still succeed, or fail for another reason.
    if fullMapDepth == depth { fullMapDepth = 0 }
    depth -= 1
    if depth > 0 { redo?.endNested(isCommitted: isCommitted) } else { redo?.end() }
    for index in uncommitted.indices where uncommitted[index].depth > depth {
      uncommitted[index].depth = depth
    }
    guard depth == 0 else { return }
    uncommitted.removeAll()
    // Safety: the C library returns no slot past the capacity that it was given.
    for slot in changed { unsafe slots[Int(slot)].isChanged = false }
    changed.removeAll(keepingCapacity: true)
  }
}

// Reading trees that the transaction has not changed, whose pages are in the map.
extension WriterDatabases {
  /// The running transaction is about to change a tree.
  @inline(__always)
  func willChange(_ slot: UInt32) {
    // Safety: as above.
    if unsafe slots[Int(slot)].isChanged { return }
    unsafe slots[Int(slot)].isChanged = true
    changed.append(slot)
  }

  /// A tree as the commit before the transaction left it; nil where the transaction may have changed it.
  ///
  /// The C library reuses none of its pages before the tree is changed.
  func unchangedTree(
    of database: Database, in slot: UInt32, _ transaction: TransactionHandle, _ map: PageMap
  ) throws(LMDBError) -> PageTree? {
    // Safety: as above.
    if unsafe slots[Int(slot)].isChanged { return nil }
    if base == nil {
      var commit = CommitPages(map)
      guard commit.load(transaction.id - 1) else { return nil }
      base = commit
    }
    return try base?.tree(of: database, in: databases)
  }
}

// Opening trees. The C library asks that one transaction at a time opens them.
extension WriterDatabases {
  /// A database in a write transaction: an existing one, or one that it creates.
  func open(
    _ name: String, _ transaction: TransactionHandle, creates: Bool
  ) throws(LMDBError) -> Database? {
    guard try transaction.hasDatabase(named: name) else {
      return creates ? try create(name, transaction) : nil
    }
    if let known = databases.known(named: name) { return known }
    try check?.readLeaves(of: name, .openDatabase)
    let slot = try transaction.openSupportedTree(named: name, flags: 0)
    let database = try databases.found(name)
    add(database, in: slot)
    return database
  }

  private func create(
    _ name: String, _ transaction: TransactionHandle
  ) throws(LMDBError) -> Database {
    let database = try databases.created(name)
    do throws(LMDBError) {
      let slot = try transaction.openSupportedTree(named: name, flags: OpeningFlag.create)
      add(database, in: slot, isCreated: true)
      // A record has no operation that creates a tree.
      redo?.skip()
      return database
    } catch {
      databases.forget(database)
      throw error
    }
  }

  /// The C library's slot of a database's tree, which is opened at its first use.
  @inline(__always)
  func slot(
    of database: Database, in transaction: TransactionHandle, for operation: LMDBError.Operation
  ) throws(LMDBError) -> UInt32 {
    let index = try databases.index(of: database, for: operation)
    // Safety: the table checked the index.
    var slot = unsafe trees[index]
    if slot == 0 { slot = try openKnown(database, transaction, operation) }
    switch operation {
    case .put, .delete, .apply, .empty: willChange(slot)
    default: break
    }
    return slot
  }

  @inline(never)
  private func openKnown(
    _ database: Database, _ transaction: TransactionHandle, _ operation: LMDBError.Operation
  ) throws(LMDBError) -> UInt32 {
    guard let name = databases.name(of: database) else {
      throw LMDBError(operation, .badDatabase)
    }
    try check?.readLeaves(of: name, operation)
    let slot: UInt32
    do throws(LMDBError) {
      slot = try transaction.openSupportedTree(named: name, flags: 0)
    } catch {
      // Another program has removed the tree, or replaced it by one of another kind.
      let isGone = error.code == .notFound || error.code == .incompatible
      throw isGone ? LMDBError(operation, .badDatabase) : error
    }
    CoverageMark.hit(.treeOpenedAtFirstUse)
    if operation != .count || check == nil { add(database, in: slot) }
    return slot
  }

  /// Records that the running transaction has opened a tree.
  private func add(_ database: Database, in slot: UInt32, isCreated: Bool = false) {
    // Safety: the database is in the table, which has as many entries.
    unsafe trees[Int(database.index)] = slot
    uncommitted.append(Uncommitted(database: database, isCreated: isCreated, depth: depth))
  }
}

// What the journal needs to make a change once more.
extension WriterDatabases {
  /// Notes that a row was written.
  @inline(__always)
  func notePut(_ key: UnsafeRawBufferPointer, _ value: Bytes, in slot: UInt32) {
    // Safety: key and value are the caller's.
    if let redo { unsafe note(.put, key, value.buffer, in: slot, redo) }
  }

  /// Notes that a row was deleted.
  @inline(__always)
  func noteDelete(_ key: UnsafeRawBufferPointer, in slot: UInt32) {
    if let redo { unsafe note(.delete, key, .none, in: slot, redo) }
  }

  /// Notes that a tree was emptied.
  func noteEmpty(_ slot: UInt32) {
    if let redo { unsafe note(.empty, .none, .none, in: slot, redo) }
  }

  @inline(never)
  private func note(
    _ kind: RedoRecord.Kind, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer,
    in slot: UInt32, _ redo: RedoRecord
  ) {
    unsafe redo.note(kind, key, value, in: slot) {
      // Safety: the table has as many entries.
      let index = (0..<databases.capacity).first { unsafe trees[$0] == slot }
      return index.flatMap { databases.name(at: $0) }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// No bytes.
  fileprivate static var none: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: nil, count: 0)
  }
}

// Cursors and last keys.
extension WriterDatabases {
  /// The writer's cursor in a tree, opened at its first use; the caller may move it.
  @inline(__always)
  func cursor(
    in slot: UInt32, of transaction: TransactionHandle, for operation: LMDBError.Operation
  ) throws(LMDBError) -> CursorHandle {
    // Safety: the C library returns no slot past the capacity that it was given.
    unsafe (slots[Int(slot)].foundKeyCount, slots[Int(slot)].hasFound) = (0, false)
    if let cursor = unsafe slots[Int(slot)].cursor { return cursor }
    return try openCursor(in: slot, of: transaction, for: operation)
  }

  /// Moves the cursor to the row of a key, which may be the next row after the one found last.
  @inline(__always)
  func find(
    _ key: UnsafeRawBufferPointer, _ value: inout Bytes, in slot: UInt32,
    of transaction: TransactionHandle
  ) throws(LMDBError) -> Int32 {
    // Safety: the C library returns no slot past the capacity that it was given.
    let hasFound = unsafe slots[Int(slot)].hasFound
    let cursor = try cursor(in: slot, of: transaction, for: .get)
    let (code, _) = unsafe cursor.find(key, &value, mayBeNext: hasFound)
    if code == 0, let copy = unsafe slots[Int(slot)].lastKey, let start = key.baseAddress {
      // Safety: the C library has found the key, so it fits into the copy.
      unsafe (copy + maxKeyBytes).copyMemory(from: start, byteCount: key.count)
      unsafe (slots[Int(slot)].foundKeyCount, slots[Int(slot)].hasFound) = (key.count, true)
    }
    return code
  }

  /// Writes the row that was found last, whose key is passed; nil where the cursor may be on another.
  @inline(__always)
  func replaceFound(
    _ key: UnsafeRawBufferPointer, _ value: inout Bytes, in slot: UInt32
  ) -> Int32? {
    guard let cursor = unsafe cursor(onFound: key, in: slot) else { return nil }
    var bytes = unsafe Bytes(key)
    let code = unsafe cursor.put(&bytes, &value, WriteFlag.current)
    if code == 0 { unsafe notePut(key, value, in: slot) }
    return code
  }

  /// Deletes the row that was found last, whose key is passed; nil where the cursor may be on another.
  @inline(__always)
  func deleteFound(_ key: UnsafeRawBufferPointer, in slot: UInt32) -> Int32? {
    guard let cursor = unsafe cursor(onFound: key, in: slot) else { return nil }
    // Safety: as above.
    unsafe slots[Int(slot)].foundKeyCount = 0
    let code = cursor.delete()
    if code == 0 { unsafe noteDelete(key, in: slot) }
    return code
  }

  /// The cursor, if it is on the row of a key because that was found last.
  @inline(__always)
  private func cursor(onFound key: UnsafeRawBufferPointer, in slot: UInt32) -> CursorHandle? {
    // Safety: as above, and the copy of the key is as long as its count.
    let count = unsafe slots[Int(slot)].foundKeyCount
    // An empty key is none, and the C library refuses it.
    guard count > 0, let cursor = unsafe slots[Int(slot)].cursor,
      let copy = unsafe slots[Int(slot)].lastKey,
      unsafe isEqual(UnsafeRawBufferPointer(start: copy + maxKeyBytes, count: count), key)
    else { return nil }
    return cursor
  }

  /// Whether a key is past the last one, according to the copy.
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

  /// Copies the last key.
  @inline(__always)
  fileprivate func setLast(_ key: UnsafeRawBufferPointer, in slot: UInt32) {
    // Safety: the C library has accepted the key, so it fits into the copy.
    guard let last = unsafe slots[Int(slot)].lastKey, let start = key.baseAddress,
      key.count <= maxKeyBytes
    else { return }
    unsafe last.copyMemory(from: start, byteCount: key.count)
    unsafe slots[Int(slot)].lastKeyCount = key.count
  }

  /// Reads the last key from the tree.
  fileprivate func refreshLast(in slot: UInt32, with cursor: CursorHandle) -> Int32 {
    var (key, value) = unsafe (Bytes.none, Bytes.none)
    // Safety: the key is in the map while it is copied.
    let code = unsafe cursor.get(&key, &value, .last)
    unsafe slots[Int(slot)].lastKeyCount = 0
    if code == 0 { unsafe setLast(key.buffer, in: slot) }
    return code == LMDBError.Code.notFound.rawValue ? 0 : code
  }

  /// Closes the cursor of one tree, which is about to be emptied.
  func closeCursor(in slot: UInt32) {
    // Safety: as above; an open cursor's transaction is alive.
    unsafe slots[Int(slot)].cursor?.close()
    unsafe slots[Int(slot)].cursor = nil
    withCursor.removeAll { $0 == slot }
  }

  /// Closes all cursors, which must be done before a transaction ends.
  func closeCursors() {
    for slot in withCursor {
      // Safety: as above.
      unsafe slots[Int(slot)].cursor?.close()
      unsafe slots[Int(slot)].cursor = nil
    }
    withCursor.removeAll(keepingCapacity: true)
  }

  private func openCursor(
    in slot: UInt32, of transaction: TransactionHandle, for operation: LMDBError.Operation
  ) throws(LMDBError) -> CursorHandle {
    let (opened, code) = transaction.openCursor(in: slot)
    guard let cursor = opened else { throw LMDBError(operation, database: code) }
    // Safety: as above.
    if unsafe slots[Int(slot)].lastKey == nil {
      unsafe slots[Int(slot)].lastKey = .allocate(byteCount: 2 * maxKeyBytes, alignment: 8)
    }
    let found = refreshLast(in: slot, with: cursor)
    guard found == 0 else {
      cursor.close()
      throw LMDBError(operation, found)
    }
    unsafe slots[Int(slot)].cursor = cursor
    withCursor.append(slot)
    return cursor
  }
}

extension CursorHandle {
  /// Moves to the row of a key, and says whether that was the next row, which needs no search.
  ///
  /// - Parameter mayBeNext: Whether the next row is tried first.
  @inline(__always)
  func find(
    _ key: UnsafeRawBufferPointer, _ value: inout Bytes, mayBeNext: Bool
  ) -> (code: Int32, isNext: Bool) {
    var found = unsafe Bytes.none
    if mayBeNext {
      let code = unsafe get(&found, &value, .next)
      if code == 0, unsafe isEqual(found.buffer, key) { return (0, true) }
      guard code == 0 || code == LMDBError.Code.notFound.rawValue else { return (code, false) }
    }
    // Safety: the key is the caller's.
    unsafe found = Bytes(key)
    return (unsafe get(&found, &value, .to), false)
  }
}

/// Whether two byte strings are the same.
@inline(__always)
private func isEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
  guard left.count == right.count, let first = left.baseAddress, let second = right.baseAddress
  else { return false }
  // Safety: both have as many bytes.
  return unsafe compareBytes(first, second, left.count) == 0
}

extension WriterDatabases {
  /// A sequence of puts: after a row was appended, the next is appended without comparing keys.
  @safe struct AscendingRun {
    private let databases: WriterDatabases
    private let slot: UInt32
    private let cursor: CursorHandle
    /// The tree's last key, where the run has just appended it.
    private var last: UnsafeRawBufferPointer?

    /// Whether the last row that was put was appended.
    var isAppending: Bool { unsafe last != nil }

    init(_ databases: WriterDatabases, _ slot: UInt32, _ cursor: CursorHandle) {
      self.databases = databases
      self.slot = slot
      self.cursor = cursor
      unsafe last = nil
    }

    /// Writes a row whose key's bytes outlive the sequence of puts.
    @inline(__always)
    mutating func put(
      _ key: UnsafeRawBufferPointer, _ value: inout Bytes, _ mode: WriteTransaction.PutMode
    ) -> Int32 {
      // Safety: key and value are the caller's.
      var bytes = unsafe Bytes(key)
      if unsafe last != nil || databases.isPastLast(key, in: slot) {
        let code = unsafe cursor.put(&bytes, &value, WriteFlag.append)
        if code == 0 {
          unsafe last = key
          unsafe databases.notePut(key, value, in: slot)
        }
        guard code == LMDBError.Code.keyExists.rawValue else { return code }
        // The caller's order was another, or the tree's last key has changed.
        unsafe last = nil
        let refreshed = databases.refreshLast(in: slot, with: cursor)
        guard refreshed == 0 else { return refreshed }
      }
      let presence = mode == .insert ? WriteFlag.mustNotExist : WriteFlag.none
      let code = unsafe cursor.put(&bytes, &value, presence)
      if code == 0 { unsafe databases.notePut(key, value, in: slot) }
      return code
    }

    /// Copies the last key for later puts.
    @inline(__always)
    mutating func finish() {
      // Safety: the key's bytes outlive the run.
      guard let key = unsafe last else { return }
      unsafe databases.setLast(key, in: slot)
      unsafe last = nil
    }
  }
}
