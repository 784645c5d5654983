import Foundation

/// How long after another process's commit the observer in this one is called.
///
/// A round asks the other process for its commits one by one, each some time after the one before
/// has been heard of, and takes the time from the return of the commit to the call. Each
/// commit must be heard of, and once: a wake-up that is missed fails the run.
/// Threads: a trial belongs to one thread.
package final class WakeUpTrial {
  /// Milliseconds between two commits: so long that looking at the file from time to time, in
  /// pauses that grow, would show.
  private static let pauses = 30..<70

  private let name: String
  private let commits: [[Item]]
  private let patience: Duration
  private let engine: any SharedLiveEngine
  private let writer: any RemoteWriter
  private let folder: StoreFolder
  private let inbox = Inbox()
  private let observer: AnyObject
  private var shown: [Item]
  private var random = SplitMix64(seed: Dataset.seed)
  /// What each round gave: ascending nanoseconds, and what was shown in the end.
  private var rounds: [(times: [Double], checksum: Checksum, fileBytes: Int)] = []

  /// Makes the store, starts the writer and begins to observe.
  ///
  /// - Parameters:
  ///   - size: how many objects, as the workload takes it.
  ///   - directory: the folder of the store.
  ///   - patience: after how long a wake-up has been missed.
  ///   - startWriter: starts a process with a ``CommitMaker`` of the same workload and size for the
  ///     store at a path.
  package init(
    _ type: any SharedLiveEngine.Type, _ workload: LiveWorkload, size: Int, in directory: String,
    patience: Duration = .seconds(10), startWriter: (String) throws -> any RemoteWriter
  ) throws {
    name = type.name
    self.patience = patience
    commits = workload.commits(size)
    folder = StoreFolder("\(type.name)-\(workload.name)", in: directory)
    try folder.create()
    try type.init(at: folder.storePath, holding: workload.items(size)).close()
    engine = try type.init(sharing: folder.storePath)
    writer = try startWriter(folder.storePath)
    observer = try engine.observe(workload.queries(size)[0], into: inbox)
    try inbox.wait(atMost: patience)
    guard case .objects(let items) = try inbox.result() else { throw Unexpected(commit: 0) }
    shown = items
  }

  /// The median and the 99th percentile, as contestants that take each round's figures.
  package var contestants: [any Contestant] {
    [
      Percentile(name: name, fraction: 0.5, of: self),
      Percentile(name: name + "-p99", fraction: 0.99, of: self),
    ]
  }

  /// Closes the store and removes its files; the writer has ended.
  package func finish() throws {
    withExtendedLifetime(observer) {}
    try engine.close()
    try folder.remove()
  }

  private func runRound() throws {
    var times: [Double] = []
    for commit in commits {
      let pause = WakeUpTrial.pauses.lowerBound + random.below(WakeUpTrial.pauses.count)
      Thread.sleep(forTimeInterval: Double(pause) / 1_000)
      let committed = try writer.commit()
      let heard = try inbox.wait(atMost: patience)
      // The observer may be called while the commit is still returning.
      times.append(Double(heard) - Double(committed))
      for item in commit { shown = shown.map { $0.id == item.id ? item : $0 } }
      guard try inbox.result() == .objects(shown) else { throw Unexpected(commit: times.count) }
    }
    var checksum = Checksum()
    for item in shown { checksum.add(item) }
    rounds.append((times.sorted(), checksum, try folder.dataBytes()))
  }

  /// A part of the times of each round.
  private final class Percentile: Contestant {
    let name: String
    private let fraction: Double
    private let trial: WakeUpTrial
    private var roundCount = 0

    init(name: String, fraction: Double, of trial: WakeUpTrial) {
      self.name = name
      self.fraction = fraction
      self.trial = trial
    }

    func round() throws -> Sample {
      // The first one runs the round, for all.
      if roundCount == trial.rounds.count { try trial.runRound() }
      let (times, checksum, fileBytes) = trial.rounds[roundCount]
      roundCount += 1
      let rank = Int((fraction * Double(times.count)).rounded(.up)) - 1
      return Sample(
        nanoseconds: times[max(0, rank)] * Double(times.count), objects: times.count,
        checksum: checksum.hexadecimal, fileBytes: fileBytes, peakBytes: 0)
    }
  }

  /// The observer showed something else than what was committed.
  private struct Unexpected: Error, CustomStringConvertible {
    let commit: Int

    var description: String {
      "the value delivered after commit \(commit) of a round is not the one that another process committed"
    }
  }
}
