/// A transaction that changes an environment, as a whole or not at all.
///
/// It sees its own changes. After a failed write, such as ``LMDBError/Code/mapFull``, it can only
/// end; further calls throw ``LMDBError/Code/badTransaction``.
///
/// Threads: it begins and ends on one OS thread.
public struct WriteTransaction: ~Copyable, Transaction {
  let environment: Environment
  let handle: TransactionHandle
  private let databases: WriterDatabases
  /// How deep it is nested: 1 for an outermost one.
  private let depth: Int
  /// Whether it has not ended.
  private var isOpen = true
  /// Called by ``checkProgress()``; an error that it throws ends the work that asked.
  private let onProgress: (() throws -> Void)?

  /// Begins an outermost transaction, which aborts when the value is destroyed without a commit.
  ///
  /// - Parameters:
  ///   - environment: What is changed.
  ///   - onProgress: Called by ``checkProgress()``; an error that it throws ends the work that asked.
  /// - Throws: As ``Environment/write(_:)``.
  package init(
    beginningIn environment: Environment, onProgress: (() throws -> Void)? = nil
  ) throws(LMDBError) {
    self.init(environment, try environment.core.beginWrite(), onProgress: onProgress)
  }

  init(
    _ environment: Environment, _ handle: TransactionHandle, depth: Int = 1,
    onProgress: (() throws -> Void)? = nil
  ) {
    self.environment = environment
    self.onProgress = onProgress
    self.handle = handle
    databases = environment.core.writerDatabases
    self.depth = depth
  }

  deinit {
    if isOpen { environment.core.abortWrite(handle, depth: depth) }
  }

  /// Makes all changes durable and visible, or throws and leaves none of them.
  package consuming func commit() throws(LMDBError) {
    isOpen = false
    try environment.core.commitWrite(handle, depth: depth)
  }

  /// Undoes all changes.
  package consuming func abort() {
    isOpen = false
    environment.core.abortWrite(handle, depth: depth)
  }

  /// The database of a name; nil when the transaction sees none.
  public func database(named name: String) throws(LMDBError) -> Database? {
    try databases.open(name, handle, creates: false)
  }

  /// Whether the file holds no database at all, as a new one does.
  public func isEmpty() throws(LMDBError) -> Bool {
    try handle.statistics(of: TransactionHandle.namesSlot).entries == 0
  }

  /// The value of a key; nil when there is no such key.
  @_lifetime(borrow self)
  public func get(_ key: RawSpan, in database: Database) throws(LMDBError) -> RawSpan? {
    let slot = try databases.slot(of: database, in: handle, for: .get)
    // Safety: the bytes are valid until the next write, which the borrow excludes.
    guard let bytes = unsafe try handle.value(of: key, in: slot) else { return nil }
    return unsafe _overrideLifetime(RawSpan(_unsafeBytes: bytes), borrowing: self)
  }

  /// The number of rows of a database, in O(1).
  public func count(of database: Database) throws(LMDBError) -> Int {
    try statistics(of: database).entries
  }

  /// The number of rows in a range, or any number greater than `bound` if there are more.
  public func count(
    of database: Database, in range: KeyRange, upTo bound: Int
  ) throws(LMDBError) -> Int {
    let slot = try databases.slot(of: database, in: handle, for: .scan)
    if let tree = try unchangedTree(of: database, in: slot) {
      return try PageCursor(tree).countRows(in: range, upTo: bound)
    }
    return try handle.countRows(in: slot, range: range, upTo: bound)
  }

  /// The number of rows in a range, or any number greater than `bound`; a closure may end the count.
  public func count(
    of database: Database, in range: KeyRange, upTo bound: Int, checking check: () throws -> Void
  ) throws -> Int {
    let slot = try databases.slot(of: database, in: handle, for: .scan)
    if let tree = try unchangedTree(of: database, in: slot) {
      return try PageCursor(tree).countRows(in: range, upTo: bound, checking: check)
    }
    return try handle.countRows(in: slot, range: range, upTo: bound, checking: check)
  }

  /// How large a database is, in O(1).
  public func statistics(of database: Database) throws(LMDBError) -> TreeStatistics {
    try handle.statistics(
      of: databases.slot(of: database, in: handle, for: .count))
  }

