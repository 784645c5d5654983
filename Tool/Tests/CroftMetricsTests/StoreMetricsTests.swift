import Croft
import Foundation
import InMemoryLogging
import Logging
import MetricsTestKit
import Testing

@testable import CroftMetrics

@Model struct Song {
  @PrimaryKey var id: Int
  @Indexed var plays: Int
  var title: String
}

/// What a backend and a log get of a store in memory.
@Suite struct StoreMetricsTests {
  private let store: Store
  private let backend = TestMetrics()
  private let log = InMemoryLogHandler()

  init() throws { store = try Store.inMemory(models: Song.self) }

  private func metrics(slowFrom threshold: Duration?) -> StoreMetrics {
    var options = StoreMetrics.Options()
    options.dimensions = [("store", "songs")]
    options.slowQueryThreshold = threshold
    let log = log
    return StoreMetrics(
      store, options, logger: Logger(label: "songs", factory: { _ in log }), factory: backend)
  }

  @Test func commitsAreCountedAndTimed() throws {
    let metrics = metrics(slowFrom: nil)
    for id in 1...3 {
      try store.write { try $0.insert(Song(id: id, plays: id, title: "a")) }
    }
    // One that changes nothing and one that is rolled back are no commits, and have the writer's
    // lock.
    try store.write { _ in }
    struct Refused: Error {}
    #expect(throws: Refused.self) { try store.write { _ in throw Refused() } }
    let dimensions = [("store", "songs")]
    #expect(try backend.expectCounter("croft_commits_total", dimensions).totalValue == 3)
    let commit = try backend.expectTimer("croft_commit_seconds", dimensions)
    #expect(commit.values.count == 3 && commit.values.allSatisfy { $0 >= 0 })
    #expect(try backend.expectTimer("croft_writer_wait_seconds", dimensions).values.count == 5)
    metrics.stop()
    try store.write { try $0.insert(Song(id: 4, plays: 4, title: "a")) }
    #expect(try backend.expectCounter("croft_commits_total", dimensions).totalValue == 3)
  }

  @Test func asynchronousWritesAreCountedByTheirCommits() async throws {
    let metrics = metrics(slowFrom: nil)
    for id in 1...3 {
      try await store.write { try $0.insert(Song(id: id, plays: id, title: "a")) }
    }
    let counter = try backend.expectCounter("croft_commits_total", [("store", "songs")])
    #expect(counter.totalValue == 3)
    metrics.stop()
  }

  @Test func sizesAreRecorded() throws {
    let metrics = metrics(slowFrom: nil)
    try store.write { try $0.insert(Song(id: 1, plays: 1, title: "a")) }
    let snapshot = try store.snapshot(named: "kept")
    try metrics.update()
    let statistics = try store.statistics
    func gauge(_ name: String, _ model: String? = nil) throws -> Double? {
      let dimensions = [("store", "songs")] + (model.map { [("model", $0)] } ?? [])
      return try backend.expectGauge("croft_\(name)", dimensions).lastValue
    }
    #expect(try gauge("file_bytes") == Double(statistics.fileBytes))
    #expect(try gauge("free_bytes") == Double(statistics.freeBytes))
    #expect(try gauge("map_bytes") == Double(statistics.mapBytes))
    #expect(try gauge("pinned_bytes") == 0)
    #expect(try gauge("readers") == 1)
    #expect(try gauge("objects", "Song") == 1)
    #expect(try gauge("model_bytes", "Song").map { $0 > 0 } == true)
    withExtendedLifetime(snapshot) {}
  }

  /// Each query is as slow as no time at all, and none as an hour.
  @Test func slowQueriesAreLoggedWithTheirPlans() throws {
    try store.write { tx in
      try tx.insert(contentsOf: (1...9).map { Song(id: $0, plays: $0, title: "a") })
    }
    let hour = metrics(slowFrom: .seconds(3_600))
    #expect(try store.fetch(Song.where { $0.plays > 7 }).count == 2)
    #expect(log.entries.isEmpty)
    hour.stop()
    let metrics = metrics(slowFrom: .zero)
    #expect(try store.fetch(Song.where { $0.plays > 7 }).count == 2)
    #expect(try store.count(Song.where { $0.title == "a" }) == 9)
    #expect(try store.fetch(DynamicQuery("Song where plays == 3")).count == 1)
    #expect(try store.get(Song.self, 1) != nil)
    let plans = log.entries.map { "\($0.metadata["plan"] ?? "")" }
    #expect(plans.count == 3 && log.entries.allSatisfy { $0.level == .warning })
    #expect(plans[0].hasPrefix("Song by all rows") && plans[0].contains("test: plays > 7"))
    #expect(plans[1].contains("title == \"a\"") && plans[2].contains("plays == 3"))
    let counter = try backend.expectCounter("croft_slow_queries_total", [("store", "songs")])
    #expect(counter.totalValue == 3)
    metrics.stop()
    _ = try store.fetch(Song.all)
    #expect(log.entries.count == 3)
  }
}
