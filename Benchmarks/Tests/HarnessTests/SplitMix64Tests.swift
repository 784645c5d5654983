import Harness
import Testing

@Suite struct SplitMix64Tests {
  /// The first numbers of seed 1234567, as other implementations of the paper give them.
  @Test func itsSequenceIsTheOneOfThePaper() {
    var random = SplitMix64(seed: 1_234_567)
    #expect(random.next() == 6_457_827_717_110_365_317)
    #expect(random.next() == 3_203_168_211_198_807_973)
    #expect(random.next() == 9_817_491_932_198_370_423)
  }

  @Test func drawsStayBelowTheBoundAndReachEveryNumber() {
    var random = SplitMix64(seed: 1)
    let drawn = (0..<1_000).map { _ in random.below(7) }
    #expect(Set(drawn) == Set(0..<7))
    #expect(random.below(1) == 0)
  }

  @Test func shufflingKeepsEveryElement() {
    var random = SplitMix64(seed: 1)
    let shuffled = random.shuffled(Array(0..<100))
    #expect(shuffled != Array(0..<100))
    #expect(shuffled.sorted() == Array(0..<100))
    #expect(random.shuffled([Int]()).isEmpty)
  }
}
