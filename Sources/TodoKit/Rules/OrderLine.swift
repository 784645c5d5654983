/// The line on which things stand in order, each at a whole number of its own.
///
/// Neighbours stand far apart, so something can be put between two of them, about 32 times at one
/// spot, before their surroundings must be spread out again. 0 is no place: it is
/// what a thing has that has not been placed.
enum OrderLine {
  /// How far from its neighbour a thing is put at an end of the line.
  static let gap: Int64 = 1 << 32
  /// The narrowest gaps that spreading out may leave, so that it is not needed again soon.
  static let gapMin: Int64 = 1 << 16

  /// Places for things side by side between two neighbours, evenly spread.
  ///
  /// - Parameters:
  ///   - count: How many things.
  ///   - lower: The place of the neighbour in front; nil at the beginning of the line.
  ///   - upper: The place of the neighbour behind; nil at the end of the line.
  ///   - gap: The narrowest gap to leave.
  /// - Returns: Ascending places, none of which is 0; nil where there is no room.
  /// - Complexity: O(`count`).
  static func places(
    _ count: Int, between lower: Int64?, and upper: Int64?, gap gapMin: Int64 = 2
  ) -> [Int64]? {
    guard count > 0 else { return [] }
    let (start, step): (Int64, Int64)
    switch (lower, upper) {
    case (nil, nil): (start, step) = (0, gap)
    case (let lower?, nil): (start, step) = (lower, gap)
    case (nil, let upper?):
      let (width, overflow) = gap.multipliedReportingOverflow(by: Int64(count) + 1)
      let first = upper.subtractingReportingOverflow(width)
      if overflow || first.overflow { return nil }
      (start, step) = (first.partialValue, gap)
    case (let lower?, let upper?):
      guard lower < upper else { return nil }
      // As an unsigned number the distance of any two places fits.
      let width = UInt64(bitPattern: upper) &- UInt64(bitPattern: lower)
      (start, step) = (lower, Int64(width / (UInt64(count) + 1)))
    }
    let (length, tooLong) = step.multipliedReportingOverflow(by: Int64(count))
    guard step >= gapMin, !tooLong, !start.addingReportingOverflow(length).overflow else {
      return nil
    }
    // Steps are 2 or longer, so 1 lies between 0 and the next place.
    return (1...Int64(count)).map { start + step * $0 }.map { $0 == 0 ? 1 : $0 }
  }
}
