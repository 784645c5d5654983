import Harness
import Testing

@Suite struct ComparisonTests {
  @Test func contestantsTakeTurnsAndEachRoundStartsWithAnother() throws {
    let log = Log()
    let contestants = ["a", "b", "c"].map { Scripted($0, log) }
    _ = try Comparison(of: "w", among: contestants, rounds: 2)
    #expect(log.names == ["a", "b", "c", "b", "c", "a", "c", "a", "b"])
  }

  @Test func theWarmUpCountsForMemoryButNotForTime() throws {
    let contestant = Scripted("a", times: [9_000, 200, 100, 300], peaks: [50, 1, 2, 3])
    let comparison = try Comparison(of: "w", among: [contestant], rounds: 3)
    #expect(comparison.figures[0].nanosecondsPerObject == 20)
    #expect(comparison.figures[0].firstQuartile == 10)
    #expect(comparison.figures[0].spread == 1)
    #expect(comparison.figures[0].peakBytes == 50)
  }

  @Test func ratiosAreTakenAgainstTheRawPeerAndAgainstGRDB() throws {
    let contestants = [
      Scripted("croft", times: [300]), Scripted("lmdb", times: [200]),
      Scripted("grdb", times: [600]),
    ]
    let figures = try Comparison(of: "w", among: contestants, rounds: 1).figures
    #expect(figures.map(\.engine) == ["croft", "lmdb", "grdb"])
    #expect(figures.map { $0.ratios["lmdb"] } == [1.5, 1, 3])
    #expect(figures.map { $0.ratios["grdb"] } == [0.5, 200.0 / 600.0, 1])
  }

  @Test func withoutThePeerThereIsNoRatio() throws {
    let figures = try Comparison(of: "w", among: [Scripted("croft")], rounds: 1).figures
    #expect(figures[0].ratios.isEmpty)
  }

  @Test func differentChecksumsEndTheComparison() {
    let contestants = [Scripted("a", checksums: ["11"]), Scripted("b", checksums: ["22"])]
    let error = #expect(throws: Disagreement.self) {
      try Comparison(of: "w", among: contestants, rounds: 1)
    }
    #expect(
      error?.description == """
        w: the engines do not agree, so no figure counts. Checksums:
          a: 11 over 10 objects
          b: 22 over 10 objects
        """)
  }

  @Test func aChecksumThatChangesBetweenRoundsEndsTheComparison() {
    let contestant = Scripted("a", checksums: ["11", "11", "22"])
    #expect(throws: Disagreement.self) {
      try Comparison(of: "w", among: [contestant], rounds: 2)
    }
  }

  @Test func anErrorOfAContestantEndsTheComparison() {
    #expect(throws: Scripted.Failure.self) {
      try Comparison(of: "w", among: [Scripted("a", failsInRound: 1)], rounds: 2)
    }
  }
}

/// The order in which contestants ran.
private final class Log {
  var names: [String] = []
}

/// A contestant whose rounds are written down; the last entry of each list repeats.
private final class Scripted: Contestant {
  struct Failure: Error {}

  let name: String
  private let log: Log
  private let times: [Double]
  private let peaks: [Int]
  private let checksums: [String]
  private let failsInRound: Int?
  private var rounds = 0

  init(
    _ name: String, _ log: Log = Log(), times: [Double] = [100], peaks: [Int] = [0],
    checksums: [String] = ["11"], failsInRound: Int? = nil
  ) {
    self.name = name
    self.log = log
    self.times = times
    self.peaks = peaks
    self.checksums = checksums
    self.failsInRound = failsInRound
  }

  func round() throws -> Sample {
    log.names.append(name)
    defer { rounds += 1 }
    if rounds == failsInRound { throw Failure() }
    func entry<Value>(_ list: [Value]) -> Value { list[min(rounds, list.count - 1)] }
    return Sample(
      nanoseconds: entry(times), objects: 10, checksum: entry(checksums), fileBytes: 0,
      peakBytes: entry(peaks))
  }
}
