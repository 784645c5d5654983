internal import CLMDB

extension EnvironmentCore {
  /// Takes the writer's place and begins a transaction of the C library.
  func beginWrite() throws(LMDBError) -> TransactionHandle {
    guard !options.isReadOnly else { throw LMDBError(.beginWrite, .readOnly, path) }
    try writer.take(before: Deadline(after: options.writerTimeout))
    let (begun, code) = handle.begin(isReadOnly: false)
    guard let transaction = begun else {
      writer.giveBack()
      throw LMDBError(.beginWrite, code, path)
    }
    openings.enter()
    return transaction
  }

  /// Commits a write transaction, and gives the writer's place back unless it is a nested one.
  func commitWrite(_ transaction: TransactionHandle, isNested: Bool) throws(LMDBError) {
    writeSlots.closeAll()
    let code = transaction.commit()
    endWrite(isCommitted: code == 0, isNested: isNested)
    guard code == 0 else { throw LMDBError(.commit, code, path) }
  }

  /// Aborts a write transaction, and gives the writer's place back unless it is a nested one.
  func abortWrite(_ transaction: TransactionHandle, isNested: Bool) {
    writeSlots.closeAll()
    transaction.abort()
    endWrite(isCommitted: false, isNested: isNested)
  }

  private func endWrite(isCommitted: Bool, isNested: Bool) {
    openings.leave(isCommitted: isCommitted)
    if !isNested { writer.giveBack() }
  }

  /// A database in a write transaction: known already, opened by it, or created.
  func openForWriting(
    _ name: String, _ options: Database.Options, _ transaction: TransactionHandle, creates: Bool
  ) throws(LMDBError) -> Database? {
    let isThere = try transaction.hasDatabase(named: name)
    guard isThere || creates else { return nil }
    if let database = try openings.find(named: name, options: options) { return database }
    if isThere, let database = try databases.known(named: name, options: options) {
      return database
    }
    let flags = options.rawValue | (isThere ? 0 : UInt32(MDB_CREATE))
    let (slot, code) = transaction.openDatabase(name, flags: flags)
    guard code == 0 else { throw LMDBError(.openDatabase, code, name) }
    let database = databases.register(slot: slot)
    openings.add(database, named: name, options: options)
    guard transaction.flags(of: slot).flags == options.rawValue else {
      throw LMDBError(.openDatabase, .incompatible, name)
    }
    return database
  }
}
