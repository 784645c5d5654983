/// A read transaction of the C library, made once and used again and again.
final class Reader {
  /// The transaction; replaced when a database is opened for it.
  var handle: TransactionHandle

  init(_ handle: TransactionHandle) { self.handle = handle }
}

/// The read transactions of an environment, waiting to be used again.
///
/// Beginning one anew costs a lock that all processes share; renewing one does not.
///
/// Threads: any.
final class ReaderPool: Sendable {
  private let environment: EnvironmentHandle
  private let idle = Monitor<[Reader]>([])

  init(_ environment: EnvironmentHandle) { self.environment = environment }

  /// A reader that sees the last commit.
  func begin() throws(LMDBError) -> Reader {
    if let reader = idle.withLock({ $0.popLast() }) {
      let code = reader.handle.renew()
      if code == 0 { return reader }
      reader.handle.abort()
      throw LMDBError(.beginRead, code)
    }
    let (handle, code) = environment.begin(isReadOnly: true)
    guard let handle else { throw LMDBError(.beginRead, code) }
    return Reader(handle)
  }

  /// Ends what a reader reads and keeps it for the next one.
  func end(_ reader: Reader) {
    reader.handle.reset()
    idle.withLock { $0.append(reader) }
  }

  /// Gives up all idle readers.
  func drain() {
    idle.withLock { readers in
      for reader in readers { reader.handle.abort() }
      readers.removeAll()
    }
  }
}
