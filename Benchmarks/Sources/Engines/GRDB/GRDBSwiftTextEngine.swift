import Foundation
import GRDB
package import Harness

/// Foundation's and Swift's search for parts of texts, over rows that GRDB fetches.
package final class GRDBSwiftTextEngine: TextEngine {
  package static let name = "grdb-swift"
  package static let foldsAllLetters = true

  private let queue: DatabaseQueue

  package static func about() throws -> String {
    "\(try SQLiteStore.about().versions); all titles fetched, then Swift's contains, "
      + "folded Foundation's localizedStandardContains"
  }

  package init(at path: String, holding titles: [String]) throws {
    queue = try SQLiteStore.open(at: path, holding: titles)
  }

  package func close() throws { try queue.close() }

  package func count(_ text: String, _ comparison: TextWorkload.Comparison) throws -> Int {
    try queue.read { db in
      let titles = try String.fetchCursor(db.cachedStatement(sql: "SELECT text FROM title"))
      var count = 0
      while let title = try titles.next() {
        let isFound =
          comparison == .folded ? title.localizedStandardContains(text) : title.contains(text)
        if isFound { count += 1 }
      }
      return count
    }
  }
}
