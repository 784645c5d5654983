internal import Synchronization

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
