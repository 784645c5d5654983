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

  @Test func aNameMeansOneWorkloadAndTheGroupAll() {
    for workload in LiveWorkload.all {
      #expect(LiveWorkload.named(workload.name)?.map(\.name) == [workload.name])
      #expect(Workloads.named(workload.name) == nil)
    }
    #expect(LiveWorkload.named(LiveWorkload.group)?.count == LiveWorkload.all.count)
    #expect(LiveWorkload.named("lives") == nil)
  }
}
