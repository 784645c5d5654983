import GRDB
package import Harness

/// SQLite's own search for parts of texts, over GRDB.
package final class GRDBTextEngine: TextEngine {
  package static let name = "grdb"
  package static let foldsAllLetters = false

  private let queue: DatabaseQueue

  package static func about() throws -> String {
    "\(try SQLiteStore.about().versions); instr, folded LIKE, which ignores the case of ASCII alone"
  }

  package init(at path: String, holding titles: [String]) throws {
    queue = try SQLiteStore.open(at: path, holding: titles)
  }

  package func close() throws { try queue.close() }

  package func count(_ text: String, _ comparison: TextWorkload.Comparison) throws -> Int {
    try queue.read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT count(*) FROM title WHERE "
          + (comparison == .folded ? "text LIKE '%' || ? || '%'" : "instr(text, ?) > 0"))
      statement.setUncheckedArguments([text])
      return try Int.fetchOne(statement) ?? 0
    }
  }
}
