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

  package func update(_ fields: LiveFields, of items: [Item]) throws {
    try opened(store).write { tx in
      for item in items {
        _ = try tx.update(BenchmarkItem.self, item.id) {
          switch fields {
          case .textAndTime:
            $0.text = item.text
            $0.createdAt = Date(timeIntervalSinceReferenceDate: item.createdAt)
          case .priorityAndGroup:
            $0.priority = item.priority
            $0.groupId = item.groupId
          }
        }
      }
    }
  }

  package func observe(_ query: LiveQuery, into inbox: Inbox) throws -> AnyObject {
    let store = try opened(store)
    switch query {
    case .all:
      return observe(BenchmarkItem.all.order(by: \.createdAt), of: store, into: inbox)
    case .group(let group):
      return observe(BenchmarkItem.where { $0.groupId == group }, of: store, into: inbox)
    case .count(let priority):
      return store.observe(
        BenchmarkItem.where { $0.priority == priority }.count, onError: { inbox.fail($0) }
      ) { count in
        inbox.deliver { .numbers([count]) }
      }
    case .sumOfPriorities:
      return store.observe(BenchmarkItem.all.sum(\.priority), onError: { inbox.fail($0) }) { sum in
        inbox.deliver { .numbers([sum]) }
      }
    case .groupCounts:
      return store.observe(
        BenchmarkItem.all.grouped(by: \.groupId, .count), onError: { inbox.fail($0) }
      ) { groups in
        inbox.deliver { .numbers(groups.flatMap { [$0.key, $0.values] }) }
      }
    case .dashboard(let isReadAgain):
      return isReadAgain
        ? observeReading(of: store, into: inbox) : observeTogether(of: store, into: inbox)
    }
  }

  private static let total = BenchmarkItem.all.sum(\.priority)
  private static let byGroup = BenchmarkItem.all.grouped(by: \.groupId, .sum(\.priority))
  private static let byMonth = BenchmarkItem.all.grouped(
    by: { $0.createdAt.component(.month, in: universal) }, .sum(\.priority))

  private static let universal: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  private static func numbers(
    _ count: Int, _ total: Int, _ groups: [ResultGroup<Int, Int>], _ months: [ResultGroup<Int, Int>]
  ) -> [Int] {
    [count, total] + (groups + months).flatMap { [$0.key, $0.values] }
  }

  private func observeTogether(of store: Store, into inbox: Inbox) -> ObservationToken {
    let (total, byGroup, byMonth) = (Self.total, Self.byGroup, Self.byMonth)
    return store.observe(
      CombinedRequest(BenchmarkItem.all.count, total, byGroup, byMonth),
      onError: { inbox.fail($0) }
    ) { count, total, groups, months in
      inbox.deliver { .numbers(Self.numbers(count, total, groups, months)) }
    }
  }

  private func observeReading(of store: Store, into inbox: Inbox) -> ObservationToken {
    let (total, byGroup, byMonth) = (Self.total, Self.byGroup, Self.byMonth)
    let request = ReadRequest { tx in
      Self.numbers(
        try tx.fetch(BenchmarkItem.all.count), try tx.fetch(total), try tx.fetch(byGroup),
        try tx.fetch(byMonth))
    }
    return store.observe(request, onError: { inbox.fail($0) }) { numbers in
      inbox.deliver { .numbers(numbers) }
    }
  }

  private func observe(
    _ query: Query<BenchmarkItem>, of store: Store, into inbox: Inbox
  ) -> ObservationToken {
    store.observe(query, onError: { inbox.fail($0) }) { change in
      inbox.deliver { .objects(change.after.map(Item.init)) }
    }
  }
}
