import Dispatch
import GRDB
package import Harness

/// GRDB's value observation over prepared statements and columns by position.
package final class GRDBLiveEngine: LiveEngine {
  package static let name = "grdb"
  package static let tellsDifferences = false

  private let queue: DatabaseQueue
  private let deliveries = DispatchQueue(label: "bench.deliveries")

  package static func about() throws -> About {
    var about = try SQLiteStore.about()
    about.sync = "journal_mode=WAL, synchronous=OFF"
    return about
  }

  package init(at path: String, holding items: [Item]) throws {
    queue = try SQLiteStore.open(at: path, .indexed)
    try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = OFF") }
    try queue.write { db in
      for item in items {
        let statement = try db.cachedStatement(sql: GRDBEngine.insertion)
        statement.setUncheckedArguments([
          item.id, item.text, item.priority, item.isDone, item.createdAt, item.groupId,
        ])
        try statement.execute()
      }
    }
  }

  package func close() throws { try queue.close() }

  package func update(_ items: [Item]) throws {
    try queue.write { db in
      let statement = try db.cachedStatement(
        sql: "UPDATE item SET text = ?, createdAt = ? WHERE id = ?")
      for item in items {
        statement.setUncheckedArguments([item.text, item.createdAt, item.id])
        try statement.execute()
      }
    }
  }

  package func observe(_ query: LiveQuery, into inbox: Inbox) -> AnyObject {
    let observation = ValueObservation.trackingConstantRegion { db in
      try GRDBLiveEngine.items(of: query, in: db)
    }
    return observation.start(
      in: queue, scheduling: .async(onQueue: deliveries), onError: { inbox.fail($0) },
      onChange: { items in inbox.deliver { items } })
  }

  private static func items(of query: LiveQuery, in db: Database) throws -> [Item] {
    let selection = "SELECT \(GRDBEngine.columns) FROM item "
    let statement: Statement
    switch query {
    case .all:
      statement = try db.cachedStatement(sql: selection + "ORDER BY createdAt, id")
    case .group(let group):
      statement = try db.cachedStatement(sql: selection + "WHERE groupId = ? ORDER BY id")
      statement.setUncheckedArguments([group])
    }
    let rows = try Row.fetchCursor(statement)
    var items: [Item] = []
    while let row = try rows.next() { items.append(Item(row)) }
    return items
  }
}
