extension EnvironmentCore {
  /// Takes the writer's place and begins a transaction of the C library.
  func beginWrite() throws(LMDBError) -> TransactionHandle {
    try checkUsable(for: .beginWrite)
    guard !options.isReadOnly else { throw LMDBError(.beginWrite, .readOnly, path) }
    try writer.take(within: options.writerTimeout)
    do throws(LMDBError) {
      try checkPlaces(for: .beginWrite)
      reapReadersNowAndThen()
      growAheadOfNeed()
      let transaction = try beginFitting()
      do throws(LMDBError) {
        try checkPagesOnce(before: transaction)
      } catch {
        transaction.abort()
        readers.endWriting()
        throw error
      }
      openings.enter()
      return transaction
    } catch {
      writer.giveBack()
      throw error
    }
  }

  /// Begins, after enlarging the map if another process has grown the file.
  private func beginFitting() throws(LMDBError) -> TransactionHandle {
    var hasAdopted = false
    while true {
      try checkUsable(for: .beginWrite)
      readers.beginWriting()
      let (begun, code) = handle.begin(isReadOnly: false)
      if let begun { return begun }
      readers.endWriting()
      guard code == LMDBError.Code.mapResized.rawValue, !hasAdopted else {
        throw LMDBError(.beginWrite, code, path)
      }
      hasAdopted = true
      try adoptGrowth(for: .beginWrite)
    }
  }

  /// Commits a write transaction, and gives the writer's place back unless it is a nested one.
  func commitWrite(_ transaction: TransactionHandle, depth: Int) throws(LMDBError) {
    // What a child of a fork has is the parent's, and stays open there.
    guard isOfThisProcess else { throw LMDBError(.commit, .forked, path) }
    checkEnding(depth)
    writeSlots.closeAll()
    if depth == 1, let error = misplacement(for: .commit) {
      transaction.abort()
      endWrite(isCommitted: false, depth: depth)
      throw error
    }
    let code = transaction.commit()
    if code == LMDBError.Code.mapFull.rawValue { openings.hasFilledMap = true }
    // When the caller went on after a full map, the commit fails in another name.
    let isMapFull = openings.hasFilledMap
    // Still as the writer: the next one must not begin where this one's commit is lost.
    let lost = ", and whether the change is in the file cannot be told"
    let replacement = code == 0 && depth == 1 ? misplacement(for: .commit, lost) : nil
    endWrite(isCommitted: code == 0, depth: depth)
    if let replacement { throw replacement }
    guard code == 0 else {
      throw isMapFull ? mapFull(.commit) : LMDBError(.commit, cause(of: code), path)
    }
  }

  /// What a failed write means.
  ///
  /// Where the disk takes a part of what is written, because it has no room for the rest or the
  /// file must not grow, the C library calls that a fault of the device.
  private func cause(of code: Int32) -> LMDBError.Code {
    let code = LMDBError.Code(rawValue: code)
    guard code == .inputOutput else { return code }
    if file.hasReachedLimit { return .fileTooLarge }
    return file.hasNoRoomToGrow ? .outOfSpace : code
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

  private func endWrite(isCommitted: Bool, depth: Int) {
    openings.leave(isCommitted: isCommitted)
    if depth > 1 { return }
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
}