  /// Calls a closure with the rows of a range, a block of up to 256 at a time.
  public func forEachBlock(
    of database: Database, in range: KeyRange, direction: KeyRange.Direction, rowsInFirst: Int?,
    _ body: (borrowing RowBlock) throws -> Bool
  ) throws {
    let slot = try databases.slot(of: database, in: handle, for: .scan)
    if let tree = try unchangedTree(of: database, in: slot) {
      return try PageCursor(tree).forEachBlock(
        in: range, direction, rowsInFirst: rowsInFirst, body)
    }
    try handle.forEachBlock(
      in: slot, range: range, direction: direction, rowsInFirst: rowsInFirst, body)
  }

  /// Throws where the work of the transaction shall end.
  ///
  /// It is not called for each block of rows: blocks are read also where an index is brought up to
  /// date, which does not end halfway.
  public func checkProgress() throws { try onProgress?() }

  /// Whether ``checkProgress()`` may throw, so that what writes several rows needs a savepoint.
  public var mayEnd: Bool { onProgress != nil }

  private func unchangedTree(
    of database: Database, in slot: UInt32
  ) throws(LMDBError) -> PageTree? {
    try databases.unchangedTree(of: database, in: slot, handle, environment.core.pages)
  }
}

extension WriteTransaction {
  /// Opens a named database, and creates it when there is none.
  ///
  /// Once this transaction has committed, all later ones can use the database; when it aborts, a
  /// database that it created is void. The corresponding C function is `mdb_dbi_open`.
  /// - Throws: ``LMDBError/Code/incompatible`` when it is of an unsupported kind,
  ///   ``LMDBError/Code/databasesFull``, or what a write can throw.
  public mutating func openDatabase(named name: String) throws(LMDBError) -> Database {
    let core = environment.core
    let database: Database?
    do throws(LMDBError) {
      database = try databases.open(name, handle, creates: true)
    } catch {
      throw error.code == .mapFull ? core.failure(.openDatabase, error.code.rawValue) : error
    }
    guard let database else { throw LMDBError(.openDatabase, .notFound, name) }
    return database
  }

  /// Writes a row; false when the mode is ``PutMode/insert`` and the key exists.
  ///
  /// A key past the last one is appended without a search. The corresponding C function is
  /// `mdb_cursor_put`.
  /// - Parameters:
  ///   - value: Up to 4 GiB; one that does not fit into half a page gets pages of its own.
  ///   - key: 1 to ``Environment/maxKeyBytes`` bytes.
  ///   - database: The database.
  ///   - mode: What to do with a key that exists.
  /// - Throws: ``LMDBError/Code/badLength``, ``LMDBError/Code/mapFull``,
  ///   ``LMDBError/Code/transactionFull``.
  /// - Complexity: O(1) past the last key, else O(log *n*).
  @discardableResult
  public mutating func put(
    _ value: RawSpan, at key: RawSpan, in database: Database, mode: PutMode = .upsert
  ) throws(LMDBError) -> Bool {
    // Safety: both buffers outlive the call.
    let code = unsafe try key.withUnsafeBytes { key throws(LMDBError) in
      unsafe try value.withUnsafeBytes { value throws(LMDBError) in
        var bytes = unsafe Bytes(value)
        return unsafe try write(key, &bytes, in: database, mode)
      }
    }
    return try isWritten(code, mode)
  }

  /// Finds the value of a key as ``get(_:in:)`` does, and leaves the writer's cursor on it.
  ///
  /// A ``replace(_:at:in:)`` of the same key then needs no search, nor does a find of the next row's.
  /// Other keys in ascending order are found on the cursor's page.
  @_lifetime(borrow self)
  package func find(_ key: RawSpan, in database: Database) throws(LMDBError) -> RawSpan? {
    let slot = try databases.slot(of: database, in: handle, for: .get)
    var value = unsafe Bytes.none
    // Safety: the key outlives the call.
    let code = unsafe try key.withUnsafeBytes { key throws(LMDBError) in
      unsafe try databases.find(key, &value, in: slot, of: handle)
    }
    if code == LMDBError.Code.notFound.rawValue { return nil }
    guard code == 0 else { throw LMDBError(.get, database: code) }
    // Safety: the bytes are valid until the next write, which the borrow excludes.
    return unsafe _overrideLifetime(RawSpan(_unsafeBytes: value.buffer), borrowing: self)
  }

  /// Replaces the row that ``find(_:in:)`` has just found, without a search.
  ///
  /// If the writer's cursor is on another row, the row is found by a search and written.
  package mutating func replace(
    _ value: RawSpan, at key: RawSpan, in database: Database
  ) throws(LMDBError) {
    // Safety: both buffers outlive the call.
    let code = unsafe try key.withUnsafeBytes { key throws(LMDBError) in
      unsafe try value.withUnsafeBytes { value throws(LMDBError) in
        unsafe try writeFound(key, value, in: database)
      }
    }
    guard code == 0 else { throw environment.core.failure(.put, code) }
  }

