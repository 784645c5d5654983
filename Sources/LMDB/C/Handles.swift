internal import CLMDB
internal import CroftLibc

// All calls of liblmdb are in this file, so that a debug build can make the Nth one fail; those of the
// file system are in FileCalls.swift.
// The three handles are `@safe` because their pointers are private to this file, and their owners (the
// environment's core, the transactions and the cursors) keep the C objects open while they have
// the handles. A function returns the C library's code; the callers turn codes into errors.

/// Makes one C call, unless a fault plan of a debug build makes it fail.
@inline(__always)
private func call(in function: StaticString = #function, _ body: () -> Int32) -> Int32 {
  #if DEBUG || CROFT_SWARM
    if let code = FaultPlan.failure(in: function) { return code }
  #endif
  return body()
}

/// A key or a value that is passed to or from the C library.
typealias Bytes = MDB_val

extension MDB_val {
  /// The bytes of a buffer, which must outlive the call that takes them.
  @inline(__always)
  init(_ buffer: UnsafeRawBufferPointer) {
    unsafe self.init(
      mv_size: buffer.count, mv_data: UnsafeMutableRawPointer(mutating: buffer.baseAddress))
  }

  /// No bytes, for the C library to replace.
  @inline(__always)
  static var none: Bytes { unsafe Bytes(mv_size: 0, mv_data: nil) }

  /// The bytes, valid as long as their page.
  @inline(__always)
  var buffer: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: mv_data, count: mv_size)
  }
}

/// An environment of the C library, from its creation to its closing.
@safe struct EnvironmentHandle: @unchecked Sendable {
  // Never changes; the C library locks the environment that it points to.
  fileprivate let pointer: OpaquePointer

  /// The corresponding C function is `mdb_env_create`.
  static func create() -> (handle: EnvironmentHandle?, code: Int32) {
    var pointer: OpaquePointer?
    // Safety: the out parameter is a local variable.
    let code = call { unsafe mdb_env_create(&pointer) }
    guard let pointer = unsafe pointer else { return (nil, code) }
    return (unsafe EnvironmentHandle(pointer: pointer), code)
  }

  /// The corresponding C function is `mdb_env_open`.
  func open(_ path: String, flags: Int32, mode: UInt16) -> Int32 {
    // Safety: the C library copies the path.
    call { unsafe mdb_env_open(pointer, path, UInt32(flags), mode_t(mode)) }
  }

  /// The corresponding C function is `mdb_env_close`.
  func close() {
    // Safety: the owner closes once, when no transaction is left.
    unsafe mdb_env_close(pointer)
  }

  /// The corresponding C function is `mdb_env_set_mapsize`.
  func setMapSize(_ bytes: Int) -> Int32 {
    // Safety: before opening, or while this process has no transaction.
    call { unsafe mdb_env_set_mapsize(pointer, bytes) }
  }

  /// The corresponding C function is `mdb_env_set_maxreaders`.
  func setMaxReaders(_ count: UInt32) -> Int32 {
    // Safety: called before opening.
    call { unsafe mdb_env_set_maxreaders(pointer, count) }
  }

  /// Whether commits wait until they are on the disk; the corresponding C function is `mdb_env_set_flags`.
  func setSynchronizesCommits(_ synchronizes: Bool) {
    // Safety: only the writer reads the flag, and the caller holds its lock.
    _ = unsafe mdb_env_set_flags(pointer, UInt32(MDB_NOSYNC), synchronizes ? 0 : 1)
  }

  /// Waits until all commits are on the disk; the corresponding C function is `mdb_env_sync`.
  func synchronize() -> Int32 {
    // Safety: the environment is open.
    call { unsafe mdb_env_sync(pointer, 1) }
  }

  /// The number of reader slots; the corresponding C function is `mdb_env_get_maxreaders`.
  var maxReaders: Int {
    var count: UInt32 = 0
    // Safety: the out parameter is a local variable.
    _ = unsafe mdb_env_get_maxreaders(pointer, &count)
    return Int(count)
  }

  /// The corresponding C function is `mdb_env_set_maxdbs`.
  func setMaxDatabases(_ count: UInt32) -> Int32 {
    // Safety: called before opening.
    call { unsafe mdb_env_set_maxdbs(pointer, count) }
  }

  /// The corresponding C function is `mdb_env_get_maxkeysize`.
  var maxKeyBytes: Int {
    // Safety: a getter.
    Int(unsafe mdb_env_get_maxkeysize(pointer))
  }

