import Testing
import TestSupport

@testable import Croft

/// Sums without rounding: whatever the order, and whatever was added and taken out meanwhile.
@Suite struct ExactSumTests {
  private func sum(_ numbers: [Double]) -> Double {
    var sum = ExactSum()
    for number in numbers { sum.add(number) }
    return sum.value
  }

  /// A finite number of any size.
  private func number(_ random: inout SeededGenerator) -> Double {
    let number = Double(bitPattern: random.next())
    return number.isFinite ? number : 1
  }

  @Test func twoNumbersAreAddedAsTheProcessorAddsThem() {
    var random = SeededGenerator.forTest("exact sum")
    for _ in 0..<20_000 {
      let left = number(&random)
      // Numbers of similar sizes have digits in common.
      let near = left * Double(sign: .minus, exponent: random.below(120) - 60, significand: 1.1)
      let right = random.oneIn(2) || !near.isFinite ? number(&random) : near
      #expect(sum([left, right]) == left + right, "\(left) + \(right), seed \(random.seed)")
    }
  }

  @Test func manyNumbersAreAddedAsIntegersAre() {
    var random = SeededGenerator.forTest("exact integers")
    for _ in 0..<300 {
      var expected: Int128 = 0
      var numbers: [Double] = []
      for _ in 0..<random.below(3_000) {
        let integer = Int64(bitPattern: random.next()) >> Int64(11 + random.below(50))
        let shift = random.below(60)
        expected += Int128(integer) << Int128(shift)
        numbers.append(Double(sign: .plus, exponent: shift - 90, significand: Double(integer)))
      }
      let rounded = Double(sign: .plus, exponent: -90, significand: Double(expected))
      #expect(sum(numbers) == rounded, "seed \(random.seed)")
      #expect(sum(numbers.shuffled(using: &random)) == rounded)
    }
  }

  @Test func numbersOfAllSizesAreRoundedOnce() {
    var random = SeededGenerator.forTest("exact sizes")
    for _ in 0..<300 {
      let numbers = (0..<random.below(40)).map { _ in number(&random) }
      #expect(sum(numbers) == numbers.exactSum, "seed \(random.seed)")
      // Those of like sizes have the halves on which rounding depends.
      let near = numbers.map { $0.significand * Double(1 << random.below(60)) }
      #expect(sum(near) == near.exactSum, "seed \(random.seed)")
    }
  }

  @Test func whatIsTakenOutLeavesNothingBehind() {
    var random = SeededGenerator.forTest("exact removal")
    var exact = ExactSum()
    var kept: [Double] = []
    for step in 0..<20_000 {
      if kept.isEmpty || random.below(5) < 3 {
        let special: [Double] = [
          .infinity, -.infinity, .nan, 0, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
        ]
        kept.append(random.oneIn(5) ? special[random.below(special.count)] : number(&random))
        exact.add(kept[kept.count - 1])
      } else {
        exact.remove(kept.remove(at: random.below(kept.count)))
      }
      if step % 500 == 0 {
        let (value, expected) = (exact.value, sum(kept))
        #expect(value == expected || value.isNaN && expected.isNaN, "seed \(random.seed)")
      }
    }
    for number in kept { exact.remove(number) }
    #expect(exact.value == 0)
  }

  @Test func whatRoundingLosesIsThere() {
    #expect(sum([1e16, 1, -1e16]) == 1)
    #expect(sum(Array(repeating: 0.1, count: 10)) == 1)
    #expect(sum([.greatestFiniteMagnitude, .greatestFiniteMagnitude]) == .infinity)
    let pair = [
      Double.greatestFiniteMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
    ]
    #expect(sum(pair) == .greatestFiniteMagnitude)
    #expect(sum([.leastNonzeroMagnitude, .leastNonzeroMagnitude]) == .leastNonzeroMagnitude * 2)
    #expect(sum([]) == 0 && sum([.infinity, 1]) == .infinity && sum([-.infinity]) == -.infinity)
    #expect(sum([.infinity, -.infinity]).isNaN && sum([.nan, .infinity]).isNaN)
  }
}
