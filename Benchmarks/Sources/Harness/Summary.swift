/// The middle and the spread of several measurements.
package struct Summary: Sendable, Hashable {
  /// The middle value; of an even number, the mean of the two in the middle.
  package let median: Double
  /// The 25th percentile: the second smallest of five values, and of fewer the smallest.
  package let firstQuartile: Double
  /// (largest - smallest) / median.
  package let spread: Double

  /// Summarises measurements.
  ///
  /// - Precondition: there is at least one.
  package init(_ values: [Double]) {
    precondition(!values.isEmpty, "A summary needs at least one value; run at least one round.")
    let sorted = values.sorted()
    let middle = sorted.count / 2
    median =
      sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    firstQuartile = sorted[(sorted.count - 1) / 4]
    let range = sorted[sorted.count - 1] - sorted[0]
    spread = median == 0 ? 0 : range / median
  }
}
