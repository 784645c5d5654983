extension StoredValue: Hashable {
  /// Whether two values are the same; NaN is the same as NaN, and 0.0 as -0.0.
  ///
  /// Queries with the same constants are one query for their observers, so a value must be the same
  /// as itself. Conditions follow Swift instead, where no value equals NaN: see `equalsNothing`.
  public static func == (left: StoredValue, right: StoredValue) -> Bool {
    switch (left, right) {
    case (.none, .none): true
    case (.bool(let left), .bool(let right)): left == right
    case (.int(let left), .int(let right)): left == right
    case (.uint(let left), .uint(let right)): left == right
    case (.double(let left), .double(let right)), (.date(let left), .date(let right)):
      left.orderedBits == right.orderedBits
    case (.uuid(let left, let leftLow), .uuid(let right, let rightLow)):
      left == right && leftLow == rightLow
    case (.string(let left), .string(let right)): left == right
    case (.data(let left), .data(let right)): left == right
    case (.decimal(let left), .decimal(let right)): left == right
    case (.list(let left), .list(let right)): left == right
    default: false
    }
  }

  /// Feeds the values that `==` compares to the hasher, without the enum's case.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .none: break
    case .bool(let value): hasher.combine(value)
    case .int(let value): hasher.combine(value)
    case .uint(let value): hasher.combine(value)
    case .double(let value), .date(let value): hasher.combine(value.orderedBits)
    case .uuid(let high, let low):
      hasher.combine(high)
      hasher.combine(low)
    case .string(let value): hasher.combine(value)
    case .data(let value): hasher.combine(value)
    case .decimal(let value): hasher.combine(value)
    case .list(let values): hasher.combine(values)
    }
  }

  /// Whether no value equals this one in a condition: NaN, or a collection that contains NaN.
  var equalsNothing: Bool {
    switch self {
    case .list(let values): values.contains(where: \.equalsNothing)
    default: isNotANumber
    }
  }
}
