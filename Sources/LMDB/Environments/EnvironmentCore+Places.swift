internal import Synchronization

// Whoever removes or replaces an open file, or its lock table, takes the ground from under it: what
// is committed goes to a file without a name, or to one that another process, which believes another
// lock table, writes to as well. It cannot be kept from happening, only noticed.
extension EnvironmentCore {
  /// The error of a file or lock table that is not where it was opened; nil while both are.
  ///
  /// It is noted: no transaction begins any more.
  func misplacement(for operation: LMDBError.Operation, _ more: String = "") -> LMDBError? {
    guard let place = places.firstIndex(where: { !$0.isKept }) else { return nil }
    isReplaced.store(true, ordering: .relaxed)
    let what =
      place == 0
      ? "it was removed or replaced while it was open"
      : "its lock table \(places[place].path) was removed, replaced or cut while it was open"
    return .fileReplaced(operation, path, what + more)
  }

  /// Throws when the file or its lock table is not where it was opened, now and from then on.
  ///
  /// A writer asks before it begins and after it has committed, and what it committed counts only
  /// when both are in place then: all who open the file later see the commit, and those who opened
  /// it earlier share the lock table.
  func checkPlaces(for operation: LMDBError.Operation) throws(LMDBError) {
    if let error = misplacement(for: operation) { throw error }
  }

  /// Asks the same for a reader, who would not wait for two calls of the system each time.
  func checkPlacesNowAndThen(for operation: LMDBError.Operation) throws(LMDBError) {
    let now = Deadline.roughly
    guard now &- placesLookedAt.load(ordering: .relaxed) > 100_000_000 else { return }
    placesLookedAt.store(now, ordering: .relaxed)
    try checkPlaces(for: operation)
  }

  /// Whether the lock table of this open file lies where another file's is: that file came later.
  func sharesLockTable(with other: DataFile) -> Bool {
    guard isOfThisProcess, let lockTable = LockFile.identity(of: other) else { return false }
    return places.contains { $0.identity == lockTable }
  }

  /// Throws when the lock table speaks of another file than the one that was just opened.
  ///
  /// That is so when the file was replaced and a process still has the one before open: a newcomer
  /// joins its lock table, and would take the number of the last commit from there.
  func checkLockTable() throws(LMDBError) {
    // Commits may come between the two numbers, and so they are compared again while nobody writes.
    var lead = try leadOverLockTable()
    for _ in 0..<3 where lead != 0 { lead = try leadOverLockTable() }
    if lead != 0 { lead = try leadOverLockTableAtRest() }
    guard lead == 0 else {
      throw .fileReplaced(.open, path, "another process still has the file before it open")
    }
  }

  /// By how many commits the file is ahead of its lock table.
  private func leadOverLockTable() throws(LMDBError) -> Int {
    let (begun, code) = handle.begin(isReadOnly: true)
    guard let transaction = begun else { throw LMDBError(.open, code, path) }
    defer { transaction.abort() }
    return handle.lastTransaction - transaction.id
  }

  /// The same while nobody writes, by one commit if a writer was killed before it noted its own.
  private func leadOverLockTableAtRest() throws(LMDBError) -> Int {
    guard try file.lock(before: Deadline(after: options.writerTimeout)) else {
      throw LMDBError(.open, .busy, writer.busyDetail)
    }
    defer { file.unlock() }
    let lead = try leadOverLockTable()
    // Whoever writes after a killed writer notes the commit first.
    guard lead == 1 else { return lead }
    if options.isReadOnly { return 0 }
    let (begun, code) = handle.begin(isReadOnly: false)
    guard let transaction = begun else { throw LMDBError(.open, code, path) }
    transaction.abort()
    return try leadOverLockTable()
  }
}

extension LMDBError {
  /// The error of a file that is not what it was: the detail is its path and what has happened.
  static func fileReplaced(_ operation: Operation, _ path: String, _ what: String) -> LMDBError {
    LMDBError(operation, .fileReplaced, "\(path); \(what)")
  }
}
