import Croft
import Foundation
package import Harness

/// Croft as its users write it.
package class CroftEngine: Engine {
  package class var name: String { "croft" }

  /// What a commit waits for.
  class var durability: Store.Durability { .full }

  private let items: [BenchmarkItem]
  private let plainItems: [PlainItem]
  private let uuidItems: [UUIDItem]
  private let extras: [BenchmarkItem]
  private let pageStarts: [BenchmarkItem]
  private let groupCount: Int
  private let ids: [Int64]
  private let shuffledIDs: [Int64]
  private let schema: Schema
  private var store: Store?
  private var results: [BenchmarkItem] = []
  private var plainResults: [PlainItem] = []
  private var uuidResults: [UUIDItem] = []

  package class func about() -> About {
    About(
      versions: "Croft, \(SourceRevision.text)",
      sync: "durability .full: each commit syncs its record in the journal; checkpoints as they "
        + "come")
  }

  package required init(_ dataset: Dataset, schema: Schema) {
    items = schema == .indexed ? dataset.items.map(BenchmarkItem.init) : []
    plainItems = schema == .plain ? dataset.items.map(PlainItem.init) : []
    uuidItems = schema == .uuid ? dataset.items.map(UUIDItem.init) : []
    extras = dataset.extras.map(BenchmarkItem.init)
    pageStarts = dataset.pageStarts.map(BenchmarkItem.init)
    groupCount = dataset.groupCount
    ids = dataset.ids
    shuffledIDs = dataset.shuffledIDs
    self.schema = schema
  }

  package func open(at path: String) throws {
    let url = URL(fileURLWithPath: path)
    var options = Store.Options()
    options.durability = Self.durability
    switch schema {
    case .indexed: store = try Store.open(at: url, models: BenchmarkItem.self, options: options)
    case .plain: store = try Store.open(at: url, models: PlainItem.self, options: options)
    case .uuid: store = try Store.open(at: url, models: UUIDItem.self, options: options)
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
      case .uuid: try tx.insert(contentsOf: uuidItems)
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
      for id in ids where try tx.delete(BenchmarkItem.self, id) { count += 1 }
      return count
    }
  }

  package func toggleEach() throws {
    try opened(store).write { tx in
      for id in ids { try tx.update(BenchmarkItem.self, id) { $0.isDone.toggle() } }
    }
  }

  package func raiseEach() throws {
    try opened(store).write { tx in
      for id in ids {
        try tx.update(BenchmarkItem.self, id) {
          $0.priority = ($0.priority + 1) % Dataset.priorityCount
        }
      }
    }
  }

  package func insertSingly() throws {
    let store = try opened(store)
    for item in extras { try store.write { tx in try tx.insert(item) } }
  }

  /// A task for each object; the caller's thread waits for all of them.
  package func insertAtOnce() throws {
    let store = try opened(store)
    let extras = extras
    try Waiting.run {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for item in extras {
          group.addTask { try await store.write { tx in try tx.insert(item) } }
        }
        try await group.waitForAll()
      }
    }
  }

  package func readLatestOpen(createdAfter: Double, limit: Int) throws {
    let time = Date(timeIntervalSinceReferenceDate: createdAfter)
    results = try opened(store).fetch(
      BenchmarkItem.where { !$0.isDone && $0.createdAt > time }
        .order(by: \.createdAt.descending).limit(limit))
  }

  package func readGroups() throws {
    let store = try opened(store)
    for group in 0..<groupCount {
      results += try store.fetch(BenchmarkItem.where { $0.groupId == group })
    }
  }

  package func readPages() throws {
    let store = try opened(store)
    let list = BenchmarkItem.all.order(by: \.priority)
    for start in pageStarts {
      results += try store.fetch(list.page(after: start, Dataset.pageCount))
    }
  }

  package func countGroups() throws -> Int {
    let store = try opened(store)
    return try (0..<groupCount).reduce(0) { sum, group in
      sum + (try store.count(BenchmarkItem.where { $0.groupId == group }))
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
    case .uuid: uuidResults = try opened(store).fetch(UUIDItem.all)
    }
  }

  package func countOpen(createdAfter: Double) throws -> Int {
    let time = Date(timeIntervalSinceReferenceDate: createdAfter)
    return try opened(store).count(BenchmarkItem.where { !$0.isDone && $0.createdAt > time })
  }

  package func count(priority: Int) throws -> Int {
    schema == .uuid
      ? try opened(store).count(UUIDItem.where { $0.priority == priority })
      : try opened(store).count(BenchmarkItem.where { $0.priority == priority })
  }

  package func count(groupId: Int) throws -> Int {
    schema == .uuid
      ? try opened(store).count(UUIDItem.where { $0.groupId == groupId })
      : try opened(store).count(BenchmarkItem.where { $0.groupId == groupId })
  }

  package func takeResults() -> [Item] {
    defer {
      results = []
      plainResults = []
      uuidResults = []
    }
    return results.map(Item.init) + plainResults.map(Item.init) + uuidResults.map(Item.init)
  }
}
