extension EnvironmentCore {
  /// A reader that sees the last commit.
  ///
  /// When another process has grown the file, the map is enlarged first; when dead processes
  /// hold all places of the lock table, they are freed; trees that another process has made are
  /// opened.
  func beginRead() throws(LMDBError) -> Reader {
    try checkUsable(for: .beginRead)
    guard let readingLock else { return try beginReadBesideWriters() }
    try readingLock.enter(within: options.writerTimeout)
    do throws(LMDBError) {
      return try beginReadBesideWriters()
    } catch {
      readingLock.leave()
      throw error
    }
  }

  private func beginReadBesideWriters() throws(LMDBError) -> Reader {
    var hasAdopted = false
    var hasReaped = false
    while true {
      let known = databases.knownCount
      let (begun, code) = renewed(readers.enter())
      if let begun {
        if let reader = try admitted(begun, knowing: known) { return reader }
        continue
      }
      readers.leave(nil)
      switch LMDBError.Code(rawValue: code) {
      case .mapResized where !hasAdopted:
        hasAdopted = true
        try adoptGrowth(for: .beginRead)
      case .readersFull where !hasReaped && reapReaders() > 0:
        hasReaped = true
      default: throw LMDBError(.beginRead, code, path)
      }
    }
  }

  /// A reader that knows all trees that it sees; nil when it had to open some, and has ended.
  private func admitted(
    _ reader: Reader, knowing count: Int
  ) throws(LMDBError) -> Reader? {
    do throws(LMDBError) {
      if try databases.admits(reader.handle, knowing: count) { return reader }
    } catch {
      readers.leave(reader)
      throw error
    }
    defer { readers.leave(nil) }
    try databases.open(for: reader.handle, within: options.writerTimeout)
    return nil
  }

  /// Ends a short read.
  func endRead(_ reader: Reader) {
    // In a child of a fork the reader's place in the lock table is the parent's.
    guard isOfThisProcess else { return }
    readers.leave(reader)
    readingLock?.leave()
  }

  private func renewed(_ resting: Reader?) -> (Reader?, Int32) {
    guard let resting else {
      let (begun, code) = handle.begin(isReadOnly: true)
      return (begun.map(Reader.init), code)
    }
    let code = resting.handle.renew()
    if code == 0 { return (resting, 0) }
    resting.handle.abort()
    return (nil, code)
  }

  /// The database of a name as a read transaction sees it.
  func database(
    named name: String, order: Database.KeyOrder, for reader: Reader
  ) throws(LMDBError) -> Database? {
    guard try reader.handle.hasDatabase(named: name) else { return nil }
    guard let database = try databases.known(named: name, order: order),
      try reader.handle.sees(database.slot)
    else { throw LMDBError(.openDatabase, databases.refusal(of: name), name) }
    return database
  }
}

extension TransactionHandle {
  /// Whether the transaction began after a database was opened.
  fileprivate func sees(_ slot: UInt32) throws(LMDBError) -> Bool {
    let code = flags(of: slot).code
    if code == 0 { return true }
    if code == LMDBError.Code.invalidArgument.rawValue { return false }
    throw LMDBError(.openDatabase, code)
  }
}
