import Foundation
import LMDB
import Synchronization
import Testing

@testable import Croft

/// A store whose models are replicated, with a twin of its outbox.
final class ReplicatedStore {
  let url: URL
  private let models: [any Model.Type]
  private let migrations: [Migration]
  private let shared = Shared()
  private(set) var store: Store?
  var twin = OutboxTwin()
  /// The last stamp that the store gave.
  private(set) var last = Stamp(time: 0, replica: 7)

  /// Opens a store, and marks its models as replicated.
  init(_ url: URL, _ models: [any Model.Type], marks: Bool = true, _ migrations: [Migration] = [])
    throws
  {
    (self.url, self.models, self.migrations) = (url, models, migrations)
    try reopen()
    if marks { try opened.replicate(models, as: 7) }
  }

  var opened: Store { get throws { try #require(store) } }

  /// What the store's transactions use: the local clock, and the events of commits.
  private final class Shared: Sendable {
    let milliseconds = Mutex<UInt64>(1_000_000)
    let events = Mutex<[RecordingSink.Event]>([])

    var now: @Sendable () -> UInt64 { { self.milliseconds.withLock { $0 } } }

    /// A sink that tells the twin what is committed.
    func sink() -> RecordingSink {
      RecordingSink(.rows) { events in self.events.withLock { $0 += events } }
    }
  }

  /// Milliseconds of the local clock.
  var milliseconds: UInt64 {
    get { shared.milliseconds.withLock { $0 } }
    set { shared.milliseconds.withLock { $0 = newValue } }
  }

  func reopen() throws {
    store = nil
    store = try StoreOpening(
      path: url.path, models, .forTests, migrations, makeSinks: { [shared] in [shared.sink()] },
      milliseconds: shared.now
    ).run()
  }

  /// Writes through a capture that puts each change into the outbox at once.
  func writeUnbuffered(_ body: (inout Croft.WriteTransaction) throws -> Void) throws {
    let store = try opened
    var tx = try store.beginWrite()
    let capture = ReplicationCapture(
      try #require(tx.catalog.outbox), tx.catalog.meta, milliseconds: shared.now)
    capture.longestBytes = 0
    tx.context.changes = ChangeStream(
      of: tx.catalog.all, observers: nil, others: [capture, shared.sink()])
    try body(&tx)
    try store.commit(tx)
  }

  func clock() throws -> ReplicaClock {
    let catalog = try opened.knownCatalog
    return try opened.environment.read { try ReplicaClock(in: catalog.meta, $0) }
  }

  /// Takes what was committed into the twin, and compares the outbox with it.
  func check(_ name: String = "", sourceLocation: SourceLocation = #_sourceLocation) throws {
    let taken = shared.events.withLock { events in
      defer { events = [] }
      return events
    }
    let stamp = Stamp(time: try clock().last, replica: 7)
    #expect(stamp >= last, "\(name)", sourceLocation: sourceLocation)
    last = stamp
    try twin.take(taken, try opened.knownCatalog.all, at: stamp)
    let (found, expected) = (try opened.outbox(), twin.entries)
    #expect(found == expected, "\(name)", sourceLocation: sourceLocation)
    #expect(try opened.verify().problems == [], "\(name)", sourceLocation: sourceLocation)
  }

  /// The server has everything: the outbox is emptied.
  func acknowledge() throws {
    try opened.writeInEngine { tx in
      let outbox = try #require(try Outbox(in: tx))
      try tx.empty(outbox.tree)
    }
    twin.acknowledge()
  }
}
