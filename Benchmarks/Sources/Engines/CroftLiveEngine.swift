import Croft
import Foundation
package import Harness

/// Croft's live queries as its users write them.
package final class CroftLiveEngine: SharedLiveEngine {
  package static let name = "croft"
  package static let tellsDifferences = true

  private var store: Store?

  package static func about() -> About {
    About(
      versions: "Croft, \(SourceRevision.text)",
      sync: "durability .unsafe, no log for other processes: a commit without observers "
        + "captures nothing")
  }

  package init(at path: String, holding items: [Item]) throws {
    var options = Store.Options()
    options.durability = .unsafe
    options.logsCommits = false
    let store = try Store.open(
      at: URL(fileURLWithPath: path), models: BenchmarkItem.self, options: options)
    try store.write { tx in try tx.insert(contentsOf: items.map(BenchmarkItem.init)) }
    self.store = store
  }

  package init(sharing path: String) throws {
    store = try Store.open(at: URL(fileURLWithPath: path), models: BenchmarkItem.self)
  }

  /// The file is closed with the last reference.
  package func close() { store = nil }

  package func update(_ items: [Item]) throws {
    try opened(store).write { tx in
      for item in items {
        _ = try tx.update(BenchmarkItem.self, item.id) {
          $0.text = item.text
          $0.createdAt = Date(timeIntervalSinceReferenceDate: item.createdAt)
        }
      }
    }
  }

  package func observe(_ query: LiveQuery, into inbox: Inbox) throws -> AnyObject {
    let query =
      switch query {
      case .all: BenchmarkItem.all.order(by: \.createdAt)
      case .group(let group): BenchmarkItem.where { $0.groupId == group }
      }
    return try opened(store).observe(query, onError: { inbox.fail($0) }) { change in
      inbox.deliver { change.after.map(Item.init) }
    }
  }
}
