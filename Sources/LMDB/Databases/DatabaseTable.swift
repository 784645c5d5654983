internal import Synchronization

/// The databases of an environment that are open in this process.
///
/// The C library opens a tree once and gives it a slot, which it uses again when the
/// transaction that made the tree aborts. So each opening gets a serial number of ours as well,
/// and a database whose number is no longer its slot's is void.
///
/// A transaction can use only what was open when it began, and two that live at the same time
/// must not both open trees. So whoever begins and sees trees that another process has made opens
/// all of them, ends, and begins again; no transaction is handed out before it knows every tree
/// that it sees. While a writer of this process is at work no other process commits, so that nobody
/// has anything to open beside it.
///
/// Threads: any. It is `@unchecked` because of the pointer, whose elements are atomic.
@safe final class DatabaseTable: @unchecked Sendable {
  private struct Entry {
    let database: Database
    /// How the keys are ordered; nil for a tree of a kind that is not offered.
    let order: Database.KeyOrder?
  }

  private struct State {
    var entries: [String: Entry] = [:]
    /// Why names that were seen could not be opened.
    var refusals: [String: LMDBError.Code] = [:]
    /// Whether a write transaction is at work, which may open trees of its own.
    var isWriting = false
  }

  private static let lastSerial = Atomic<UInt32>(0)

  /// The serial number of the opening that each slot holds; 0 stands for none.
  private let serials: UnsafeMutablePointer<Atomic<UInt32>>
  private let slotCount: Int
  private let state = Monitor(State())
  /// How many names the file had when all of them were looked at; only another program removes any.
  private let countOfKnown = Atomic(-1)

  init(capacity: Int) {
    // The C library keeps two trees of its own before the first.
    slotCount = capacity + 2
    // Safety: every element is initialised here and lives until deinit.
    unsafe serials = .allocate(capacity: slotCount)
    for slot in 0..<slotCount { unsafe (serials + slot).initialize(to: Atomic(0)) }
  }

  deinit {
    // Safety: allocated and initialised with this count.
    unsafe serials.deinitialize(count: slotCount)
    unsafe serials.deallocate()
  }

  /// The slot of a database, when it is an open one of this environment.
  @inline(__always)
  func slot(
    of database: Database, for operation: LMDBError.Operation
  ) throws(LMDBError) -> UInt32 {
    // Safety: the index is checked first.
    guard database.slot < slotCount,
      unsafe serials[Int(database.slot)].load(ordering: .relaxed) == database.serial
    else { throw LMDBError(operation, .badDatabase) }
    return database.slot
  }

  /// Notes that a slot now holds a tree.
  func register(slot: UInt32) -> Database {
    let serial = Self.lastSerial.wrappingAdd(1, ordering: .relaxed).newValue
    // Safety: the C library gives no slot past the capacity it was told.
    unsafe serials[Int(slot)].store(serial, ordering: .relaxed)
    return Database(slot: slot, serial: serial)
  }

  /// Notes that a slot holds nothing any more.
  func forget(_ database: Database) {
    // Safety: the database was registered here.
    unsafe serials[Int(database.slot)].store(0, ordering: .relaxed)
  }

  /// Makes an opened database known to all later transactions.
  func publish(_ database: Database, named name: String, order: Database.KeyOrder?) {
    state.withLock { $0.entries[name] = Entry(database: database, order: order) }
  }

  /// A database that is open already.
  func known(
    named name: String, order: Database.KeyOrder
  ) throws(LMDBError) -> Database? {
    guard let entry = state.withLock({ $0.entries[name] }) else { return nil }
    guard entry.order == order else { throw LMDBError(.openDatabase, .incompatible, name) }
    return entry.database
  }

  /// Why a transaction that sees a name cannot use it.
  func refusal(of name: String) -> LMDBError.Code {
    if let code = state.withLock({ $0.refusals[name] }) { return code }
    // Another program has removed a tree and made this one: the next transaction looks again.
    countOfKnown.store(-1, ordering: .releasing)
    return .snapshotTooOld
  }

  /// The slots of all databases that are open to every transaction.
  var knownSlots: [UInt32] { state.withLock { $0.entries.values.map(\.database.slot) } }

  /// How many names are known; to be asked before a transaction begins that is to be admitted.
  var knownCount: Int { countOfKnown.load(ordering: .acquiring) }
}

// What is open when a transaction begins.
extension DatabaseTable {
  /// Whether a reader may be handed out: it knows all trees that it sees.
  ///
  /// - Parameter count: What was known before it began.
  func admits(_ reader: TransactionHandle, knowing count: Int) throws(LMDBError) -> Bool {
    try reader.countOrThrow(of: TransactionHandle.namesSlot) <= count
  }

