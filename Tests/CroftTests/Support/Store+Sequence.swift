import LMDB
import Testing

@testable import Croft

extension Store {
  /// How many commits the store has had.
  var sequence: UInt64 { get throws { try header.sequence } }

  /// How often the store's catalog has changed.
  var generation: UInt64 { get throws { try header.generation } }

  private var header: StoreHeader {
    get throws {
      try environment.read { transaction in
        let meta = try #require(try transaction.database(named: StoredCatalog.treeName))
        return try StoreHeader(in: meta, transaction, path: schemaUpdate.path)
      }
    }
  }
}