  /// The corresponding C function is `mdb_env_info`, which cannot fail here.
  private var info: MDB_envinfo {
    var info = unsafe MDB_envinfo()
    // Safety: the out parameter is a local variable.
    _ = unsafe mdb_env_info(pointer, &info)
    return unsafe info
  }

  /// The sizes of the map, and of the pages up to the last one.
  var usage: (mapBytes: Int, usedBytes: Int) {
    let info = unsafe self.info
    return unsafe (info.me_mapsize, (info.me_last_pgno + 1) * pageBytes)
  }

  /// The size of a page; the corresponding C function is `mdb_env_stat`, which cannot fail here.
  var pageBytes: Int {
    var stat = MDB_stat()
    // Safety: the out parameter is a local variable.
    _ = unsafe mdb_env_stat(pointer, &stat)
    return Int(stat.ms_psize)
  }

  /// The number of the last commit.
  var lastTransaction: Int { unsafe info.me_last_txnid }

  /// The descriptor of the data file; the corresponding C function is `mdb_env_get_fd`.
  var descriptor: Int32 {
    var descriptor: Int32 = -1
    // Safety: the out parameter is a local variable; the environment is open.
    _ = unsafe mdb_env_get_fd(pointer, &descriptor)
    return descriptor
  }

  /// Writes a copy of the last commit; the corresponding C function is `mdb_env_copyfd2`.
  func copy(to descriptor: Int32, isCompacting: Bool) -> Int32 {
    // Safety: the caller keeps the descriptor open, and the map in place.
    call {
      unsafe mdb_env_copyfd2(pointer, descriptor, isCompacting ? UInt32(MDB_CP_COMPACT) : 0)
    }
  }

  /// The lock table's readers, a line each; the corresponding C function is `mdb_reader_list`.
  func readerLines() -> (lines: [String], code: Int32) {
    var lines: [String] = []
    // Safety: the callback runs during the call only, and gets the pointer that is passed here.
    let code = unsafe withUnsafeMutablePointer(to: &lines) { lines in
      call {
        unsafe mdb_reader_list(
          pointer,
          { line, lines in
            if let line = unsafe line {
              unsafe lines?.assumingMemoryBound(to: [String].self).pointee
                .append(String(cString: line))
            }
            return 0
          }, lines)
      }
    }
    return (lines, code)
  }

  /// The corresponding C function is `mdb_reader_check`.
  func clearStaleReaders() -> (count: Int, code: Int32) {
    var dead: Int32 = 0
    // Safety: the out parameter is a local variable.
    let code = call { unsafe mdb_reader_check(pointer, &dead) }
    return (Int(dead), code)
  }

  /// The corresponding C function is `mdb_txn_begin`.
  func begin(
    parent: TransactionHandle? = nil, isReadOnly: Bool
  ) -> (handle: TransactionHandle?, code: Int32) {
    var child: OpaquePointer?
    // Safety: the out parameter is a local variable; a parent is alive while its child begins.
    let code = call {
      unsafe mdb_txn_begin(
        pointer, parent?.pointer, isReadOnly ? UInt32(MDB_RDONLY) : 0, &child)
    }
    guard let child = unsafe child else { return (nil, code) }
    return (unsafe TransactionHandle(pointer: child), code)
  }
}

/// A transaction of the C library.
@safe struct TransactionHandle: @unchecked Sendable {
  // Never changes. The transaction types decide which thread may use it.
  fileprivate let pointer: OpaquePointer

  /// The corresponding C function is `mdb_txn_commit`, which frees the transaction in any case.
  func commit() -> Int32 {
    #if DEBUG || CROFT_SWARM
      if let code = FaultPlan.failure(in: #function) {
        abort()
        return code
      }
    #endif
    // Safety: the owner ends its transaction once.
    return unsafe mdb_txn_commit(pointer)
  }

  /// The corresponding C function is `mdb_txn_abort`.
  func abort() {
    // Safety: the owner ends its transaction once.
    unsafe mdb_txn_abort(pointer)
  }

  /// The corresponding C function is `mdb_txn_reset`.
  func reset() {
    // Safety: a read transaction that has ended.
    unsafe mdb_txn_reset(pointer)
  }

  /// The corresponding C function is `mdb_txn_renew`.
  func renew() -> Int32 {
    // Safety: a read transaction that was reset.
    call { unsafe mdb_txn_renew(pointer) }
  }

  /// The corresponding C function is `mdb_txn_id`.
  var id: Int {
    // Safety: a getter.
    Int(unsafe mdb_txn_id(pointer))
  }

