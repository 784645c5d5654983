import Foundation
import GRDB
package import Harness

/// GRDB through its Codable records: the way its guide teaches first.
package final class GRDBRecordEngine: Engine {
  package static let name = "grdb-record"

  private let records: [ItemRecord]
  private let shuffledIDs: [Int64]
  private let schema: Schema
  private var queue: DatabaseQueue?
  private var results: [ItemRecord] = []

  package static func about() throws -> About { try SQLiteStore.about() }

  package init(_ dataset: Dataset, schema: Schema) {
    records = dataset.items.map(ItemRecord.init)
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
      for record in records { try record.insert(db) }
    }
  }

  package func deleteAll() throws {
    try opened(queue).write { db in _ = try ItemRecord.deleteAll(db) }
  }

  package func deleteAll(priority: Int) throws -> Int {
    try opened(queue).write { db in
      try ItemRecord.filter { $0.priority == priority }.deleteAll(db)
    }
  }

  package func deleteEach() throws -> Int {
    try opened(queue).write { db in
      var count = 0
      for record in records where try ItemRecord.deleteOne(db, key: record.id) { count += 1 }
      return count
    }
  }

  package func readEach() throws {
    results = try opened(queue).read { db in
      var found: [ItemRecord] = []
      found.reserveCapacity(shuffledIDs.count)
      for id in shuffledIDs {
        if let record = try ItemRecord.fetchOne(db, key: id) { found.append(record) }
      }
      return found
    }
  }

  package func scan() throws {
    results = try opened(queue).read { db in try ItemRecord.order { $0.id }.fetchAll(db) }
  }

  package func countOpen(createdAfter: Double) throws -> Int {
    try opened(queue).read { db in
      try ItemRecord.filter { !$0.isDone && $0.createdAt > createdAfter }.fetchCount(db)
    }
  }

  package func count(priority: Int) throws -> Int {
    try opened(queue).read { db in try ItemRecord.filter { $0.priority == priority }.fetchCount(db)
    }
  }

  package func count(groupId: Int) throws -> Int {
    try opened(queue).read { db in try ItemRecord.filter { $0.groupId == groupId }.fetchCount(db) }
  }

  package func takeResults() -> [Item] {
    defer { results = [] }
    return results.map(Item.init)
  }
}

/// The object as a GRDB user declares it.
private struct ItemRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "item"

  var id: Int64
  var text: String
  var priority: Int
  var isDone: Bool
  var createdAt: Date
  var groupId: Int

  enum Columns {
    static let id = Column(CodingKeys.id)
    static let priority = Column(CodingKeys.priority)
    static let isDone = Column(CodingKeys.isDone)
    static let createdAt = Column(CodingKeys.createdAt)
    static let groupId = Column(CodingKeys.groupId)
  }

  // A number, as in the other engines, instead of GRDB's text, which is slower and rounds.
  static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
    .timeIntervalSinceReferenceDate
  }

  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
    .timeIntervalSinceReferenceDate
  }

  init(_ item: Item) {
    id = item.id
    text = item.text
    priority = item.priority
    isDone = item.isDone
    createdAt = Date(timeIntervalSinceReferenceDate: item.createdAt)
    groupId = item.groupId
  }
}

extension Item {
  fileprivate init(_ record: ItemRecord) {
    self.init(
      id: record.id, text: record.text, priority: record.priority, isDone: record.isDone,
      createdAt: record.createdAt.timeIntervalSinceReferenceDate, groupId: record.groupId)
  }
}
