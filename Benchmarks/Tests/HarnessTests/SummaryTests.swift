import Harness
import Testing

@Suite struct SummaryTests {
  @Test func ofAnOddNumberTheMiddleValueIsTheMedian() {
    let summary = Summary([9, 1, 5])
    #expect(summary.median == 5)
    #expect(summary.spread == 8.0 / 5.0)
  }

  @Test func ofAnEvenNumberTheMedianLiesBetweenTheTwoInTheMiddle() {
    #expect(Summary([4, 1, 2, 100]).median == 3)
  }

  @Test func ofFiveValuesTheSecondSmallestIsThe25thPercentile() {
    #expect(Summary([9, 1, 5, 2, 7]).firstQuartile == 2)
    #expect(Summary([4, 3]).firstQuartile == 3)
    #expect(Summary([7]).firstQuartile == 7)
  }

  @Test func oneValueHasNoSpread() {
    let summary = Summary([7])
    #expect(summary.median == 7)
    #expect(summary.spread == 0)
  }

  @Test func aMedianOfZeroHasNoSpread() {
    #expect(Summary([0, 0, 3]).spread == 0)
  }
}
