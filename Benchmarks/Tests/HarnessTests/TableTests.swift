import Harness
import Testing

@Suite struct TableTests {
  @Test func columnsLineUpAndMissingRatiosAreDashes() throws {
    let contestants = [Fixed("croft", 1_234_560), Fixed("grdb", 24_691_200)]
    let comparison = try Comparison(of: "scan-count", among: contestants, rounds: 1)
    #expect(
      Table.text(of: comparison) == """
        scan-count, 1000 objects
          engine  ns/object  x lmdb  x sqlite  x grdb  spread  file MB  peak MB
          croft      1234.6       -         -    0.05      0%      0.1      2.0
          grdb      24691.2       -         -    1.00      0%      0.1      2.0

        """)
  }
}

/// A contestant with one and the same sample in every round.
private final class Fixed: Contestant {
  let name: String
  private let nanoseconds: Double

  init(_ name: String, _ nanoseconds: Double) {
    self.name = name
    self.nanoseconds = nanoseconds
  }

  func round() -> Sample {
    Sample(
      nanoseconds: nanoseconds, objects: 1_000, checksum: "1", fileBytes: 98_304,
      peakBytes: 2_000_000)
  }
}
