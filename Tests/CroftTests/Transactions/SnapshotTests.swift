import Foundation
import LMDB
import Synchronization
import Testing

@testable import Croft

@Suite(.keepsFailedStores) struct SnapshotTests {
  /// A clock that the test moves.
  private final class HandClock: Sendable {
    private let elapsed = Mutex(Duration.zero)
    var now: Duration { elapsed.withLock { $0 } }
    func advance(by duration: Duration) { elapsed.withLock { $0 += duration } }
  }

  @Test func aSnapshotReadsAsTheStoreDidWhenItWasMade() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<10)) }
      let snapshot = try store.snapshot(named: "report")
      try store.write { tx in
        try tx.deleteAll(Song.self)
        try tx.insert(Song(id: 77, title: "later"))
      }
      #expect(try snapshot.fetch(Song.all) == Song.numbered(0..<10))
      #expect(try snapshot.count(Song.where { $0.plays == 3 }) == 1)
      #expect(try snapshot.first(Song.all)?.id == 0)
      #expect(try snapshot.get(Song.self, 77) == nil)
      #expect(try snapshot.get(Song.self, 4)?.title == "Song 4")
      let ids = try snapshot.read { tx in [try tx.count(Song.all), try tx.fetch(Song.all).count] }
      #expect(ids == [10, 10])
      #expect(snapshot.name == "report")
      #expect(try store.fetch(Song.all).map(\.id) == [77])
    }
  }

  @Test func aSnapshotHasTheAsyncDoorsToo() async throws {
    try await withStore(of: Song.self) { store in
      try await store.write { try $0.insert(contentsOf: Song.numbered(0..<10)) }
      let snapshot = try store.snapshot()
      try await store.write { _ = try $0.deleteAll(Song.self) }
      let count = try await snapshot.count(Song.all)
      #expect(count == 10)
      #expect(try await snapshot.read { try $0.fetch(Song.all) } == Song.numbered(0..<10))
    }
  }

  @Test func manyTasksReadOneSnapshot() async throws {
    try await withStore(of: Song.self) { store in
      try await store.write { try $0.insert(contentsOf: Song.numbered(0..<200)) }
      let snapshot = try store.snapshot()
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<8 {
          group.addTask { try await snapshot.fetch(Song.where { $0.plays == 3 }).count }
          group.addTask {
            try await store.write { _ = try $0.delete(Song.where { $0.plays == 3 }) }
            return 20
          }
        }
        for try await count in group { #expect(count == 20) }
      }
    }
  }

  @Test func aSnapshotKeepsItsStoreOpen() throws {
    try withTemporaryStore(of: Song.self) { temporary in
      var store: Store? = try temporary.open()
      try store?.write { try $0.insert(contentsOf: Song.numbered(0..<10)) }
      let snapshot = try #require(try store?.snapshot())
      store = nil
      #expect(try snapshot.count(Song.all) == 10)
    }
  }

  @Test func aSnapshotOfAStoreThatAnotherProcessExtendedIsMade() async throws {
    try await withStore(of: Song.self) { store in
      let path = store.environment.path
      await #expect(processExitsWith: .success) { [path = path as String] in
        _ = try Store.open(
          at: URL(filePath: path), models: Song.self, Album.self, options: .forTests)
      }
      let count = try await store.snapshot().count(Song.all)
      #expect(count == 0)
    }
  }

  @Test func aSnapshotTellsWhatItPins() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<2_000)) }
      let snapshot = try store.snapshot()
      #expect(try snapshot.pinnedBytes() == 0)
      try store.write { _ = try $0.deleteAll(Song.self) }
      let pinned = try snapshot.pinnedBytes()
      // All rows and entries were on pages that the snapshot still sees.
      #expect(pinned > 2_000 * 60)
      #expect(pinned.isMultiple(of: 4_096))
    }
  }

  @Test func aSnapshotPastTheAgeIsReportedOnceWithWhatItPins() throws {
    let options = Store.Options.forTests { $0.snapshotWarningAge = .seconds(30) }
    try withStore(of: Song.self, options: options) { store in
      let clock = HandClock()
      let told = Recorder<StoreDiagnostic>()
      store.snapshots.setClock { clock.now }
      store.onDiagnostic = { told.add($0) }
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<500)) }
      let snapshot = try store.snapshot(named: "report")
      clock.advance(by: .seconds(30))
      try store.write { _ = try $0.deleteAll(Song.self) }
      #expect(told.all == [])
      clock.advance(by: .seconds(1))
      #expect(snapshot.age == .seconds(31))
      let pinned = try snapshot.pinnedBytes()
      try store.write { try $0.insert(Song(id: 1, title: "a")) }
      #expect(told.all.count == 1)
      guard case .oldSnapshot("report", .seconds(31), let bytes?) = told.all.first else {
        Issue.record("another diagnostic: \(told.all)")
        return
      }
      #expect(bytes >= pinned && pinned > 0)
      #expect(told.all[0].description.contains("report has been open for 31 seconds"))
      _ = try snapshot.count(Song.all)
      try store.write { try $0.insert(Song(id: 2, title: "b")) }
      #expect(told.all.count == 1)
    }
  }

  @Test func anAsyncWriteReportsAnOldSnapshotToo() async throws {
    let options = Store.Options.forTests { $0.snapshotWarningAge = .seconds(30) }
    try await withStore(of: Song.self, options: options) { store in
      let clock = HandClock()
      let told = Recorder<StoreDiagnostic>()
      store.snapshots.setClock { clock.now }
      store.onDiagnostic = { told.add($0) }
      let snapshot = try store.snapshot()
      clock.advance(by: .seconds(31))
      try await store.write { try $0.insert(Song(id: 1, title: "a")) }
      #expect(told.all.count == 1)
      withExtendedLifetime(snapshot) {}
    }
  }

  @Test func readingAnOldSnapshotWarnsToo() throws {
    let options = Store.Options.forTests { $0.snapshotWarningAge = .seconds(30) }
    try withStore(of: Song.self, options: options) { store in
      let clock = HandClock()
      let told = Recorder<StoreDiagnostic>()
      store.snapshots.setClock { clock.now }
      store.onDiagnostic = { told.add($0) }
      let snapshot = try store.snapshot()
      clock.advance(by: .seconds(31))
      _ = try snapshot.count(Song.all)
      #expect(told.all.count == 1)
    }
  }

  @Test func withoutAWarningAgeNothingIsReported() throws {
    let options = Store.Options.forTests { $0.snapshotWarningAge = nil }
    try withStore(of: Song.self, options: options) { store in
      let clock = HandClock()
      let told = Recorder<StoreDiagnostic>()
      store.snapshots.setClock { clock.now }
      store.onDiagnostic = { told.add($0) }
      let snapshot = try store.snapshot()
      clock.advance(by: .seconds(1_000_000))
      _ = try snapshot.count(Song.all)
      #expect(told.all == [])
    }
  }

  @Test func withoutAHandlerTheWarningIsALineOnTheStandardError() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      let options = Store.Options.forTests { $0.snapshotWarningAge = .seconds(1) }
      try withStore(of: Song.self, options: options) { store in
        let clock = HandClock()
        store.snapshots.setClock { clock.now }
        let snapshot = try store.snapshot(named: "report")
        clock.advance(by: .seconds(5))
        _ = try snapshot.count(Song.all)
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("croft: The snapshot report has been open for 5 seconds"))
  }
}
