/// A view of an environment that stays as it is for as long as it is held.
///
/// The pages that a snapshot sees cannot be used again while it lives, so a file under writes
/// grows; and the map cannot be moved. Its name tells in errors who is in the way.
///
/// Threads: any; several may read at once.
public final class Snapshot: Sendable {
  /// What the snapshot is for, in errors.
  public let name: String
  private let environment: Environment
  private let number: Int
  // Safety: shared, because the databases known are looked up before: reading changes nothing in the
  // transaction.
  private nonisolated(unsafe) let reader: Reader

  init(
    of environment: Environment, named name: String, for operation: LMDBError.Operation = .beginRead
  ) throws(LMDBError) {
    self.environment = environment
    self.name = name
    let core = environment.core
    unsafe reader = try core.beginRead(for: operation)
    // What is looked up on first use would else be looked up by several threads at once, which keep
    // nothing. A tree whose record is damaged is told of when it is used.
    for database in core.databases.all {
      _ = unsafe try? reader.pages.tree(of: database, in: core.databases)
    }
    number = core.readers.becomeSnapshot(named: name)
  }

  deinit {
    guard environment.core.isOfThisProcess else { return }
    unsafe environment.core.readers.endSnapshot(number, reader)
    environment.core.readingLock?.leave()
  }

  /// The number of the commit that the snapshot sees, which means nothing in a copy of the file.
  package var version: Int { unsafe reader.handle.id }

  /// Lends a read transaction on the frozen view to a closure.
  ///
  /// - Throws: What the closure throws, ``LMDBError/Code/forked``.
  public func read<R: ~Copyable>(_ body: (inout ReadTransaction) throws -> R) throws -> R {
    var transaction = try beginRead()
    return try body(&transaction)
  }

  /// A read transaction on the frozen view, which keeps the snapshot until it goes.
  package func beginRead(
    for operation: LMDBError.Operation = .beginRead
  ) throws(LMDBError) -> ReadTransaction {
    try environment.core.checkUsable(for: operation)
    return unsafe ReadTransaction(environment, reader, of: self)
  }
}

extension Environment {
  /// A view of the environment that stays as it is for as long as it is held.
  ///
  /// - Parameter name: What it is for; named when it stands in the way of growth.
  /// - Throws: What beginning to read throws.
  public func snapshot(named name: String) throws(LMDBError) -> Snapshot {
    try Snapshot(of: self, named: name)
  }
}
