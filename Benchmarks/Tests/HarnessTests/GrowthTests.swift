import Harness
import Testing

@Suite struct GrowthTests {
  @Test func eachWorkloadHasARowAndEachNumberOfObjectsAColumn() {
    var growth = Growth()
    growth.add([figure("read-key", 100, peak: 2_000), figure("scan-count", 10)], size: 1_000)
    growth.add([figure("read-key", 250, peak: 30_000), figure("scan-count", 9)], size: 10_000)
    #expect(
      growth.text == """
        growth
          workload      1000   10000  growth  peak B/object of 1000  peak B/object of 10000
          read-key    100 ns  250 ns    2.50                      2                       3
          scan-count   10 ns    9 ns    0.90                      0                       0

        """)
    let section = growth.section(head: ["a machine"])
    #expect(section.title == "Growth" && section.head == ["a machine"])
    #expect(section.tables.joined().contains("| read-key | 100 ns | 250 ns | 2.50 | 2 | 3 |"))
    #expect(growth.json.split(separator: "\n").count == 4)
  }

  @Test func aPartOfALargeThingHasABoundForEachStep() {
    var growth = Growth()
    growth.add([figure("read-key", 1), figure("large-or", 100)], size: 100)
    growth.add([figure("read-key", 9), figure("large-or", 120)], size: 1_000)
    growth.add([figure("read-key", 9), figure("large-or", 150)], size: 10_000)
    #expect(
      growth.text.hasSuffix(
        """

        targets
          workload             objects     bound  ratio  verdict
          large-or    1000 against 100  <= 1.200  1.200      met
          large-or  10000 against 1000  <= 1.200  1.250   missed

        """))
    #expect(growth.section(head: []).tables.count == 2)
  }

  private func figure(_ workload: String, _ nanoseconds: Double, peak: Int = 0) -> Figure {
    Figure(
      workload: workload, engine: "croft", objects: 1, nanosecondsPerObject: nanoseconds,
      ratios: [:], spread: 0, checksum: "1", fileBytes: 1, peakBytes: peak)
  }
}
