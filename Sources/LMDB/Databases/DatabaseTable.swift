internal import Synchronization

/// The databases of an environment that this process knows: names and orders of keys, no more.
///
/// A read transaction looks for a name among its own pages, and a write transaction opens a tree in
/// the C library when it first uses it. So nobody has to open anything for others, and a transaction
/// can use whatever it sees.
///
/// A place is used again when the transaction that created its tree aborts. So each database has a
/// serial number as well, and one whose number is no longer its place's is void.
///
/// Threads: any. It is `@unchecked` because of the pointer, whose elements are atomic.
@safe final class DatabaseTable: @unchecked Sendable {
  /// What a database stands for.
  struct Tree {
    let name: String
    let order: Database.KeyOrder
  }

  private struct Entry {
    let database: Database
    let order: Database.KeyOrder
    /// Whether a reader has found the tree, so that it does not go with the one who made the entry.
    var isFound: Bool
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var trees: [Tree?]
    /// No place before this one is free, so that nobody looks for one there.
    var firstFree = 0
  }

  private static let lastSerial = Atomic<UInt32>(0)

  /// The serial number of the database in each place; 0 stands for none.
  private let serials: UnsafeMutablePointer<Atomic<UInt32>>
  /// For how many databases there is room.
  let capacity: Int
  private let state: Monitor<State>

  init(capacity: Int) {
    self.capacity = capacity
    state = Monitor(State(trees: Array(repeating: nil, count: capacity)))
    // Safety: every element is initialised here and lives until deinit.
    unsafe serials = .allocate(capacity: capacity)
    for place in 0..<capacity { unsafe (serials + place).initialize(to: Atomic(0)) }
  }

  deinit {
    // Safety: allocated and initialised with this count.
    unsafe serials.deinitialize(count: capacity)
    unsafe serials.deallocate()
  }

  /// The place of a database, when it is one of this environment.
  @inline(__always)
  func place(
    of database: Database, for operation: LMDBError.Operation
  ) throws(LMDBError) -> Int {
    guard holds(database) else { throw LMDBError(operation, .badDatabase) }
    return Int(database.place)
  }

  /// Whether a database is one of this environment, and not void.
  @inline(__always)
  func holds(_ database: Database) -> Bool {
    // Safety: the index is checked first.
    unsafe Int(database.place) < capacity
      && serials[Int(database.place)].load(ordering: .relaxed) == database.serial
  }

  /// What a database stands for; nil when it is void, or another environment's.
  func tree(of database: Database) -> Tree? {
    state.withLock { holds(database) ? $0.trees[Int(database.place)] : nil }
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

  /// Notes that a transaction that was to create a tree has not done so.
  func forget(_ database: Database) {
    state.withLock { state in
      guard let tree = state.trees[Int(database.place)] else { return }
      // Another process may have made one of that name, which somebody has found here.
      guard let entry = state.entries[tree.name], entry.database == database, !entry.isFound
      else { return }
      remove(tree.name, entry, &state)
    }
  }

  /// All databases that are known.
  var all: [Database] { state.withLock { $0.entries.values.map(\.database) } }

  /// What an error says of something for which there is no room.
  func fullDetail(_ name: String) -> String {
    "\(name); it is open in this process with room for \(capacity)"
  }

  private func enter(
    _ name: String, _ order: Database.KeyOrder, isFound: Bool, _ state: inout State
  ) throws(LMDBError) -> Database {
    // Only another program removes a tree and makes one of its name in another order.
    if let entry = state.entries[name] { remove(name, entry, &state) }
    guard let place = state.trees[state.firstFree...].firstIndex(where: { $0 == nil }) else {
      throw LMDBError(.openDatabase, .databasesFull, fullDetail(name))
    }
    state.firstFree = place + 1
    state.trees[place] = Tree(name: name, order: order)
    let serial = Self.lastSerial.wrappingAdd(1, ordering: .relaxed).newValue
    // Safety: there are as many places in both.
    unsafe serials[place].store(serial, ordering: .relaxed)
    let database = Database(place: UInt32(place), serial: serial)
    state.entries[name] = Entry(database: database, order: order, isFound: isFound)
    return database
  }

  private func remove(_ name: String, _ entry: Entry, _ state: inout State) {
    let place = Int(entry.database.place)
    // Safety: the database was entered here.
    unsafe serials[place].store(0, ordering: .relaxed)
    state.trees[place] = nil
    state.firstFree = min(state.firstFree, place)
    state.entries[name] = nil
  }
}
