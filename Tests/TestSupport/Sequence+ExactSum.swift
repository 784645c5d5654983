extension Sequence<Double> {
  /// The sum, rounded once, by the partial sums of Shewchuk, which do not overlap.
  package var exactSum: Double {
    let numbers = Array(self)
    guard numbers.allSatisfy(\.isFinite) else { return numbers.reduce(0, +) }
    // Numbers so large that their sums on the way could be infinite are summed at a smaller scale.
    let isLarge = numbers.contains { $0.magnitude > 0x1p960 }
    let scale = isLarge ? 0x1p-32 : 1
    var partials: [Double] = []
    for number in numbers {
      var sum = number * scale
      var kept: [Double] = []
      for partial in partials {
        let (large, small) =
          sum.magnitude < partial.magnitude ? (partial, sum) : (sum, partial)
        sum = large + small
        let rest = small - (sum - large)
        if rest != 0 { kept.append(rest) }
      }
      partials = kept + [sum]
    }
    return Self.rounded(&partials) / scale
  }

  /// Adds up partial sums, the least first, with one rounding.
  private static func rounded(_ partials: inout [Double]) -> Double {
    var sum = partials.popLast() ?? 0
    while let next = partials.popLast() {
      let large = sum
      sum = large + next
      let rest = next - (sum - large)
      if rest == 0 { continue }
      // Half a unit with a rest in the same direction is more than half.
      if let following = partials.last, (rest < 0) == (following < 0) {
        let doubled = sum + rest * 2
        if doubled - sum == rest * 2 { return doubled }
      }
      return sum
    }
    return sum
  }
}
