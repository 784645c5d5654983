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

  package func update(_ fields: LiveFields, of items: [Item]) throws {
    try queue.write { db in
      switch fields {
      case .textAndTime:
        let statement = try db.cachedStatement(
          sql: "UPDATE item SET text = ?, createdAt = ? WHERE id = ?")
        for item in items {
          statement.setUncheckedArguments([item.text, item.createdAt, item.id])
          try statement.execute()
        }
      case .priorityAndGroup:
        let statement = try db.cachedStatement(
          sql: "UPDATE item SET priority = ?, groupId = ? WHERE id = ?")
        for item in items {
          statement.setUncheckedArguments([item.priority, item.groupId, item.id])
          try statement.execute()
        }
      }
    }
  }

  package func observe(_ query: LiveQuery, into inbox: Inbox) -> AnyObject {
    let observation = ValueObservation.trackingConstantRegion { db in
      try GRDBLiveEngine.result(of: query, in: db)
    }
    return observation.start(
      in: queue, scheduling: .async(onQueue: deliveries), onError: { inbox.fail($0) },
      onChange: { result in inbox.deliver { result } })
  }

  private static func result(of query: LiveQuery, in db: Database) throws -> LiveResult {
    let selection = "SELECT \(GRDBEngine.columns) FROM item "
    switch query {
    case .all:
      return try objects(of: db.cachedStatement(sql: selection + "ORDER BY createdAt, id"))
    case .group(let group):
      let statement = try db.cachedStatement(sql: selection + "WHERE groupId = ? ORDER BY id")
      statement.setUncheckedArguments([group])
      return try objects(of: statement)
    case .count(let priority):
      let statement = try db.cachedStatement(sql: "SELECT count(*) FROM item WHERE priority = ?")
      statement.setUncheckedArguments([priority])
      return try numbers(of: statement)
    case .sumOfPriorities:
      return try numbers(of: db.cachedStatement(sql: "SELECT sum(priority) FROM item"))
    case .groupCounts:
      return try numbers(
        of: db.cachedStatement(
          sql: "SELECT groupId, count(*) FROM item GROUP BY groupId ORDER BY groupId"))
    case .dashboard:
      // Times are stored as seconds since 2001.
      let month = "CAST(strftime('%m', createdAt + 978307200, 'unixepoch') AS INTEGER)"
      let queries = [
        "SELECT count(*) FROM item", "SELECT sum(priority) FROM item",
        "SELECT groupId, sum(priority) FROM item GROUP BY groupId ORDER BY groupId",
        "SELECT \(month), sum(priority) FROM item GROUP BY 1 ORDER BY 1",
      ]
      return .numbers(
        try queries.flatMap { try numbers(in: db.cachedStatement(sql: $0)) })
    }
  }

  private static func objects(of statement: Statement) throws -> LiveResult {
    let rows = try Row.fetchCursor(statement)
    var items: [Item] = []
    while let row = try rows.next() { items.append(Item(row)) }
    return .objects(items)
  }

  /// The numbers of all columns, row by row.
  private static func numbers(of statement: Statement) throws -> LiveResult {
    .numbers(try numbers(in: statement))
  }

  private static func numbers(in statement: Statement) throws -> [Int] {
    let rows = try Row.fetchCursor(statement)
    var numbers: [Int] = []
    while let row = try rows.next() {
      for column in 0..<row.count { numbers.append(row[column]) }
    }
    return numbers
  }
}
