import Engines
import Foundation
import Harness
import Testing

/// What becomes of wake-ups that do not come, or bring something else.
@Suite struct WakeUpTrialTests {
  /// Says that it commits.
  private struct Liar: RemoteWriter {
    func commit() -> UInt64 { SharedClock.now }
  }

  /// Commits in this process what is asked for.
  private final class Honest: RemoteWriter {
    private var maker: CommitMaker

    init(_ maker: CommitMaker) { self.maker = maker }

    func commit() throws -> UInt64 { try maker.commit() }
  }

  /// Commits something else to an object that is watched.
  private struct Stranger: RemoteWriter {
    let engine: CroftLiveEngine

    func commit() throws -> UInt64 {
      try engine.update(
        .textAndTime,
        of: [Item(id: 10, text: "strange", priority: 0, isDone: false, createdAt: 0, groupId: 0)])
      return SharedClock.now
    }
  }

  private func withTrial(
    patience: Duration, writer: (LiveWorkload, String) throws -> any RemoteWriter,
    _ body: (WakeUpTrial) throws -> Void
  ) throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: directory) }
    let workload = try #require(LiveWorkload.named("live-wake-up")?.first)
    let trial = try WakeUpTrial(
      CroftLiveEngine.self, workload, size: 100, in: directory.path, patience: patience
    ) { path in
      try writer(workload, path)
    }
    try body(trial)
    try trial.finish()
  }

  @Test func aWakeUpThatIsMissedEndsTheRun() throws {
    try withTrial(patience: .seconds(1)) { _, _ in
      Liar()
    } _: { trial in
      let error = #expect(throws: (any Error).self) { try trial.contestants[0].round() }
      #expect(error.map { "\($0)" }?.contains("was not delivered within") == true)
    }
  }

  @Test func aDeliveryOfSomethingElseEndsTheRun() throws {
    try withTrial(patience: .seconds(100)) { _, path in
      Stranger(engine: try CroftLiveEngine(sharing: path))
    } _: { trial in
      let error = #expect(throws: (any Error).self) { try trial.contestants[0].round() }
      #expect(
        error.map { "\($0)" }?.contains("is not the one that another process committed") == true)
    }
  }

  @Test func bothPercentilesAreOfTheSameCommits() throws {
    try withTrial(patience: .seconds(100)) { workload, path in
      Honest(try CommitMaker(CroftLiveEngine.self, workload, size: 100, at: path))
    } _: { trial in
      let contestants = trial.contestants
      #expect(contestants.map(\.name) == ["croft", "croft-p99"])
      for turn in [[0, 1], [1, 0]] {
        let samples = try turn.map { try contestants[$0].round() }
        #expect(samples[0].checksum == samples[1].checksum)
        #expect(samples.allSatisfy { $0.objects == 8 && $0.fileBytes > 0 })
        #expect(samples[turn[0]].nanoseconds <= samples[turn[1]].nanoseconds)
      }
    }
  }
}