  /// The corresponding C function is `mdb_dbi_open`; without a name it opens the tree of names.
  func openDatabase(_ name: String?, flags: UInt32) -> (slot: UInt32, code: Int32) {
    var slot: UInt32 = 0
    // Safety: the C library copies the name; the out parameter is a local variable.
    let code = call { unsafe mdb_dbi_open(pointer, name, flags, &slot) }
    return (slot, code)
  }

  /// The corresponding C function is `mdb_dbi_flags`.
  func flags(of slot: UInt32) -> (flags: UInt32, code: Int32) {
    var flags: UInt32 = 0
    // Safety: the out parameter is a local variable.
    let code = call { unsafe mdb_dbi_flags(pointer, slot, &flags) }
    return (flags, code)
  }

  /// The size of a database; the corresponding C function is `mdb_stat`.
  func statistics(of slot: UInt32) throws(LMDBError) -> TreeStatistics {
    var stat = MDB_stat()
    // Safety: the out parameter is a local variable.
    let code = call { unsafe mdb_stat(pointer, slot, &stat) }
    guard code == 0 else { throw LMDBError(.count, database: code) }
    return TreeStatistics(
      entries: stat.ms_entries, depth: Int(stat.ms_depth), branchPages: stat.ms_branch_pages,
      leafPages: stat.ms_leaf_pages, overflowPages: stat.ms_overflow_pages,
      pageBytes: Int(stat.ms_psize))
  }

  /// The corresponding C function is `mdb_get`.
  @inline(__always)
  func get(_ key: inout Bytes, _ value: inout Bytes, in slot: UInt32) -> Int32 {
    // Safety: key and value are the caller's variables.
    call { unsafe mdb_get(pointer, slot, &key, &value) }
  }

  /// The corresponding C function is `mdb_drop` without deletion of the tree itself.
  func empty(_ slot: UInt32) -> Int32 {
    // Safety: the caller has closed or will reposition its cursors.
    call { unsafe mdb_drop(pointer, slot, 0) }
  }

  /// The corresponding C function is `mdb_cursor_open`.
  func openCursor(in slot: UInt32) -> (handle: CursorHandle?, code: Int32) {
    var cursor: OpaquePointer?
    // Safety: the out parameter is a local variable.
    let code = call { unsafe mdb_cursor_open(pointer, slot, &cursor) }
    guard let cursor = unsafe cursor else { return (nil, code) }
    return (unsafe CursorHandle(pointer: cursor), code)
  }
}

/// A cursor of the C library.
@safe struct CursorHandle {
  // Never changes; the owner closes it before its transaction ends.
  fileprivate let pointer: OpaquePointer

  /// The corresponding C function is `mdb_cursor_close`.
  func close() {
    // Safety: the owner closes once, before the transaction ends.
    unsafe mdb_cursor_close(pointer)
  }

  /// The corresponding C function is `mdb_cursor_get`.
  @inline(__always)
  func get(_ key: inout Bytes, _ value: inout Bytes, _ move: Move) -> Int32 {
    // Safety: key and value are the caller's variables.
    call { unsafe mdb_cursor_get(pointer, &key, &value, move.operation) }
  }

  /// The corresponding C function is `mdb_cursor_get`, which writes the row to the caller's memory.
  @inline(__always)
  func get(into row: UnsafeMutablePointer<Bytes>, _ move: Move) -> Int32 {
    // Safety: the caller's memory holds a key and, after it, a value.
    call { unsafe mdb_cursor_get(pointer, row, row + 1, move.operation) }
  }

  /// The corresponding C function is `mdb_cursor_put`.
  @inline(__always)
  func put(_ key: inout Bytes, _ value: inout Bytes, _ flags: UInt32) -> Int32 {
    // Safety: the C library copies both.
    call { unsafe mdb_cursor_put(pointer, &key, &value, flags) }
  }

  /// The corresponding C function is `mdb_cursor_del`.
  @inline(__always)
  func delete() -> Int32 {
    // Safety: when the cursor is on no row, the C library returns an error.
    call { unsafe mdb_cursor_del(pointer, 0) }
  }

  /// The move of a cursor; the corresponding C type is `MDB_cursor_op`.
  enum Move {
    case first, last, next, previous, to, atOrAfter, current

    @inline(__always)
    fileprivate var operation: MDB_cursor_op {
      switch self {
      case .first: MDB_FIRST
      case .last: MDB_LAST
      case .next: MDB_NEXT
      case .previous: MDB_PREV
      case .to: MDB_SET_KEY
      case .atOrAfter: MDB_SET_RANGE
      case .current: MDB_GET_CURRENT
      }
    }
  }
}

