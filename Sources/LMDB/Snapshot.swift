/// A view of one commit of an environment, which stays until it is released.
///
/// The pages that a snapshot sees cannot be reused while it exists, so writes make the file grow,
/// and the map cannot be moved. Errors that this causes name the snapshot.
///
/// Threads: any; several may read at once.
public final class Snapshot: Sendable {
  /// The name of the snapshot in errors.
  public let name: String
  private let environment: Environment
  private let number: Int
  // Safety: shared by threads. The known databases are looked up beforehand, and reading changes
  // nothing in the reader.
  private nonisolated(unsafe) let reader: Reader

  init(
    of environment: Environment, named name: String, for operation: LMDBError.Operation = .beginRead
  ) throws(LMDBError) {
    self.environment = environment
    self.name = name
    let core = environment.core
    unsafe reader = try core.beginRead(for: operation)
    // Threads that share the reader must not cache what they look up, so the known databases are
    // looked up now. The error of a damaged record is thrown when its tree is used.
    for database in core.databases.all {
      _ = unsafe try? reader.pages.tree(of: database, in: core.databases)
    }
    number = core.readers.becomeSnapshot(named: name)
  }

  deinit {
    guard environment.core.isOfThisProcess else { return }
    unsafe environment.core.readers.endSnapshot(number, reader)
    environment.core.sharedLock?.leave()
  }

  /// The number of the commit that the snapshot sees, which a copy of the file does not keep.
  package var version: Int { unsafe reader.handle.id }

  /// Runs a closure with a read transaction of the snapshot's commit.
  ///
  /// - Throws: What the closure throws, ``LMDBError/Code/forked``.
  public func read<R: ~Copyable>(_ body: (inout ReadTransaction) throws -> R) throws -> R {
    var transaction = try beginRead()
    return try body(&transaction)
  }

  /// A read transaction of the snapshot's commit, which keeps the snapshot until it ends.
  package func beginRead(
    for operation: LMDBError.Operation = .beginRead
  ) throws(LMDBError) -> ReadTransaction {
    try environment.core.checkUsable(for: operation)
    return unsafe ReadTransaction(environment, reader, of: self)
  }
}

extension Environment {
  /// A view of the last commit, which stays until it is released.
  ///
  /// - Parameter name: Its purpose, which errors name when it prevents the map from growing.
  /// - Throws: What beginning to read throws.
  public func snapshot(named name: String) throws(LMDBError) -> Snapshot {
    try Snapshot(of: self, named: name)
  }
}
