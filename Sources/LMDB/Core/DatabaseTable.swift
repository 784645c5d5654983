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
  /// The name of a database, and the order of its keys.
  struct Tree {
    let name: String
    let order: Database.KeyOrder
  }

  private struct Entry {
    let database: Database
    let order: Database.KeyOrder
    /// Whether a transaction has found the tree, so that an abort of its creator does not remove it.
    var isFound: Bool
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var trees: [Tree?]
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
    state = ConditionMutex(State(trees: Array(repeating: nil, count: capacity)))
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

  /// The name and order of a database; nil when it is void, or another environment's.
  func tree(of database: Database) -> Tree? {
    state.withLock { holds(database) ? $0.trees[Int(database.index)] : nil }
  }

  /// How the tree of a database orders its keys.
  func order(of database: Database) -> KeyComparison {
    tree(of: database).map { KeyComparison($0.order) } ?? .plain
  }

  /// The database of a name, and its order.
  func known(named name: String) -> (database: Database, order: Database.KeyOrder)? {
    state.withLock { $0.entries[name].map { ($0.database, $0.order) } }
  }

  /// The database of a name whose tree a transaction has found, in the order that it has.
  ///
  /// - Throws: ``LMDBError/Code/databasesFull``.
  func found(_ name: String, _ order: Database.KeyOrder) throws(LMDBError) -> Database {
    try state.withLock { state throws(LMDBError) in
      if let entry = state.entries[name], entry.order == order {
        if !entry.isFound { state.entries[name]?.isFound = true }
        return entry.database
      }
      return try enter(name, order, isFound: true, &state)
    }
  }

  /// The database of a name whose tree a transaction is about to create.
  ///
  /// - Throws: ``LMDBError/Code/databasesFull``.
  func created(_ name: String, _ order: Database.KeyOrder) throws(LMDBError) -> Database {
    try state.withLock { state throws(LMDBError) in
      try enter(name, order, isFound: false, &state)
    }
  }

  /// Removes a database that a transaction was to create and did not.
  func forget(_ database: Database) {
    state.withLock { state in
      guard let tree = state.trees[Int(database.index)] else { return }
      // Another process may have created a database of that name, which was then found here.
      guard let entry = state.entries[tree.name], entry.database == database, !entry.isFound
      else { return }
      remove(tree.name, entry, &state)
    }
  }

  /// All databases that are known.
  var all: [Database] { state.withLock { $0.entries.values.map(\.database) } }

  /// The detail of an error that says that the table is full.
  func fullDetail(_ name: String) -> String {
    "\(name); it is open in this process with room for \(capacity)"
  }

  private func enter(
    _ name: String, _ order: Database.KeyOrder, isFound: Bool, _ state: inout State
  ) throws(LMDBError) -> Database {
    // Only another program replaces a tree by one of another order.
    if let entry = state.entries[name] { remove(name, entry, &state) }
    guard let index = state.trees[state.firstFree...].firstIndex(where: { $0 == nil }) else {
      throw LMDBError(.openDatabase, .databasesFull, fullDetail(name))
    }
    state.firstFree = index + 1
    state.trees[index] = Tree(name: name, order: order)
    let serial = Self.lastSerial.wrappingAdd(1, ordering: .relaxed).newValue
    // Safety: both have the same number of elements.
    unsafe serials[index].store(serial, ordering: .relaxed)
    let database = Database(index: UInt32(index), serial: serial)
    state.entries[name] = Entry(database: database, order: order, isFound: isFound)
    return database
  }

  private func remove(_ name: String, _ entry: Entry, _ state: inout State) {
    let index = Int(entry.database.index)
    // Safety: the database was entered here.
    unsafe serials[index].store(0, ordering: .relaxed)
    state.trees[index] = nil
    state.firstFree = min(state.firstFree, index)
    state.entries[name] = nil
  }
}
