import Croft
import Foundation
import Testing
import TestSupport

// The visits of a site, as three versions of a program declare them.

enum VisitFirst {
  @Model struct Visit: Hashable {
    @PrimaryKey var id: Int
    @Indexed var page: String
    @Indexed var minute: Int32
    var visitor: UUID
    var seconds: Double
    var note: String?
  }
}

enum VisitWithReferrer {
  @Model struct Visit: Hashable {
    @PrimaryKey var id: Int
    @Indexed var page: String
    @Indexed var minute: Int32
    var visitor: UUID
    var seconds: Double
    var note: String?
    var referrer: String?
    var score = 10
  }
}

enum VisitRenamed {
  @Model struct Visit: Hashable {
    @PrimaryKey var id: Int
    @Indexed var page: String
    @Indexed var minute: Int32
    var visitor: UUID
    @Renamed(from: "seconds") var duration: Double
    var note: String?
    var referrer: String?
    var score = 10
  }
}

/// A million objects, each commit on the disk.
///
/// `Scripts/torture --filter MillionObjectsTests` prints how long each step takes.
@Suite(.keepsFailedStores) struct MillionObjectsTests {
  /// What a step costs, and how large the file is after it.
  private struct Report {
    var lines: [String] = []

    mutating func time<R>(_ what: String, _ body: () throws -> R) rethrows -> R {
      let clock = ContinuousClock()
      let start = clock.now
      let result = try body()
      let milliseconds = (clock.now - start) / .milliseconds(1)
      lines.append("\(what): \((milliseconds * 10).rounded() / 10) ms")
      return result
    }
  }

  private let count = Torture.steps(short: 3_000, long: 1_000_000)
  private let options = Store.Options.forTests {
    $0.durability = .full
    $0.mapSizeBytes = 8 << 30
  }

  private func visit(_ id: Int) -> VisitFirst.Visit {
    let scattered = UInt64(id) &* 0x9E37_79B9_7F4A_7C15
    var bytes = (scattered, UInt64(id))
    let visitor = withUnsafeBytes(of: &bytes) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    return VisitFirst.Visit(
      id: id, page: "/articles/\(scattered >> 52)", minute: Int32(id / 60), visitor: visitor,
      seconds: Double(scattered >> 40) / 1_000, note: id % 8 == 0 ? "from the list \(id % 5)" : nil)
  }

  private func fileSize(_ url: URL) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    return try #require(attributes[.size] as? Int)
  }

  private func open(_ temporary: TemporaryStore, _ model: any Model.Type) throws -> Store {
    try Store.open(at: temporary.url, models: model, options: options)
  }

  @Test func aMillionObjectsLoadAreQueriedChangeTheirFormAndAreCompacted() throws {
    var report = Report()
    try withTemporaryStore(of: VisitRenamed.Visit.self, options: options) { temporary in
      try load(temporary, &report)
      try query(temporary, &report)
      try change(temporary, &report)
      try compact(temporary, &report)
    }
    print("\(count) objects, every commit on the disk:")
    for line in report.lines { print("  " + line) }
  }

  private func load(_ temporary: TemporaryStore, _ report: inout Report) throws {
    let store = try open(temporary, VisitFirst.Visit.self)
    try report.time("load, in one transaction, with two indexes") {
      try store.write { try $0.insert(contentsOf: (0..<count).lazy.map(visit)) }
    }
    try report.time("100 transactions of one update each") {
      for id in 0..<100 {
        try store.write { _ = try $0.update(VisitFirst.Visit.self, id * 7) { $0.note = "seen" } }
      }
    }
    report.lines.append("the file: \(try fileSize(temporary.url) >> 20) MiB")
  }

  private func query(_ temporary: TemporaryStore, _ report: inout Report) throws {
    let store = try report.time("open") { try open(temporary, VisitFirst.Visit.self) }
    let all = try report.time("count all, filter without an index") {
      try store.count(VisitFirst.Visit.where { $0.seconds >= 0 })
    }
    let page = visit(7).page
    let found = try report.time("fetch by an indexed text") {
      try store.fetch(VisitFirst.Visit.where { $0.page == page })
    }
    let latest = try report.time("the last 100 of an indexed range") {
      try store.fetch(
        VisitFirst.Visit.where { $0.minute >= 10 }.order(by: \.minute.descending).limit(100))
    }
    let stride = max(1, count / 10_000)
    let read = try report.time("10,000 objects by their keys") {
      try store.read { tx in
        try Swift.stride(from: 0, to: count, by: stride).reduce(into: 0) { sum, id in
          sum += try tx.get(VisitFirst.Visit.self, id) == nil ? 0 : 1
        }
      }
    }
    let scanned = try report.time("decode all") { try store.fetch(VisitFirst.Visit.all).count }
    #expect(all == count && scanned == count)
    #expect(read == (count + stride - 1) / stride)
    #expect(found.contains { $0.id == 7 } && found.allSatisfy { $0.page == page })
    #expect(latest.count == 100 && latest.first?.minute == Int32((count - 1) / 60))
  }

  /// Adds two fields and renames one; neither touches a row, and the file keeps its size.
  private func change(_ temporary: TemporaryStore, _ report: inout Report) throws {
    func figures(_ model: any Model.Type) throws -> (Int, StoreStatistics.Model?) {
      (try fileSize(temporary.url), try open(temporary, model).statistics.models.first)
    }
    let before = try figures(VisitFirst.Visit.self)
    try report.time("open, adding two fields") {
      _ = try open(temporary, VisitWithReferrer.Visit.self)
    }
    #expect(try figures(VisitWithReferrer.Visit.self) == before)
    try report.time("open, renaming a field") {
      _ = try open(temporary, VisitRenamed.Visit.self)
    }
    #expect(try figures(VisitRenamed.Visit.self) == before)
    let store = try open(temporary, VisitRenamed.Visit.self)
    let first = visit(count - 1)
    let last = try store.get(VisitRenamed.Visit.self, count - 1)
    #expect(last?.duration == first.seconds && last?.referrer == nil && last?.score == 10)
    let old = try report.time("count by a field that no row has") {
      try store.count(VisitRenamed.Visit.where { $0.score == 10 })
    }
    #expect(old == count)
  }

  private func compact(_ temporary: TemporaryStore, _ report: inout Report) throws {
    var store: Store? = try open(temporary, VisitRenamed.Visit.self)
    let half = Int32(count / 120)
    let gone = try report.time("delete every second object") {
      try store?.write { try $0.delete(VisitRenamed.Visit.where { $0.minute < half }) }
    }
    let rest = try store?.count(VisitRenamed.Visit.all)
    #expect(gone.map { $0 + (rest ?? 0) } == count)
    let copy = temporary.folder.appending(path: "copy.croft")
    try report.time("a compacted copy of the open store") { try store?.compact(to: copy) }
    store = nil
    let before = try fileSize(temporary.url)
    try report.time("compact the file in its place") {
      try Store.compact(at: temporary.url, options: options)
    }
    let after = try fileSize(temporary.url)
    report.lines.append("the file: \(before >> 20) MiB, compacted \(after >> 20) MiB")
    #expect(after < before * 3 / 4)
    let sound = try report.time("verify") {
      try open(temporary, VisitRenamed.Visit.self).verify()
    }
    #expect(sound.problems == [])
    #expect(try open(temporary, VisitRenamed.Visit.self).count(VisitRenamed.Visit.all) == rest)
    try FileManager.default.removeItem(at: copy)
  }
}
