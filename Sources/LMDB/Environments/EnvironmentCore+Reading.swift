extension EnvironmentCore {
  /// How long moving the map waits for short reads when it cannot be done without.
  static let patience = Duration.seconds(1)

  /// A reader that sees the last commit.
  ///
  /// When another process has grown the file, the map is enlarged first; when dead processes
  /// hold all places of the lock table, they are freed.
  func beginRead(
    for operation: LMDBError.Operation = .beginRead
  ) throws(LMDBError) -> Reader {
    try checkUsable(for: operation)
    if operation != .copy { try checkPlacesNowAndThen(for: operation) }
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
      let resting = readers.enter()
      let (reader, code) = renewed(resting)
      if let reader { return reader }
      readers.leave(nil)
      switch LMDBError.Code(rawValue: code) {
      case .mapResized where !hasAdopted:
        hasAdopted = true
        try adoptGrowth(for: .beginRead)
      case .readersFull where !hasReaped && handle.reapReaders().count > 0:
        hasReaped = true
        CoverageMark.hit(.readersReaped)
      default: throw LMDBError(.beginRead, code, path)
      }
    }
  }

  /// Ends a short read.
  func endRead(_ reader: Reader) {
    // In a child of a fork the reader's place in the lock table is the parent's.
    guard isOfThisProcess else { return }
    readers.leave(reader)
    readingLock?.leave()
  }

  private func renewed(_ resting: Reader?) -> (Reader?, Int32) {
    let reader: Reader
    if let resting {
      let code = resting.handle.renew()
      guard code == 0 else {
        resting.handle.abort()
        return (nil, code)
      }
      reader = resting
    } else {
      let (begun, code) = handle.begin(isReadOnly: true)
      guard let begun else { return (nil, code) }
      reader = Reader(begun, pages)
    }
    // Two commits may have come between the beginning and the look at the front page.
    for _ in 0..<Self.mostLooks {
      if reader.pages.look(at: reader.handle.id) { return (reader, 0) }
      reader.handle.reset()
      let code = reader.handle.renew()
      guard code == 0 else {
        reader.handle.abort()
        return (nil, code)
      }
    }
    reader.handle.abort()
    return (nil, LMDBError.Code.corrupted.rawValue)
  }

  /// How often a reader looks for its front page before it is taken for damaged.
  private static var mostLooks: Int { 100 }

  /// The database of a name as a read transaction sees it.
  ///
  /// The C library wants databases opened by one transaction at a time, none of whose
  /// contemporaries may use them. So one that another process made is opened by a transaction
  /// of its own, and the reader goes on in a new transaction if that still sees the same
  /// commit.
  func database(
    named name: String, options: Database.Options, for reader: Reader, isShared: Bool
  ) throws(LMDBError) -> Database? {
    // Safety: only whether there is a record is asked.
    guard try unsafe reader.pages.record(named: Array(name.utf8)) != nil else { return nil }
    var database = try databases.known(named: name, options: options)
    if let database, try reader.handle.sees(database.slot) { return database }
    if database == nil { database = try openAside(name, options) }
    guard let database else { return nil }
    guard !isShared, try replaceTransaction(of: reader) else {
      throw LMDBError(.openDatabase, .snapshotTooOld, name)
    }
    return database
  }

  /// Puts a new transaction in the place of a reader's, if both see the same commit.
  private func replaceTransaction(of reader: Reader) throws(LMDBError) -> Bool {
    let (begun, code) = handle.begin(isReadOnly: true)
    guard let fresh = begun else { throw LMDBError(.openDatabase, code) }
    guard fresh.id == reader.handle.id else {
      fresh.abort()
      return false
    }
    // Both see the same pages, so that spans into the old transaction stay good.
    reader.handle.abort()
    reader.handle = fresh
    return true
  }

  /// Opens a database in a transaction of its own, while no writer of this process opens any.
  private func openAside(
    _ name: String, _ options: Database.Options
  ) throws(LMDBError) -> Database? {
    try writer.takeInProcess(within: self.options.writerTimeout)
    defer { writer.giveBackInProcess() }
    if let database = try databases.known(named: name, options: options) { return database }
    CoverageMark.hit(.treeOpenedAside)
    let (begun, beginCode) = handle.begin(isReadOnly: true)
    guard let transaction = begun else { throw LMDBError(.openDatabase, beginCode, name) }
    let opened: (slot: UInt32, options: Database.Options)
    do throws(LMDBError) {
      opened = try transaction.openVerified(name, flags: 0)
    } catch {
      transaction.abort()
      guard error.code == .databasesFull else { throw error }
      throw LMDBError(.openDatabase, .databasesFull, databases.fullDetail(name))
    }
    let committed = transaction.commit()
    guard committed == 0 else { throw LMDBError(.openDatabase, committed, name) }
    let database = databases.register(
      slot: opened.slot, named: name, options: opened.options)
    databases.publish(database, named: name, options: opened.options)
    return try databases.known(named: name, options: options)
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
