package import LMDB

// What testers outside the module look at.

extension Store {
  /// Opens a store whose models are a list.
  package static func open(
    path: String, listed models: [any Model.Type], options: Options,
    migrations: [Migration] = [],
    milliseconds: @escaping @Sendable () -> UInt64 = ReplicaClock.systemMilliseconds
  ) throws -> Store {
    try StoreOpening(path: path, models, options, migrations, milliseconds: milliseconds).run()
  }

  /// How often the catalog of a store has changed, by any program.
  ///
  /// - Parameters:
  ///   - path: The store's file.
  ///   - options: Those of this process's other openings.
  package static func generation(path: String, options: Options) throws -> UInt64 {
    let environment = try Environment.open(at: path, options: Environment.Options(options))
    return try environment.read { try StoredCatalog($0, path: path)?.header.generation ?? 0 }
  }

  /// Writes to the store's trees without its catalog, as a damaged disk may.
  package func writeInEngine<R>(
    _ body: (inout LMDB.WriteTransaction) throws -> R
  ) throws -> R {
    try environment.write(body)
  }

  /// Makes the checkpoint of an idle journal, as a timer does after a second.
  package func restJournal() { environment.restJournal() }

  /// Waits until observers have received all commits of this store.
  package func drainObservers() { live.drain() }

  /// Runs a body whose commits the observers of this store are told of when it has ended.
  ///
  /// A body that waits for an observer never returns.
  package func withObserversWaiting<R>(_ body: () throws -> R) rethrows -> R {
    try live.waiting(body)
  }

  /// The sequence of the last commit, of any process.
  package func lastSequence() throws -> UInt64 {
    let transaction = try LMDB.ReadTransaction(beginningIn: environment)
    return try catalog(in: transaction, publishes: false).1.sequence
  }
}
