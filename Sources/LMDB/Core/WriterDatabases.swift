internal import Synchronization

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
  private var uncommitted: [Uncommitted] = []
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
  func begin() {
    if depth > 0 { redo?.beginNested() }
    depth += 1
  }

  /// The innermost transaction needed more than the map has.
  func fillMap() { (hasFilledMap, fullMapDepth) = (true, depth) }

  /// Whether the innermost transaction can only fail, because it needed more than the map has.
  var isFailedByFullMap: Bool { fullMapDepth == depth }

  /// The map was enlarged, after the outermost transaction.
  func didGrowMap() { hasFilledMap = false }

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
    if depth == 0 { uncommitted.removeAll() }
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
    let slot = unsafe trees[index]
    return slot != 0 ? slot : try openKnown(database, transaction, operation)
  }

  @inline(never)
  private func openKnown(
    _ database: Database, _ transaction: TransactionHandle, _ operation: LMDBError.Operation
  ) throws(LMDBError) -> UInt32 {
    guard let name = databases.name(of: database) else {
      throw LMDBError(operation, .badDatabase)
    }
    let slot: UInt32
    do throws(LMDBError) {
      slot = try transaction.openSupportedTree(named: name, flags: 0)
    } catch {
      // Another program has removed the tree, or replaced it by one of another kind.
      let isGone = error.code == .notFound || error.code == .incompatible
      throw isGone ? LMDBError(operation, .badDatabase) : error
    }
    CoverageMark.hit(.treeOpenedAtFirstUse)
    add(database, in: slot)
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
    unsafe slots[Int(slot)].foundKeyCount = 0
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
    let wasOnRow = unsafe slots[Int(slot)].foundKeyCount > 0
    let cursor = try cursor(in: slot, of: transaction, for: .get)
    let (code, _) = unsafe cursor.find(key, &value, mayBeNext: wasOnRow)
    if code == 0, let copy = unsafe slots[Int(slot)].lastKey, let start = key.baseAddress {
      // Safety: the C library has found the key, so it fits into the copy.
      unsafe (copy + maxKeyBytes).copyMemory(from: start, byteCount: key.count)
      unsafe slots[Int(slot)].foundKeyCount = key.count
    }
    return code
  }

  /// Writes the row that was found last, whose key is passed; nil where the cursor may be on another.
  @inline(__always)
  func replaceFound(
    _ key: UnsafeRawBufferPointer, _ value: inout Bytes, in slot: UInt32
  ) -> Int32? {
    // Safety: as above, and the copy of the key is as long as its count.
    guard let cursor = unsafe slots[Int(slot)].cursor, let copy = unsafe slots[Int(slot)].lastKey,
      unsafe isEqual(
        UnsafeRawBufferPointer(
          start: copy + maxKeyBytes, count: slots[Int(slot)].foundKeyCount), key)
    else { return nil }
    var bytes = unsafe Bytes(key)
    let code = unsafe cursor.put(&bytes, &value, WriteFlag.current)
    if code == 0 { unsafe notePut(key, value, in: slot) }
    return code
  }

  /// Whether a key is past the last one, according to the copy.
  @inline(__always)
  fileprivate func isPastLast(_ key: UnsafeRawBufferPointer, in slot: UInt32) -> Bool {
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

/// The databases of an environment that this process knows, by name, with the order of their keys.
///
/// A read transaction looks a name up in its own pages, and a write transaction opens a tree in
/// the C library at its first use. So a transaction can use every database that it sees, whichever
/// process has created it.
///
/// An index is reused when the transaction that created its tree aborts. So each database has a
/// serial number as well, and is void when its index has got another one.
///
/// Threads: any. It is `@unchecked` because of the pointer, whose elements are atomic.
@safe final class DatabaseTable: @unchecked Sendable {
  private struct Entry {
    let database: Database
    /// Whether a transaction has found the tree, so that an abort of its creator does not remove it.
    var isFound: Bool
  }

  private struct State {
    var entries: [String: Entry] = [:]
    /// The name of the database at each index.
    var names: [String?]
    /// All indexes before this one are in use.
    var firstFree = 0
  }

  private static let lastSerial = Atomic<UInt32>(0)

  /// The serial number of the database at each index; 0 for none.
  private let serials: UnsafeMutablePointer<Atomic<UInt32>>
  /// The most databases.
  let capacity: Int
  private let state: ConditionMutex<State>

  init(capacity: Int) {
    self.capacity = capacity
    state = ConditionMutex(State(names: Array(repeating: nil, count: capacity)))
    // Safety: every element is initialised here and lives until deinit.
    unsafe serials = .allocate(capacity: capacity)
    for index in 0..<capacity { unsafe (serials + index).initialize(to: Atomic(0)) }
  }

  deinit {
    // Safety: allocated and initialised with this count.
    unsafe serials.deinitialize(count: capacity)
    unsafe serials.deallocate()
  }

  /// The index of a database of this environment.
  @inline(__always)
  func index(
    of database: Database, for operation: LMDBError.Operation
  ) throws(LMDBError) -> Int {
    guard holds(database) else { throw LMDBError(operation, .badDatabase) }
    return Int(database.index)
  }

  /// Whether a database is one of this environment, and not void.
  @inline(__always)
  func holds(_ database: Database) -> Bool {
    // Safety: the index is checked first.
    unsafe Int(database.index) < capacity
      && serials[Int(database.index)].load(ordering: .relaxed) == database.serial
  }

  /// The name of a database; nil when it is void, or another environment's.
  func name(of database: Database) -> String? {
    state.withLock { holds(database) ? $0.names[Int(database.index)] : nil }
  }

  /// The name of the database at an index; nil when there is none.
  func name(at index: Int) -> String? { state.withLock { $0.names[index] } }

  /// The database of a name, where it is known.
  func known(named name: String) -> Database? { state.withLock { $0.entries[name]?.database } }

  /// The database of a name whose tree a transaction has found.
  ///
  /// - Throws: ``LMDBError/Code/databasesFull``.
  func found(_ name: String) throws(LMDBError) -> Database {
    try state.withLock { state throws(LMDBError) in
      guard let entry = state.entries[name] else { return try enter(name, isFound: true, &state) }
      if !entry.isFound { state.entries[name]?.isFound = true }
      return entry.database
    }
  }

  /// The database of a name whose tree a transaction is about to create.
  ///
  /// - Throws: ``LMDBError/Code/databasesFull``.
  func created(_ name: String) throws(LMDBError) -> Database {
    try state.withLock { state throws(LMDBError) in try enter(name, isFound: false, &state) }
  }

  /// Removes a database that a transaction was to create and did not.
  func forget(_ database: Database) {
    state.withLock { state in
      guard let name = state.names[Int(database.index)] else { return }
      // Another process may have created a database of that name, which was then found here.
      guard let entry = state.entries[name], entry.database == database, !entry.isFound
      else { return }
      remove(name, entry, &state)
    }
  }

  /// All databases that are known.
  var all: [Database] { state.withLock { $0.entries.values.map(\.database) } }

  /// The detail of an error that says that the table is full.
  func fullDetail(_ name: String) -> String {
    "\(name); it is open in this process with room for \(capacity)"
  }

  private func enter(
    _ name: String, isFound: Bool, _ state: inout State
  ) throws(LMDBError) -> Database {
    if let entry = state.entries[name] { remove(name, entry, &state) }
    guard let index = state.names[state.firstFree...].firstIndex(where: { $0 == nil }) else {
      throw LMDBError(.openDatabase, .databasesFull, fullDetail(name))
    }
    state.firstFree = index + 1
    state.names[index] = name
    let serial = Self.lastSerial.wrappingAdd(1, ordering: .relaxed).newValue
    // Safety: both have the same number of elements.
    unsafe serials[index].store(serial, ordering: .relaxed)
    let database = Database(index: UInt32(index), serial: serial)
    state.entries[name] = Entry(database: database, isFound: isFound)
    return database
  }

  private func remove(_ name: String, _ entry: Entry, _ state: inout State) {
    let index = Int(entry.database.index)
    // Safety: the database was entered here.
    unsafe serials[index].store(0, ordering: .relaxed)
    state.names[index] = nil
    state.firstFree = min(state.firstFree, index)
    state.entries[name] = nil
  }
}
