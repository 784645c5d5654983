extension EnvironmentCore {
  /// Takes the writer's place and begins a transaction of the C library.
  func beginWrite() throws(LMDBError) -> TransactionHandle {
    try checkUsable(for: .beginWrite)
    guard !options.isReadOnly else { throw LMDBError(.beginWrite, .readOnly, path) }
    try writer.take(within: options.writerTimeout)
    do throws(LMDBError) {
      reapReadersNowAndThen()
      growAheadOfNeed()
      let transaction = try beginFitting()
      openings.enter()
      return transaction
    } catch {
      writer.giveBack()
      throw error
    }
  }

  /// Begins, after enlarging the map if another process has grown the file, and opening the trees
  /// that it has made.
  private func beginFitting() throws(LMDBError) -> TransactionHandle {
    var hasAdopted = false
    while true {
      try checkUsable(for: .beginWrite)
      readers.beginWriting()
      let known = databases.knownCount
      let (begun, code) = handle.begin(isReadOnly: false)
      if let begun {
        if try isAdmitted(begun, knowing: known) { return begun }
        continue
      }
      readers.endWriting()
      guard code == LMDBError.Code.mapResized.rawValue, !hasAdopted else {
        throw LMDBError(.beginWrite, code, path)
      }
      hasAdopted = true
      try adoptGrowth(for: .beginWrite)
    }
  }

  /// Whether a writer knows all trees that it sees; if not it has ended.
  private func isAdmitted(
    _ transaction: TransactionHandle, knowing count: Int
  ) throws(LMDBError) -> Bool {
    var isAdmitted = false
    defer { if !isAdmitted { readers.endWriting() } }
    isAdmitted = try databases.admitWriter(transaction, knowing: count)
    return isAdmitted
  }

  /// Commits a write transaction, and gives the writer's place back unless it is a nested one.
  func commitWrite(_ transaction: TransactionHandle, depth: Int) throws(LMDBError) {
    // What a child of a fork has is the parent's, and stays open there.
    guard isOfThisProcess else { throw LMDBError(.commit, .forked, path) }
    checkEnding(depth)
    writeSlots.closeAll()
    let makesNames = depth == 1 && !openings.isEmpty
    let names = makesNames ? transaction.count(of: TransactionHandle.namesSlot) : nil
    let code = transaction.commit()
    if code == LMDBError.Code.mapFull.rawValue { openings.hasFilledMap = true }
    // When the caller went on after a full map, the commit fails in another name.
    let isMapFull = openings.hasFilledMap
    endWrite(isCommitted: code == 0, depth: depth, names: names?.entries)
    guard code == 0 else {
      throw isMapFull ? mapFull(.commit) : LMDBError(.commit, cause(of: code), path)
    }
  }

  /// What a failed write means.
  ///
  /// Where the disk takes a part of what is written, because it has no room for the rest, the C
  /// library calls that a fault of the device.
  private func cause(of code: Int32) -> LMDBError.Code {
    let code = LMDBError.Code(rawValue: code)
    return code == .inputOutput && file.hasNoRoomToGrow ? .outOfSpace : code
  }

  /// Aborts a write transaction, and gives the writer's place back unless it is a nested one.
  func abortWrite(_ transaction: TransactionHandle, depth: Int) {
    // In a child of a fork the transaction and its locks are the parent's.
    guard isOfThisProcess else { return }
    checkEnding(depth)
    writeSlots.closeAll()
    transaction.abort()
    endWrite(isCommitted: false, depth: depth)
  }

  /// - Parameter names: How many names there are when the transaction has made any and is committed.
  private func endWrite(isCommitted: Bool, depth: Int, names: Int? = nil) {
    openings.leave(isCommitted: isCommitted)
    if depth > 1 { return }
    databases.endWriting(leaving: isCommitted ? names : nil)
    readers.endWriting()
    if openings.hasFilledMap {
      openings.hasFilledMap = false
      growAfterMapFull()
    }
    writer.giveBack()
  }

  private func checkEnding(_ depth: Int) {
    precondition(
      writer.isHeldByThisThread,
      "A write transaction ends on the thread that began it: commit before handing work on.")
    precondition(
      openings.depth == depth, "Of nested write transactions, the innermost one ends first.")
  }

  /// The error of a failed change.
  func failure(_ operation: LMDBError.Operation, _ code: Int32) -> LMDBError {
    guard code == LMDBError.Code.mapFull.rawValue else {
      return LMDBError(operation, database: cause(of: code).rawValue)
    }
    openings.hasFilledMap = true
    return mapFull(operation)
  }

  private func mapFull(_ operation: LMDBError.Operation) -> LMDBError {
    let names = readers.snapshotNames
    guard !names.isEmpty else { return LMDBError(operation, .mapFull, path) }
    let obstacle = ReaderPool.Obstacle.snapshots(names)
    return LMDBError(operation, .mapFull, "\(path); it cannot grow before these end: \(obstacle)")
  }

  /// A database in a write transaction: known already, opened by it, or created.
  func openForWriting(
    _ name: String, _ order: Database.KeyOrder, _ transaction: TransactionHandle, creates: Bool
  ) throws(LMDBError) -> Database? {
    let isThere = try transaction.hasDatabase(named: name)
    guard isThere || creates else { return nil }
    if let database = try openings.find(named: name, order: order) { return database }
    if isThere, let database = try databases.known(named: name, order: order) {
      return database
    }
    let flags = isThere ? 0 : order.flags | OpeningFlag.create
    let opened: (slot: UInt32, order: Database.KeyOrder?)
    do throws(LMDBError) {
      opened = try transaction.openVerified(name, flags: flags)
    } catch {
      throw error.code == .mapFull ? failure(.openDatabase, error.code.rawValue) : error
    }
    let database = databases.register(slot: opened.slot)
    openings.add(database, named: name, order: opened.order)
    guard opened.order == order else { throw LMDBError(.openDatabase, .incompatible, name) }
    return database
  }
}
