import Croft
import Foundation
package import Harness

/// Croft as its users write it.
package final class CroftEngine: Engine {
  package static let name = "croft"

  private let items: [BenchmarkItem]
  private let plainItems: [PlainItem]
  private let shuffledIDs: [Int64]
  private let schema: Schema
  private var store: Store?
  private var results: [BenchmarkItem] = []
  private var plainResults: [PlainItem] = []

  package static func about() -> About {
    About(
      versions: "Croft, \(SourceRevision.text)",
      sync: "durability .full: each commit syncs the data, then writes the meta page synchronously")
  }

  package init(_ dataset: Dataset, schema: Schema) {
    items = schema == .indexed ? dataset.items.map(BenchmarkItem.init) : []
    plainItems = schema == .plain ? dataset.items.map(PlainItem.init) : []
    shuffledIDs = dataset.shuffledIDs
    self.schema = schema
  }

  package func open(at path: String) throws {
    let url = URL(fileURLWithPath: path)
    switch schema {
    case .indexed: store = try Store.open(at: url, models: BenchmarkItem.self)
    case .plain: store = try Store.open(at: url, models: PlainItem.self)
    }
  }

  /// The file is closed with the last reference.
  package func close() {
    store = nil
  }

  package func insertAll() throws {
    try opened(store).write { tx in
      switch schema {
      case .indexed: try tx.insert(contentsOf: items)
      case .plain: try tx.insert(contentsOf: plainItems)
      }
    }
  }

  package func deleteAll() throws {
    _ = try opened(store).write { tx in try tx.deleteAll(BenchmarkItem.self) }
  }

  package func deleteAll(priority: Int) throws -> Int {
    try opened(store).write { tx in
      try tx.delete(BenchmarkItem.where { $0.priority == priority })
    }
  }

  package func deleteEach() throws -> Int {
    try opened(store).write { tx in
      var count = 0
      for item in items where try tx.delete(BenchmarkItem.self, item.id) { count += 1 }
      return count
    }
  }

  package func readEach() throws {
    results = try opened(store).read { tx in
      var found: [BenchmarkItem] = []
      found.reserveCapacity(shuffledIDs.count)
      for id in shuffledIDs {
        if let item = try tx.get(BenchmarkItem.self, id) { found.append(item) }
      }
      return found
    }
  }

  package func scan() throws {
    switch schema {
    case .indexed: results = try opened(store).fetch(BenchmarkItem.all)
    case .plain: plainResults = try opened(store).fetch(PlainItem.all)
    }
  }

  package func countOpen(createdAfter: Double) throws -> Int {
    let time = Date(timeIntervalSinceReferenceDate: createdAfter)
    return try opened(store).count(BenchmarkItem.where { !$0.isDone && $0.createdAt > time })
  }

  package func count(priority: Int) throws -> Int {
    try opened(store).count(BenchmarkItem.where { $0.priority == priority })
  }

  package func count(groupId: Int) throws -> Int {
    try opened(store).count(BenchmarkItem.where { $0.groupId == groupId })
  }

  package func takeResults() -> [Item] {
    defer {
      results = []
      plainResults = []
    }
    return results.map(Item.init) + plainResults.map(Item.init)
  }
}

/// The object with two indexes.
@Model struct BenchmarkItem {
  @PrimaryKey var id: Int64
  var text: String
  @Indexed var priority: Int
  var isDone: Bool
  var createdAt: Date
  @Indexed var groupId: Int
}

/// The same object without an index.
@Model struct PlainItem {
  @PrimaryKey var id: Int64
  var text: String
  var priority: Int
  var isDone: Bool
  var createdAt: Date
  var groupId: Int
}

extension BenchmarkItem {
  fileprivate init(_ item: Item) {
    self.init(
      id: item.id, text: item.text, priority: item.priority, isDone: item.isDone,
      createdAt: Date(timeIntervalSinceReferenceDate: item.createdAt), groupId: item.groupId)
  }
}

extension PlainItem {
  fileprivate init(_ item: Item) {
    self.init(
      id: item.id, text: item.text, priority: item.priority, isDone: item.isDone,
      createdAt: Date(timeIntervalSinceReferenceDate: item.createdAt), groupId: item.groupId)
  }
}

extension Item {
  fileprivate init(_ item: BenchmarkItem) {
    self.init(
      id: item.id, text: item.text, priority: item.priority, isDone: item.isDone,
      createdAt: item.createdAt.timeIntervalSinceReferenceDate, groupId: item.groupId)
  }

  fileprivate init(_ item: PlainItem) {
    self.init(
      id: item.id, text: item.text, priority: item.priority, isDone: item.isDone,
      createdAt: item.createdAt.timeIntervalSinceReferenceDate, groupId: item.groupId)
  }
}
