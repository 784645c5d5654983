import GRDB
package import Harness

/// GRDB as its own performance tests use it: one prepared statement a verb, columns by position.
package final class GRDBEngine: Engine {
  package static let name = "grdb"

  private static let columns = "id, text, priority, isDone, createdAt, groupId"

  private let items: [Item]
  private let shuffledIDs: [Int64]
  private let schema: Schema
  private var queue: DatabaseQueue?
  private var results: [Item] = []

  package static func about() throws -> About { try SQLiteStore.about() }

  package init(_ dataset: Dataset, schema: Schema) {
    items = dataset.items
    shuffledIDs = dataset.shuffledIDs
    self.schema = schema
  }

  package func open(at path: String) throws {
    queue = try SQLiteStore.open(at: path, schema)
  }

  package func close() throws {
    try queue?.close()
    queue = nil
  }

  package func insertAll() throws {
    try opened(queue).write { db in
      let statement = try db.makeStatement(
        sql: "INSERT INTO item (\(GRDBEngine.columns)) VALUES (?, ?, ?, ?, ?, ?)")
      for item in items {
        statement.setUncheckedArguments([
          item.id, item.text, item.priority, item.isDone, item.createdAt, item.groupId,
        ])
        try statement.execute()
      }
    }
  }

  package func deleteAll() throws {
    try opened(queue).write { db in try db.execute(sql: "DELETE FROM item") }
  }

  package func deleteAll(priority: Int) throws -> Int {
    try opened(queue).write { db in
      try db.execute(sql: "DELETE FROM item WHERE priority = ?", arguments: [priority])
      return db.changesCount
    }
  }

  package func deleteEach() throws -> Int {
    try opened(queue).write { db in
      let statement = try db.makeStatement(sql: "DELETE FROM item WHERE id = ?")
      var count = 0
      for item in items {
        statement.setUncheckedArguments([item.id])
        try statement.execute()
        count += db.changesCount
      }
      return count
    }
  }

  package func readEach() throws {
    results = try opened(queue).read { db in
      let statement = try db.makeStatement(
        sql: "SELECT \(GRDBEngine.columns) FROM item WHERE id = ?")
      var found: [Item] = []
      found.reserveCapacity(shuffledIDs.count)
      for id in shuffledIDs {
        statement.setUncheckedArguments([id])
        let rows = try Row.fetchCursor(statement)
        while let row = try rows.next() { found.append(Item(row)) }
      }
      return found
    }
  }

  package func scan() throws {
    results = try opened(queue).read { db in
      let rows = try Row.fetchCursor(
        db, sql: "SELECT \(GRDBEngine.columns) FROM item ORDER BY id")
      var found: [Item] = []
      while let row = try rows.next() { found.append(Item(row)) }
      return found
    }
  }

  package func countOpen(createdAfter: Double) throws -> Int {
    try count("NOT isDone AND createdAt > ?", createdAfter)
  }

  package func count(priority: Int) throws -> Int {
    try count("priority = ?", priority)
  }

  package func count(groupId: Int) throws -> Int {
    try count("groupId = ?", groupId)
  }

  package func takeResults() -> [Item] {
    defer { results = [] }
    return results
  }

  private func count(_ condition: String, _ value: some DatabaseValueConvertible) throws -> Int {
    try opened(queue).read { db in
      let sql = "SELECT count(*) FROM item WHERE \(condition)"
      return try Int.fetchOne(db, sql: sql, arguments: [value]) ?? 0
    }
  }
}

extension Item {
  /// Takes columns by position, in the order of `GRDBEngine.columns`.
  fileprivate init(_ row: Row) {
    self.init(
      id: row[0], text: row[1], priority: row[2], isDone: row[3], createdAt: row[4],
      groupId: row[5])
  }
}