  @inline(__always)
  private func writeFound(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, in database: Database
  ) throws(LMDBError) -> Int32 {
    let slot = try databases.slot(of: database, in: handle, for: .put)
    // Safety: both are the caller's.
    var bytes = unsafe Bytes(value)
    if let code = unsafe databases.replaceFound(key, &bytes, in: slot) { return code }
    return unsafe try write(key, &bytes, in: database, .upsert)
  }

  /// Deletes a row; false when there is none.
  ///
  /// The corresponding C function is `mdb_cursor_del`.
  /// - Complexity: O(log *n*).
  @discardableResult
  public mutating func delete(
    _ key: RawSpan, in database: Database
  ) throws(LMDBError) -> Bool {
    let slot = try databases.slot(of: database, in: handle, for: .delete)
    // Safety: the key outlives the call.
    let code = unsafe try key.withUnsafeBytes { key throws(LMDBError) in
      if let code = unsafe databases.deleteFound(key, in: slot) { return code }
      let cursor = try databases.cursor(in: slot, of: handle, for: .delete)
      let code = unsafe cursor.delete(key)
      if code == 0 { unsafe databases.noteDelete(key, in: slot) }
      return code
    }
    if code == LMDBError.Code.notFound.rawValue { return false }
    guard code == 0 else { throw environment.core.failure(.delete, code) }
    return true
  }

  /// Deletes the rows of a range; returns how many there were.
  ///
  /// - Complexity: O(log *n*) and the rows deleted; all rows go in O(pages).
  @discardableResult
  public mutating func deleteRange(
    _ range: KeyRange, in database: Database
  ) throws(LMDBError) -> Int {
    if range == .all {
      let count = try count(of: database)
      try empty(database)
      return count
    }
    let slot = try databases.slot(of: database, in: handle, for: .delete)
    let engine = try databases.cursor(in: slot, of: handle, for: .delete)
    var cursor = EngineCursor(handle: engine)
    let seeker = CursorRange(range: range, direction: .forward, order: cursor.order)
    var row = unsafe (Bytes.none, Bytes.none)
    var deleted = 0
    // Safety: the row is a local variable; its key is read before the next call moves the page.
    let code = unsafe withUnsafeMutablePointer(to: &row) { pair in
      let row = unsafe UnsafeMutableRawPointer(pair).assumingMemoryBound(to: Bytes.self)
      var code = unsafe seeker.seekStart(&cursor, row)
      while code == 0, unsafe seeker.contains(row.pointee) {
        unsafe databases.noteDelete(row.pointee.buffer, in: slot)
        code = engine.delete()
        guard code == 0 else {
          // The operation is noted, and was not made.
          databases.redo?.skip()
          return code
        }
        deleted += 1
        code = unsafe cursor.get(into: row, .next)
      }
      return code == LMDBError.Code.notFound.rawValue ? 0 : code
    }
    guard code == 0 else { throw environment.core.failure(.delete, code) }
    return deleted
  }

  /// Deletes all rows of a database, which itself remains.
  ///
  /// The corresponding C function is `mdb_drop`.
  /// - Complexity: O(pages).
  public mutating func empty(_ database: Database) throws(LMDBError) {
    let slot = try databases.slot(of: database, in: handle, for: .empty)
    databases.closeCursor(in: slot)
    let code = handle.empty(slot)
    guard code == 0 else { throw environment.core.failure(.empty, code) }
    databases.noteEmpty(slot)
  }

  @inline(__always)
  private func write(
    _ key: UnsafeRawBufferPointer, _ value: inout Bytes, in database: Database, _ mode: PutMode
  ) throws(LMDBError) -> Int32 {
    let slot = try databases.slot(of: database, in: handle, for: .put)
    let cursor = try databases.cursor(in: slot, of: handle, for: .put)
    var run = WriterDatabases.AscendingRun(databases, slot, cursor)
    defer { run.finish() }
    // Safety: key and value are the caller's, which outlive the call.
    return unsafe run.put(key, &value, mode)
  }

  private func isWritten(_ code: Int32, _ mode: PutMode) throws(LMDBError) -> Bool {
    if code == 0 { return true }
    if code == LMDBError.Code.keyExists.rawValue, mode == .insert { return false }
    throw environment.core.failure(.put, code)
  }
}

