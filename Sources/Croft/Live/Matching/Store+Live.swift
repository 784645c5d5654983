import LMDB

extension Store {
  /// Reads the last commit, for a moment.
  ///
  /// - Parameter body: Gets a transaction, and the commit's sequence.
  func readLive<R>(_ body: (borrowing ReadTransaction, UInt64) throws -> R) throws -> R {
    try StoreError.mapping {
      let base = try environment.beginRead()
      let (catalog, header) = try catalog(in: base, publishes: true)
      return try body(ReadTransaction(base, catalog), header.sequence)
    }
  }
}
