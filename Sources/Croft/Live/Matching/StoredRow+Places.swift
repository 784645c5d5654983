extension StoredRow {
  /// Whether both rows have one place in every order.
  func hasSamePlace(as other: StoredRow) -> Bool {
    // Safety: both rows are kept during the call.
    withExtendedLifetime((self, other)) {
      unsafe KeySort.compare(code(in: .group), other.code(in: .group)) == 0
    }
  }

  /// Whether both rows have one place and the same values: one can stand for the other.
  func isSame(as other: StoredRow) -> Bool {
    layout.isSame(as: other.layout) && hasSamePlace(as: other) && holdsSame(as: other)
  }

  /// Whether this row comes before another one in the query's order.
  func precedes(_ other: StoredRow) -> Bool {
    // Safety: both rows are kept during the call.
    withExtendedLifetime((self, other)) {
      unsafe KeySort.compare(code(in: .query), other.code(in: .query)) < 0
    }
  }

  /// Whether both rows have the same distinct values.
  func isInGroup(of other: StoredRow) -> Bool {
    // Safety: both rows are kept during the call.
    withExtendedLifetime((self, other)) {
      unsafe KeySort.compare(groupCode, other.groupCode) == 0
    }
  }
}
