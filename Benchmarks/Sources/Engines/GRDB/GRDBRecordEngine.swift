import Foundation
import GRDB
package import Harness

/// GRDB through its Codable records: the way its guide teaches first.
package final class GRDBRecordEngine: Engine {
  package static let name = "grdb-record"

  private let records: [ItemRecord<Int64>]
  private let uuidRecords: [ItemRecord<UUID>]
  private let extras: [ItemRecord<Int64>]
  private let pageStarts: [Item]
  private let groupCount: Int
  private let ids: [Int64]
  private let shuffledIDs: [Int64]
  private let schema: Schema
  private var queue: DatabaseQueue?
  private var results: [ItemRecord<Int64>] = []
  private var uuidResults: [ItemRecord<UUID>] = []

  package static func about() throws -> About { try SQLiteStore.about() }

  package init(_ dataset: Dataset, schema: Schema) {
    records = dataset.items.map { ItemRecord($0, id: $0.id) }
    uuidRecords = schema == .uuid ? dataset.items.map { ItemRecord($0, id: $0.uuid) } : []
    extras = dataset.extras.map { ItemRecord($0, id: $0.id) }
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
      switch schema {
      case .uuid: for record in uuidRecords { try record.insert(db) }
      case .plain, .indexed: for record in records { try record.insert(db) }
      }
    }
  }

  package func insertSingly() throws {
    let queue = try opened(queue)
    for record in extras { try queue.write { db in try record.insert(db) } }
  }

  package func insertAtOnce() throws { try insertSingly() }

  package func toggleEach() throws {
    try changeEach { $0.isDone.toggle() }
  }

  package func raiseEach() throws {
    try changeEach { $0.priority = ($0.priority + 1) % Dataset.priorityCount }
  }

  private func changeEach(_ change: (inout ItemRecord<Int64>) -> Void) throws {
    try opened(queue).write { db in
      for id in ids {
        guard var record = try ItemRecord<Int64>.fetchOne(db, key: id) else { continue }
        _ = try record.updateChanges(db) { change(&$0) }
      }
    }
  }

  package func deleteAll() throws {
    try opened(queue).write { db in _ = try ItemRecord<Int64>.deleteAll(db) }
  }

  package func deleteAll(priority: Int) throws -> Int {
    try opened(queue).write { db in
      try ItemRecord<Int64>.filter { $0.priority == priority }.deleteAll(db)
    }
  }

  package func deleteEach() throws -> Int {
    try opened(queue).write { db in
      var count = 0
      for id in ids where try ItemRecord<Int64>.deleteOne(db, key: id) { count += 1 }
      return count
    }
  }

  package func readEach() throws {
    results = try opened(queue).read { db in
      var found: [ItemRecord<Int64>] = []
      found.reserveCapacity(shuffledIDs.count)
      for id in shuffledIDs {
        if let record = try ItemRecord<Int64>.fetchOne(db, key: id) { found.append(record) }
      }
      return found
    }
  }

  package func scan() throws {
    try opened(queue).read { db in
      switch schema {
      case .uuid: uuidResults = try ItemRecord<UUID>.order { $0.id }.fetchAll(db)
      case .plain, .indexed: results = try ItemRecord<Int64>.order { $0.id }.fetchAll(db)
      }
    }
  }

  package func readLatestOpen(createdAfter: Double, limit: Int) throws {
    results = try opened(queue).read { db in
      try ItemRecord<Int64>.filter { !$0.isDone && $0.createdAt > createdAfter }
        .order { [$0.createdAt.desc, $0.id] }.limit(limit).fetchAll(db)
    }
  }

  package func readGroups() throws {
    let queue = try opened(queue)
    for group in 0..<groupCount {
      results += try queue.read { db in
        try ItemRecord<Int64>.filter { $0.groupId == group }.fetchAll(db)
      }
    }
  }

  package func readPages() throws {
    let queue = try opened(queue)
    for start in pageStarts {
      results += try queue.read { db in
        try ItemRecord<Int64>
          .filter {
            $0.priority > start.priority || ($0.priority == start.priority && $0.id > start.id)
          }
          // Without the bound SQLite reads the whole index: it knows no range of the two terms.
          .filter { $0.priority >= start.priority }
          .order { [$0.priority, $0.id] }
          .limit(Dataset.pageCount)
          .fetchAll(db)
      }
    }
  }

  package func countGroups() throws -> Int {
    try (0..<groupCount).reduce(0) { try $0 + count(groupId: $1) }
  }

  package func countOpen(createdAfter: Double) throws -> Int {
    try opened(queue).read { db in
      try ItemRecord<Int64>.filter { !$0.isDone && $0.createdAt > createdAfter }.fetchCount(db)
    }
  }

  package func count(priority: Int) throws -> Int {
    try opened(queue).read { db in
      try ItemRecord<Int64>.filter { $0.priority == priority }.fetchCount(db)
    }
  }

  package func count(groupId: Int) throws -> Int {
    try opened(queue).read { db in
      try ItemRecord<Int64>.filter { $0.groupId == groupId }.fetchCount(db)
    }
  }

  package func takeResults() -> [Item] {
    defer {
      results = []
      uuidResults = []
    }
    return results.map(Item.init) + uuidResults.map(Item.init)
  }
}

/// The object as a GRDB user declares it.
private struct ItemRecord<ID: Codable>: Codable, FetchableRecord, PersistableRecord {
  static var databaseTableName: String { "item" }

  var id: ID
  var text: String
  var priority: Int
  var isDone: Bool
  var createdAt: Date
  var groupId: Int

  enum Columns {
    static var id: Column { Column(CodingKeys.id) }
    static var priority: Column { Column(CodingKeys.priority) }
    static var isDone: Column { Column(CodingKeys.isDone) }
    static var createdAt: Column { Column(CodingKeys.createdAt) }
    static var groupId: Column { Column(CodingKeys.groupId) }
  }

  // A number, as in the other engines, instead of GRDB's text, which is slower and rounds.
  static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
    .timeIntervalSinceReferenceDate
  }

  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
    .timeIntervalSinceReferenceDate
  }

  init(_ item: Item, id: ID) {
    self.id = id
    text = item.text
    priority = item.priority
    isDone = item.isDone
    createdAt = Date(timeIntervalSinceReferenceDate: item.createdAt)
    groupId = item.groupId
  }
}

extension Item {
  fileprivate init(_ record: ItemRecord<Int64>) {
    self.init(
      id: record.id, text: record.text, priority: record.priority, isDone: record.isDone,
      createdAt: record.createdAt.timeIntervalSinceReferenceDate, groupId: record.groupId)
  }

  fileprivate init(_ record: ItemRecord<UUID>) {
    self.init(
      id: Item.id(of: record.id), text: record.text, priority: record.priority,
      isDone: record.isDone, createdAt: record.createdAt.timeIntervalSinceReferenceDate,
      groupId: record.groupId)
  }
}
