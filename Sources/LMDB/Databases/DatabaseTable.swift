internal import Synchronization

/// The databases of an environment that are open in this process.
///
/// The C library opens a tree once and gives it a slot, which it uses again when the
/// transaction that made the tree aborts. So each opening gets a serial number of ours as well,
/// and a database whose number is no longer its slot's is void.
///
/// Threads: any. It is `@unchecked` because of the pointer, whose elements are atomic.
@safe final class DatabaseTable: @unchecked Sendable {
  private struct Entry {
    let database: Database
    let options: Database.Options
  }

  private static let lastSerial = Atomic<UInt32>(0)

  /// The serial number of the opening that each slot holds; 0 stands for none.
  private let serials: UnsafeMutablePointer<Atomic<UInt32>>
  private let slotCount: Int
  private let entries = Monitor<[String: Entry]>([:])

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
  func publish(_ database: Database, named name: String, options: Database.Options) {
    entries.withLock { $0[name] = Entry(database: database, options: options) }
  }

  /// A database that is open already.
  func known(
    named name: String, options: Database.Options
  ) throws(LMDBError) -> Database? {
    guard let entry = entries.withLock({ $0[name] }) else { return nil }
    guard entry.options == options else { throw LMDBError(.openDatabase, .incompatible, name) }
    return entry.database
  }

  /// The slots of all databases that are open to every transaction.
  var knownSlots: [UInt32] { entries.withLock { $0.values.map(\.database.slot) } }

  /// Opens all trees of a file that was just opened.
  func openExisting(in environment: EnvironmentHandle) throws(LMDBError) {
    let (begun, code) = environment.begin(isReadOnly: true)
    guard let transaction = begun else { throw LMDBError(.open, code) }
    // This sets the order of names, which the C library leaves to the first who asks.
    _ = transaction.openDatabase(nil, flags: 0)
    var opened: [(String, Database, Database.Options)] = []
    do {
      for name in try transaction.databaseNames() {
        let (slot, code) = transaction.openDatabase(name, flags: 0)
        // A plain row of another program, or more trees than there is room for: not opened.
        guard code == 0 else { continue }
        let flags = transaction.flags(of: slot).flags
        opened.append((name, register(slot: slot), Database.Options(rawValue: flags)))
      }
    } catch {
      transaction.abort()
      throw LMDBError(.open, .corrupted)
    }
    // Only a commit keeps what a transaction opened.
    let committed = transaction.commit()
    guard committed == 0 else { throw LMDBError(.open, committed) }
    for (name, database, options) in opened { publish(database, named: name, options: options) }
  }
}

extension TransactionHandle {
  /// The keys of the tree of names.
  fileprivate func databaseNames() throws -> [String] {
    var names: [String] = []
    try forEachBlock(in: Self.namesSlot, range: .all, direction: .forward) { block in
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
