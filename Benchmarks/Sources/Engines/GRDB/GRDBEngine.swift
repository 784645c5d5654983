import Foundation
import GRDB
package import Harness

/// GRDB as its own performance tests use it: one prepared statement a verb, columns by position.
package final class GRDBEngine: Engine {
  package static let name = "grdb"

  static let columns = "id, text, priority, isDone, createdAt, groupId"
  static let insertion = "INSERT INTO item (\(columns)) VALUES (?, ?, ?, ?, ?, ?)"

  private let items: [Item]
  private let uuids: [UUID]
  private let extras: [Item]
  private let pageStarts: [Item]
  private let groupCount: Int
  private let ids: [Int64]
  private let shuffledIDs: [Int64]
  private let schema: Schema
  private var queue: DatabaseQueue?
  private var results: [Item] = []

  package static func about() throws -> About { try SQLiteStore.about() }

  package init(_ dataset: Dataset, schema: Schema) {
    items = dataset.items
    uuids = schema == .uuid ? dataset.items.map(\.uuid) : []
    extras = dataset.extras
    pageStarts = dataset.pageStarts
    groupCount = dataset.groupCount
    ids = dataset.ids
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
      let statement = try db.makeStatement(sql: GRDBEngine.insertion)
      for place in items.indices {
        let item = items[place]
        let key: any DatabaseValueConvertible = schema == .uuid ? uuids[place] : item.id
        statement.setUncheckedArguments([
          key, item.text, item.priority, item.isDone, item.createdAt, item.groupId,
        ])
        try statement.execute()
      }
    }
  }

  package func insertSingly() throws {
    let queue = try opened(queue)
    for item in extras {
      try queue.write { db in
        let statement = try db.cachedStatement(sql: GRDBEngine.insertion)
        statement.setUncheckedArguments([
          item.id, item.text, item.priority, item.isDone, item.createdAt, item.groupId,
        ])
        try statement.execute()
      }
    }
  }

  package func insertAtOnce() throws { try insertSingly() }

  package func toggleEach() throws {
    try changeEach("UPDATE item SET isDone = NOT isDone WHERE id = ?")
  }

  package func raiseEach() throws {
    try changeEach(
      "UPDATE item SET priority = (priority + 1) % \(Dataset.priorityCount) WHERE id = ?")
  }

  private func changeEach(_ sql: String) throws {
    try opened(queue).write { db in
      let statement = try db.makeStatement(sql: sql)
      for id in ids {
        statement.setUncheckedArguments([id])
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
      for id in ids {
        statement.setUncheckedArguments([id])
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
      while let row = try rows.next() {
        found.append(schema == .uuid ? Item(uuidRow: row) : Item(row))
      }
      return found
    }
  }

  package func readLatestOpen(createdAfter: Double, limit: Int) throws {
    results = try opened(queue).read { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT \(GRDBEngine.columns) FROM item WHERE NOT isDone AND createdAt > ?
          ORDER BY createdAt DESC, id LIMIT ?
          """, arguments: [createdAfter, limit])
      var found: [Item] = []
      while let row = try rows.next() { found.append(Item(row)) }
      return found
    }
  }

  package func readGroups() throws {
    let queue = try opened(queue)
    for group in 0..<groupCount {
      try queue.read { db in
        let statement = try db.cachedStatement(
          sql: "SELECT \(GRDBEngine.columns) FROM item WHERE groupId = ?")
        statement.setUncheckedArguments([group])
        let rows = try Row.fetchCursor(statement)
        while let row = try rows.next() { results.append(Item(row)) }
      }
    }
  }

  package func readPages() throws {
    let queue = try opened(queue)
    for start in pageStarts {
      try queue.read { db in
        let statement = try db.cachedStatement(
          sql: """
            SELECT \(GRDBEngine.columns) FROM item WHERE (priority, id) > (?, ?)
            ORDER BY priority, id LIMIT \(Dataset.pageCount)
            """)
        statement.setUncheckedArguments([start.priority, start.id])
        let rows = try Row.fetchCursor(statement)
        while let row = try rows.next() { results.append(Item(row)) }
      }
    }
  }

  package func countGroups() throws -> Int {
    let queue = try opened(queue)
    return try (0..<groupCount).reduce(0) { sum, group in
      try queue.read { db in
        let statement = try db.cachedStatement(sql: "SELECT count(*) FROM item WHERE groupId = ?")
        statement.setUncheckedArguments([group])
        return sum + (try Int.fetchOne(statement) ?? 0)
      }
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
  /// As the other one, with a UUID in the first place.
  fileprivate init(uuidRow row: Row) {
    self.init(
      id: Item.id(of: row[0]), text: row[1], priority: row[2], isDone: row[3], createdAt: row[4],
      groupId: row[5])
  }

  /// Takes columns by position, in the order of `GRDBEngine.columns`.
  init(_ row: Row) {
    self.init(
      id: row[0], text: row[1], priority: row[2], isDone: row[3], createdAt: row[4],
      groupId: row[5])
  }
}
