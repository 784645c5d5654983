import Harness
import Testing

@Suite struct TargetTests {
  @Test func theReportSaysForEachBoundWhatBecameOfIt() {
    let figures = [
      figure("delete-all", "croft", 10), figure("delete-all", "lmdb", 4),
      figure("delete-all", "grdb", 250), figure("delete-all", "sqlite", 40),
    ]
    #expect(
      Target.report(on: figures) == """
        targets
          workload            croft's  against     bound  ratio  verdict
          delete-all             time     lmdb  <= 2.000  2.500   missed
          delete-all             time     grdb  <= 0.050  0.040      met
          delete-all  25th percentile   sqlite  <= 1.000  0.250      met
          delete-all  25th percentile     grdb  <= 1.000  0.040      met

        """)
  }

  @Test func aRunWithoutTheRivalSaysNothing() {
    #expect(Target.report(on: [figure("delete-all", "croft", 10)]) == nil)
    #expect(Target.report(on: []) == nil)
  }

  @Test func concurrentWritesAreComparedWithSingleOnes() throws {
    let target = try #require(Target.all.first { $0.workload == "write-concurrent" })
    let figures = [figure("write-concurrent", "croft", 5), figure("write-single", "croft", 100)]
    #expect(target.ratio(in: figures) == 0.05)
  }

  @Test func aPeerIsFasterByThe25thPercentileOfTheRounds() throws {
    let targets = Target.all.filter {
      $0.workload == "write-single" && $0.quantity == .firstQuartile
    }
    var croft = figure("write-single", "croft", 200)
    croft.firstQuartile = 90
    let figures = [
      croft, figure("write-single", "sqlite", 100), figure("write-single", "grdb", 60),
    ]
    #expect(targets.map { $0.ratio(in: figures) } == [0.9, 1.5])
    #expect(targets.map(\.bound) == [1, 1])
  }

  @Test func aBoundCanBeATimeOfItsOwn() throws {
    let target = try #require(Target.all.first { $0.workload == "live-change" })
    #expect(target.ratio(in: [figure("live-change", "croft", 30_000)]) == 0.5)
  }

  @Test func everyBoundIsOfAWorkload() {
    for target in Target.all {
      #expect(
        Workloads.named(target.workload) != nil || LiveWorkload.named(target.workload) != nil
          || TextWorkload.named(target.workload) != nil
          || SearchWorkload.named(target.workload) != nil)
    }
  }

  private func figure(_ workload: String, _ engine: String, _ nanoseconds: Double) -> Figure {
    Figure(
      workload: workload, engine: engine, objects: 1, nanosecondsPerObject: nanoseconds,
      ratios: [:], spread: 0, checksum: "1", fileBytes: 1, peakBytes: 1)
  }
}
