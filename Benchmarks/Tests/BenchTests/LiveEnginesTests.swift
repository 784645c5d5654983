import Engines
import Foundation
import Harness
import Testing

/// Every live workload runs tiny on every engine that can, so that none of them rots.
@Suite struct LiveEnginesTests {
  private static let inOneProcess = LiveWorkload.all.filter { !$0.isBetweenProcesses }

  @Test(arguments: inOneProcess.indices)
  func enginesDeliverTheSameResults(workload: Int) throws {
    let workload = LiveEnginesTests.inOneProcess[workload]
    let types = Engines.live.filter { $0.tellsDifferences || !workload.needsDifferences }
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: directory) }
    let trials = try types.map { try LiveTrial($0, workload, size: 300, in: directory.path) }
    // Throws where engines or rounds disagree.
    let comparison = try Comparison(of: workload.name, among: trials, rounds: 1)
    for trial in trials { try trial.finish() }
    #expect(comparison.figures.map(\.engine) == types.map { $0.name })
    #expect(comparison.figures.allSatisfy { $0.objects > 0 && $0.fileBytes > 0 })
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
  }

  /// Commits change each number, whatever the size: an engine may keep quiet where one is the same.
  @Test(
    arguments: ["live-count", "live-sum", "live-group", "live-dashboard", "live-dashboard-read"],
    [1, 2, 150])
  func everyCommitIsDelivered(name: String, size: Int) throws {
    let workload = try #require(LiveWorkload.named(name)?.first)
    let query = try #require(workload.queries(size).first)
    for type in Engines.live {
      var items = workload.items(size)
      let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
      defer { try? FileManager.default.removeItem(at: directory) }
      let engine = try type.init(at: directory.path + "/store", holding: items)
      let inbox = Inbox()
      let observer = try engine.observe(query, into: inbox)
      try inbox.wait(atMost: .seconds(100))
      #expect(try inbox.result() == .numbers(numbers(of: query, items)))
      for commit in workload.commits(size) {
        let before = numbers(of: query, items)
        items = items.map { item in commit.first { $0.id == item.id } ?? item }
        #expect(numbers(of: query, items) != before)
        try engine.update(workload.fields, of: commit)
        try inbox.wait(atMost: .seconds(100))
        #expect(try inbox.result() == .numbers(numbers(of: query, items)), "\(type.name)")
      }
      withExtendedLifetime(observer) {}
      try engine.close()
    }
  }

  /// What an aggregate is of plain objects.
  private func numbers(of query: LiveQuery, _ items: [Item]) -> [Int] {
    switch query {
    case .count(let priority): [items.count { $0.priority == priority }]
    case .sumOfPriorities: [items.reduce(0) { $0 + $1.priority }]
    case .groupCounts:
      Set(items.map(\.groupId)).sorted().flatMap { group in
        [group, items.count { $0.groupId == group }]
      }
    case .dashboard:
      [items.count, items.reduce(0) { $0 + $1.priority }]
        + sums(items, by: \.groupId) + sums(items, by: \.month)
    case .all, .group: []
    }
  }

  private func sums(_ items: [Item], by key: (Item) -> Int) -> [Int] {
    Dictionary(grouping: items, by: key).sorted { $0.key < $1.key }.flatMap { key, items in
      [key, items.reduce(0) { $0 + $1.priority }]
    }
  }

  @Test func aNameMeansOneWorkloadAndTheGroupAll() {
    for workload in LiveWorkload.all {
      #expect(LiveWorkload.named(workload.name)?.map(\.name) == [workload.name])
      #expect(Workloads.named(workload.name) == nil)
    }
    #expect(LiveWorkload.named(LiveWorkload.group)?.count == LiveWorkload.all.count)
    #expect(LiveWorkload.named("lives") == nil)
  }
}

extension Item {
  /// The number of the month in which it was created, in Greenwich.
  fileprivate var month: Int {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar.component(.month, from: Date(timeIntervalSinceReferenceDate: createdAt))
  }
}