  /// Opens the trees that a reader sees and this process does not know, and ends the reader.
  ///
  /// A commit of this process, whose trees are just being made known, is waited for.
  func open(for reader: TransactionHandle, within timeout: Duration) throws(LMDBError) {
    let opened: Result<Void, LMDBError>? = state.withLock(
      when: { !$0.isWriting }, before: Deadline(after: timeout)
    ) { state in
      Result { () throws(LMDBError) in
        guard try !admits(reader, knowing: knownCount) else { return reader.abort() }
        try openAll(in: reader, &state)
      }
    }
    guard let opened else {
      reader.abort()
      throw LMDBError(.beginRead, .busy)
    }
    try opened.get()
  }

  /// Whether a writer may be handed out; if not it has ended, and another one is to begin.
  ///
  /// - Parameter count: What was known before it began.
  func admitWriter(
    _ writer: TransactionHandle, knowing count: Int
  ) throws(LMDBError) -> Bool {
    try state.withLock { state throws(LMDBError) in
      guard knownCount == count else {
        // A reader has opened trees since, in slots that this writer takes for free ones.
        writer.abort()
        return false
      }
      let names: Int
      do throws(LMDBError) {
        names = try writer.countOrThrow(of: TransactionHandle.namesSlot)
      } catch {
        writer.abort()
        throw error
      }
      guard names <= count else {
        try openAll(in: writer, &state)
        return false
      }
      state.isWriting = true
      return true
    }
  }

  /// Notes that the writer has ended.
  ///
  /// - Parameter count: How many names its commit has left; nil when there are none that it made.
  func endWriting(leaving count: Int?) {
    state.withLock { state in
      if let count { countOfKnown.store(count, ordering: .releasing) }
      state.isWriting = false
    }
  }

  /// Opens all trees that a transaction sees, and ends it; nobody else may open any meanwhile.
  private func openAll(
    in transaction: TransactionHandle, _ state: inout State
  ) throws(LMDBError) {
    var opened: [(name: String, slot: UInt32, order: Database.KeyOrder?)] = []
    var refusals: [String: LMDBError.Code] = [:]
    let count: Int
    do {
      count = try transaction.countOrThrow(of: TransactionHandle.namesSlot)
      // This sets the order of names, which the C library leaves to the first who asks.
      try transaction.openNames()
      for name in try transaction.databaseNames() where state.entries[name] == nil {
        do throws(LMDBError) {
          let (slot, order) = try transaction.openVerified(name, flags: 0)
          opened.append((name, slot, order))
        } catch {
          // Whoever asks for the database will be told; others need not be kept out.
          guard [.incompatible, .databasesFull].contains(error.code) else { throw error }
          refusals[name] = error.code
        }
      }
    } catch {
      transaction.abort()
      throw (error as? LMDBError) ?? LMDBError(.open, .corrupted)
    }
    // Only a commit keeps what a transaction opened.
    let code = transaction.commit()
    guard code == 0 else { throw LMDBError(.open, code) }
    for (name, slot, order) in opened {
      state.entries[name] = Entry(database: register(slot: slot), order: order)
    }
    state.refusals = refusals
    countOfKnown.store(count, ordering: .releasing)
  }
}

extension TransactionHandle {
  /// Opens the tree of names.
  fileprivate func openNames() throws(LMDBError) {
    let code = openDatabase(nil, flags: 0).code
    guard code == 0 else { throw LMDBError(.open, code) }
  }

  /// Opens or creates a tree, and tells how it orders its keys; nil when that is not offered.
  func openVerified(
    _ name: String, flags: UInt32
  ) throws(LMDBError) -> (slot: UInt32, order: Database.KeyOrder?) {
    let (slot, code) = openDatabase(name, flags: flags)
    guard code == 0 else { throw LMDBError(.openDatabase, code, name) }
    let (found, flagsCode) = self.flags(of: slot)
    guard flagsCode == 0 else { throw LMDBError(.openDatabase, flagsCode, name) }
    return (slot, Database.KeyOrder(flags: found))
  }

  /// The keys of the tree of names.
  func databaseNames() throws -> [String] {
    var names: [String] = []
    try forEachBlock(in: Self.namesSlot, range: .all, direction: .forward, pageBytes: 0) { block in
      for index in 0..<block.count {
        let key = block.key(at: index)
        // Safety: the bytes are copied at once.
        let name = unsafe key.withUnsafeBytes { unsafe String(validating: $0, as: UTF8.self) }
        if let name, !name.utf8.contains(0) { names.append(name) }
      }
      return true
    }
    return names
  }
}