/// The C library's sentence for a code; the corresponding C function is `mdb_strerror`.
func sentence(for code: Int32) -> String {
  // Safety: the C library returns a static string, or one of the system's.
  unsafe String(cString: mdb_strerror(code))
}

// The calls that open an environment, whose codes are turned into errors.
extension EnvironmentHandle {
  /// Opens a C environment; the map is halved until the address space suffices.
  static func open(
    _ path: String, _ options: Environment.Options, isWithoutLockTable: Bool = false
  ) throws(LMDBError) -> EnvironmentHandle {
    let leastBytes = 1 << 20
    var mapBytes = EnvironmentCore.wholePages(options.mapSizeBytes)
    while true {
      do throws(LMDBError) {
        let flags = options.flags | (isWithoutLockTable ? Self.withoutLockTable : 0)
        return try open(path, options, flags, mapBytes: mapBytes)
      } catch {
        // Linux says ENOMEM where it has not so much address space, and Valgrind says EINVAL.
        let isTooLarge = [.outOfMemory, LMDBError.Code(rawValue: EINVAL)].contains(error.code)
        guard isTooLarge, mapBytes / 2 >= leastBytes else { throw error }
        mapBytes = EnvironmentCore.wholePages(mapBytes / 2)
      }
    }
  }

  private static func open(
    _ path: String, _ options: Environment.Options, _ flags: Int32, mapBytes: Int
  ) throws(LMDBError) -> EnvironmentHandle {
    let (created, code) = create()
    guard let handle = created else { throw LMDBError(.open, code, path) }
    let steps = [
      { handle.setMapSize(mapBytes) },
      { handle.setMaxReaders(UInt32(options.maxReaders)) },
      { handle.setMaxDatabases(UInt32(options.maxDatabases)) },
      { handle.open(path, flags: flags, mode: options.fileMode) },
    ]
    for step in steps {
      let code = step()
      guard code == 0 else {
        handle.close()
        throw LMDBError(.open, code, path)
      }
    }
    return handle
  }

  /// Opens a file for reading without its lock table, while no process writes to it.
  static func openAlone(
    _ file: DataFile, _ options: Environment.Options
  ) throws(LMDBError) -> EnvironmentHandle {
    var options = options
    options.isReadOnly = true
    options.mapSizeBytes = max(try file.size, 1 << 20)
    return try open(file.realPath, options, isWithoutLockTable: true)
  }
}

// Calls of a transaction whose codes are turned into errors.
extension TransactionHandle {
  /// The slot of the tree of names.
  static let namesSlot: UInt32 = 1

  /// The value of a key; nil when there is no such key.
  @inline(__always)
  func value(
    of key: RawSpan, in slot: UInt32
  ) throws(LMDBError) -> UnsafeRawBufferPointer? {
    var value = unsafe Bytes.none
    // Safety: the key's bytes outlive the call.
    let code = unsafe key.withUnsafeBytes { buffer in
      var key = unsafe Bytes(buffer)
      return unsafe get(&key, &value, in: slot)
    }
    if code == 0 { return unsafe value.buffer }
    if code == LMDBError.Code.notFound.rawValue { return nil }
    throw LMDBError(.get, database: code)
  }

  /// Whether the transaction sees a database of a name.
  func hasDatabase(named name: String) throws(LMDBError) -> Bool {
    try unsafe value(of: name.utf8Span.span.bytes, in: Self.namesSlot) != nil
  }

  /// Opens or creates a tree of the supported kind.
  func openSupportedTree(named name: String, flags: UInt32) throws(LMDBError) -> UInt32 {
    let (slot, openCode) = openDatabase(name, flags: flags)
    guard openCode == 0 else { throw LMDBError(.openDatabase, openCode, name) }
    let (found, code) = self.flags(of: slot)
    guard code == 0 else { throw LMDBError(.openDatabase, code, name) }
    guard found == 0 else { throw LMDBError(.openDatabase, .incompatible, name) }
    return slot
  }
}

extension LMDBError {
  /// An error with a code of the C library.
  init(_ operation: Operation, _ code: Int32, _ detail: String = "") {
    self.init(operation, Code(rawValue: code), detail)
  }

  /// An error of a call with a database, the only argument that can be invalid.
  init(_ operation: Operation, database code: Int32) {
    self.init(
      operation, code == Code.invalidArgument.rawValue ? .badDatabase : Code(rawValue: code))
  }
}
