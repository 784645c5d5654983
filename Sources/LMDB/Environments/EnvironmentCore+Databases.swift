// How transactions find databases: readers among the pages that they see, the writer in the C
// library, which asks that trees be opened by one transaction at a time.
extension EnvironmentCore {
  /// The database of a name as a read transaction sees it.
  func database(
    named name: String, order: Database.KeyOrder, for reader: Reader
  ) throws(LMDBError) -> Database? {
    guard let found = try reader.pages.record(of: name) else { return nil }
    guard found.order == KeyComparison(order) else {
      throw LMDBError(.openDatabase, .incompatible, name)
    }
    return try databases.found(name, order)
  }

  /// A database in a write transaction: one that is there, or one that it creates.
  func openForWriting(
    _ name: String, _ order: Database.KeyOrder, _ transaction: TransactionHandle, creates: Bool
  ) throws(LMDBError) -> Database? {
    guard try transaction.hasDatabase(named: name) else {
      return creates ? try create(name, order, transaction) : nil
    }
    if let known = databases.known(named: name) {
      guard known.order == order else { throw LMDBError(.openDatabase, .incompatible, name) }
      return known.database
    }
    let opened = try transaction.openTree(named: name, flags: 0)
    guard opened.order == order else { throw LMDBError(.openDatabase, .incompatible, name) }
    let database = try databases.found(name, order)
    note(database, in: opened.slot)
    return database
  }

  private func create(
    _ name: String, _ order: Database.KeyOrder, _ transaction: TransactionHandle
  ) throws(LMDBError) -> Database {
    let database = try databases.created(name, order)
    do throws(LMDBError) {
      let opened = try transaction.openTree(named: name, flags: order.flags | OpeningFlag.create)
      note(database, in: opened.slot, isCreated: true)
      return database
    } catch {
      databases.forget(database)
      throw error.code == .mapFull ? failure(.openDatabase, error.code.rawValue) : error
    }
  }

  /// The C library's slot of a database's tree, which the writer opens at its first use.
  @inline(__always)
  func slot(
    of database: Database, in transaction: TransactionHandle, for operation: LMDBError.Operation
  ) throws(LMDBError) -> UInt32 {
    let place = try databases.place(of: database, for: operation)
    if let slot = writeSlots.slot(ofTreeIn: place) { return slot }
    return try openKnown(database, transaction, operation)
  }

  @inline(never)
  private func openKnown(
    _ database: Database, _ transaction: TransactionHandle, _ operation: LMDBError.Operation
  ) throws(LMDBError) -> UInt32 {
    guard let tree = databases.tree(of: database) else {
      throw LMDBError(operation, .badDatabase)
    }
    let opened: (slot: UInt32, order: Database.KeyOrder?)
    do throws(LMDBError) {
      opened = try transaction.openTree(named: tree.name, flags: 0)
    } catch {
      throw error.code == .notFound ? LMDBError(operation, .badDatabase) : error
    }
    // Another program has put another tree in its place.
    guard opened.order == tree.order else { throw LMDBError(operation, .badDatabase) }
    CoverageMark.hit(.treeOpenedAside)
    note(database, in: opened.slot)
    return opened.slot
  }

  /// Notes that the running writer has opened a tree, which is closed again if it aborts.
  private func note(_ database: Database, in slot: UInt32, isCreated: Bool = false) {
    writeSlots.setSlot(slot, ofTreeIn: Int(database.place))
    openings.add(database, isCreated: isCreated)
  }

  /// Makes the C library choose the order of names, which it leaves to the first who asks, while
  /// nobody else can.
  func openNames() throws(LMDBError) {
    let (begun, beginCode) = handle.begin(isReadOnly: true)
    guard let begun else { throw LMDBError(.open, beginCode, path) }
    defer { begun.abort() }
    let code = begun.openDatabase(nil, flags: 0).code
    guard code == 0 else { throw LMDBError(.open, code, path) }
  }
}

extension TransactionHandle {
  /// Opens or creates a tree, and tells how it orders its keys; nil when that is not offered.
  func openTree(
    named name: String, flags: UInt32
  ) throws(LMDBError) -> (slot: UInt32, order: Database.KeyOrder?) {
    let (slot, code) = openDatabase(name, flags: flags)
    guard code == 0 else { throw LMDBError(.openDatabase, code, name) }
    let (found, flagsCode) = self.flags(of: slot)
    guard flagsCode == 0 else { throw LMDBError(.openDatabase, flagsCode, name) }
    return (slot, Database.KeyOrder(flags: found))
  }
}