extension CursorHandle {
  /// Deletes the row of a key; `notFound` when there is none.
  @inline(__always)
  func delete(_ key: UnsafeRawBufferPointer) -> Int32 {
    // Safety: the key is the caller's.
    var (bytes, value) = unsafe (Bytes(key), Bytes.none)
    let code = unsafe get(&bytes, &value, .to)
    return code == 0 ? delete() : code
  }
}

extension WriteTransaction {
  /// A nested transaction, which aborts when the value is destroyed without a commit.
  ///
  /// Until it has ended, nothing can be done in this one: the C library answers
  /// ``LMDBError/Code/badTransaction``. One that cannot begin leaves this one unchanged. Its commit
  /// throws ``LMDBError/Code/transactionFull`` where the two together change more pages than the C
  /// library holds at a time. The corresponding C function is `mdb_txn_begin` with a parent.
  package mutating func beginNested() throws(LMDBError) -> WriteTransaction {
    try environment.core.checkUsable(for: .beginWrite)
    // The outer transaction's cursors cannot be used while the inner one is open.
    databases.closeCursors()
    let (begun, code) = environment.core.handle.begin(parent: handle, isReadOnly: false)
    guard let begun else { throw environment.core.failure(.beginWrite, code) }
    databases.begin()
    return WriteTransaction(
      environment, begun, depth: databases.depth, onProgress: onProgress)
  }
}

extension WriteTransaction {
  /// What a put does with a key that exists.
  public enum PutMode: Sendable {
    /// Writes the row whether or not the key exists.
    case upsert
    /// Writes only when the key does not exist; the C constant is `MDB_NOOVERWRITE`.
    case insert
  }
}

extension WriteTransaction {
  /// One change of a sorted batch: a row to write, or a key to delete.
  @unsafe package struct SortedChange {
    /// The address of the key.
    package var keyStart: UnsafeRawPointer
    /// The number of bytes of the key.
    package var keyCount: Int
    /// The address of the value; nil for an empty one.
    package var valueStart: UnsafeRawPointer?
    /// The number of bytes of the value.
    package var valueCount: Int
    /// Whether the row of the key is deleted.
    package var isDelete: Bool

    /// A change whose bytes must outlive the batch.
    package init(
      keyStart: UnsafeRawPointer, keyCount: Int, valueStart: UnsafeRawPointer?, valueCount: Int,
      isDelete: Bool
    ) {
      unsafe self.keyStart = keyStart
      unsafe self.keyCount = keyCount
      unsafe self.valueStart = valueStart
      unsafe self.valueCount = valueCount
      unsafe self.isDelete = isDelete
    }
  }
}

extension WriteTransaction {
  /// Makes many changes of one database in one call; inserting, up to the first key that exists.
  ///
  /// If the changes are in the order of keys, each page is changed once. Keys after the last one
  /// are appended, and pages are filled where many keys are between two rows; deleting a missing
  /// key does nothing.
  /// - Parameters:
  ///   - changes: The changes, ascending by key; another order works, but is slower.
  ///   - database: The database.
  ///   - mode: What to do with a key that exists.
  /// - Returns: The index of the first row whose key exists, up to which all are written, when the mode
  ///   is ``PutMode/insert``; nil if all changes are made.
  /// - Throws: As a put does; the changes before the failing one have been made.
  /// - Complexity: O(*m* + log *n*) for *m* neighbouring changes.
  package mutating func apply(
    _ changes: UnsafeBufferPointer<SortedChange>, to database: Database, mode: PutMode = .upsert
  ) throws(LMDBError) -> Int? {
    let slot = try databases.slot(of: database, in: handle, for: .apply)
    let cursor = try databases.cursor(in: slot, of: handle, for: .apply)
    var batch = SortedBatch(databases, slot, cursor, in: environment.core.handle)
    var (index, code) = (0, Int32(0))
    while index < changes.count {
      // Safety: the bytes outlive the batch, as the caller has promised.
      code = unsafe batch.make(index, of: changes, mode)
      guard code == 0 else { break }
      index += 1
    }
    // Also after a change that failed, because those before it have been made and no others.
    let finished = batch.finish()
    let isStopped = code == LMDBError.Code.keyExists.rawValue && mode == .insert
    // A map that is full is to be told, whatever was wrong before.
    let isFull = finished == LMDBError.Code.mapFull.rawValue
    let failure = isStopped || isFull || code == 0 ? finished : code
    guard failure == 0 else { throw environment.core.failure(.apply, failure) }
    return isStopped ? index : nil
  }
}
