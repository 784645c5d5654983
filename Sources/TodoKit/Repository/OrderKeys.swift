package import CroftFoundation

/// The numbers by which items, and groups, are ordered: `order` of each row.
///
/// Neighbours are far apart, so something can be put between two of them, about 32 times at one
/// position, before rows around it need new keys. 0 means that a row has no key yet.
package enum OrderKeys {
  /// The distance from its neighbour of a row that is put at an end.
  static let gap: Int64 = 1 << 32
  /// The narrowest gaps that new keys for a neighbourhood may leave, so that they last.
  static let gapMin: Int64 = 1 << 16

  /// Keys for rows side by side between two neighbours, evenly spread.
  ///
  /// - Parameters:
  ///   - lower: The key of the neighbour before; nil at the beginning.
  ///   - upper: The key of the neighbour after; nil at the end.
  ///   - gap: The narrowest gap to leave.
  /// - Returns: Ascending keys other than 0; nil if there is no room.
  /// - Complexity: O(`count`).
  package static func keys(
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
      // As an unsigned number the distance of any two keys fits.
      let width = UInt64(bitPattern: upper) &- UInt64(bitPattern: lower)
      (start, step) = (lower, Int64(width / (UInt64(count) + 1)))
    }
    let (length, tooLong) = step.multipliedReportingOverflow(by: Int64(count))
    guard step >= gapMin, !tooLong, !start.addingReportingOverflow(length).overflow else {
      return nil
    }
    // Steps are 2 or longer, so 1 is between 0 and the next key.
    return (1...Int64(count)).map { start + step * $0 }.map { $0 == 0 ? 1 : $0 }
  }
}

/// The two kinds of rows that are ordered, with separate keys.
enum OrderedKind: Sendable {
  case items
  case groups
}

/// The side of a row on which neighbours are searched.
enum OrderDirection: Sendable {
  /// Towards the beginning.
  case before
  /// Towards the end.
  case after
}

/// A row and its order key.
package struct OrderEntry: Hashable, Sendable {
  /// The row's id.
  package let id: UUID
  /// The row's order key.
  package let order: Int64

  /// Makes an entry.
  package init(id: UUID, order: Int64) {
    self.id = id
    self.order = order
  }
}
