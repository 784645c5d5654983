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
  /// For how many trees there is room.
  let capacity: Int
  private let entries = Monitor<[String: Entry]>([:])
  /// The name and the order of the tree that each slot holds.
  private let trees = Monitor<[UInt32: Tree]>([:])

  /// What stands in the file of the tree that a slot holds.
  struct Tree {
    let name: [UInt8]
    let order: KeyComparison
  }

  init(capacity: Int) {
    // The C library keeps two trees of its own before the first.
    slotCount = capacity + 2
    self.capacity = capacity
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
  func register(slot: UInt32, named name: String, options: Database.Options) -> Database {
    trees.withLock { $0[slot] = Tree(name: Array(name.utf8), order: KeyComparison(options)) }
    let serial = Self.lastSerial.wrappingAdd(1, ordering: .relaxed).newValue
    // Safety: the C library gives no slot past the capacity it was told.
    unsafe serials[Int(slot)].store(serial, ordering: .relaxed)
    return Database(slot: slot, serial: serial)
  }

  /// The tree that a slot holds.
  func tree(in slot: UInt32) -> Tree? { trees.withLock { $0[slot] } }

  /// How the tree in a slot orders its keys.
  func order(of slot: UInt32) -> KeyComparison { tree(in: slot)?.order ?? .plain }

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

  /// What an error says of something for which there is no room.
  func fullDetail(_ name: String) -> String {
    "\(name); it is open in this process with room for \(capacity)"
  }

  /// Opens all trees of a file that was just opened.
  func openExisting(in environment: EnvironmentHandle) throws(LMDBError) {
    let (begun, code) = environment.begin(isReadOnly: true)
    guard let transaction = begun else { throw LMDBError(.open, code) }
    var opened: [(String, Database, Database.Options)] = []
    do {
      // This sets the order of names, which the C library leaves to the first who asks.
      try transaction.openNames()
      for name in try transaction.databaseNames() {
        guard let (slot, options) = try transaction.openExisting(name) else { continue }
        opened.append((name, register(slot: slot, named: name, options: options), options))
      }
    } catch {
      transaction.abort()
      throw (error as? LMDBError) ?? LMDBError(.open, .corrupted)
    }
    // Only a commit keeps what a transaction opened.
    let committed = transaction.commit()
    guard committed == 0 else { throw LMDBError(.open, committed) }
    for (name, database, options) in opened { publish(database, named: name, options: options) }
  }
}

extension TransactionHandle {
  /// Opens the tree of names.
  fileprivate func openNames() throws(LMDBError) {
    let code = openDatabase(nil, flags: 0).code
    guard code == 0 else { throw LMDBError(.open, code) }
  }

  /// Opens a tree that exists; nil when there is no room for it, or the name is a plain row's.
  fileprivate func openExisting(
    _ name: String
  ) throws(LMDBError) -> (slot: UInt32, options: Database.Options)? {
    do throws(LMDBError) {
      return try openVerified(name, flags: 0)
    } catch {
      // Whoever asks for the database will be told; others need not be kept out.
      guard [.incompatible, .databasesFull].contains(error.code) else { throw error }
      return nil
    }
  }

  /// Opens or creates a tree, and tells how it orders its keys.
  func openVerified(
    _ name: String, flags: UInt32
  ) throws(LMDBError) -> (slot: UInt32, options: Database.Options) {
    let (slot, code) = openDatabase(name, flags: flags)
    guard code == 0 else { throw LMDBError(.openDatabase, code, name) }
    let (found, flagsCode) = self.flags(of: slot)
    guard flagsCode == 0 else { throw LMDBError(.openDatabase, flagsCode, name) }
    return (slot, Database.Options(rawValue: found))
  }

  /// The keys of the tree of names.
  func databaseNames() throws -> [String] {
    var names: [String] = []
    try forEachBlock(in: Self.namesSlot, range: .all, direction: .forward, order: .plain) { block in
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
