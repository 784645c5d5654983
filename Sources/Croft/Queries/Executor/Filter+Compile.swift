extension Filter {
  /// Makes a condition ready for rows of a layout.
  ///
  /// - Parameter isNot: Whether the condition must not hold.
  init(_ expression: Expression, _ layout: RowLayout, _ catalog: Catalog, isNot: Bool = false)
    throws
  {
    switch expression {
    case .constant(let holds): self = .constant(holds != isNot)
    case .and(let terms), .or(let terms):
      let isAnd = if case .and = expression { true } else { false }
      let filters = try terms.map { try Filter($0, layout, catalog, isNot: isNot) }
      self = isAnd != isNot ? .all(filters) : .any(filters)
    case .not(let term): self = try Filter(term, layout, catalog, isNot: !isNot)
    case .tooDeep: throw StoreError.conditionTooDeep(model: layout.schema.name)
    case .columns(let left, let comparison, let right):
      if let left = NumberPlace(left, layout, isNot: isNot),
        let right = NumberPlace(right, layout, isNot: isNot), left.kind == right.kind
      {
        self = .numbers(left, comparison, right)
        return
      }
      self = .columns(
        try ValuePath(left, layout, catalog), comparison, try ValuePath(right, layout, catalog),
        isNot: isNot)
    case .referred(let source, let condition):
      self = .referred(try InverseFilter(source, condition, layout, catalog), isNot: isNot)
    case .any(let path, let condition) where path.links.isEmpty:
      self = .element(
        try ElementFilter(layout.columns[path.place], layout, condition, catalog), isNot: isNot)
    case .compare(let path, _, _), .isNil(let path), .within(let path, _), .text(let path, _),
      .any(let path, _):
      if path.measure != nil {
        let value = try ValuePath(path, layout, catalog)
        self = .value(value, ValueTest(expression), isNot: isNot)
      } else if let link = path.links.first {
        self = try Filter(expression, through: link, layout, catalog, isNot: isNot)
      } else {
        self = Filter(expression, of: layout.columns[path.place], isNot: isNot)
      }
    }
  }

  /// A test of a column behind a reference: without an object there, the column is nil.
  private init(
    _ expression: Expression, through link: Int, _ layout: RowLayout, _ catalog: Catalog,
    isNot: Bool
  ) throws {
    let hop = try LinkHop(link, layout, catalog)
    func linked(_ expression: Expression, isNot: Bool) throws -> Filter {
      let test = try Filter(expression.behindLink, hop.target.layout, catalog)
      return .linked(LinkFilter(hop, test), isNot: isNot)
    }
    switch expression {
    case .isNil: self = try linked(.not(expression), isNot: !isNot)
    case .within(let path, let values) where values.contains(.none):
      let others = Expression.within(path, values.filter { $0 != .none })
      let terms = [
        try linked(.not(.isNil(path)), isNot: !isNot), try linked(others, isNot: isNot),
      ]
      self = isNot ? .all(terms) : .any(terms)
    default: self = try linked(expression, isNot: isNot)
    }
  }

  private init(_ test: Expression, of column: ColumnLayout, isNot: Bool) {
    switch test {
    case .isNil:
      self = column.presenceBit.map { .present(bit: $0, isNot: !isNot) } ?? .constant(isNot)
    case .within(_, let values): self = .member(column, Set(values), isNot: isNot)
    case .compare(_, .equal, let value) where column.storage.collection != nil:
      self = .member(column, [value], isNot: isNot)
    case .text(_, let pattern): self = .pattern(column, TextMatcher(pattern), isNot: isNot)
    case .compare(_, let comparison, let value):
      self = Filter(column, comparison, value, isNot: isNot)
    default: preconditionFailure("Only tests of one column come here.")
    }
  }

  private init(
    _ column: ColumnLayout, _ comparison: Comparison, _ value: StoredValue, isNot: Bool
  ) {
    guard let place = NumberPlace(column, isNot: isNot) else {
      self = Filter(bytes: column, comparison, value, isNot: isNot)
      return
    }
    let never = Filter.constant(isNot)
    switch value {
    case .int(let value):
      self = comparison.bounds(value).map { .signed(place, $0.0, $0.1) } ?? never
    case .uint(let value):
      self = comparison.bounds(value).map { .unsigned(place, $0.0, $0.1) } ?? never
    case .bool(let value):
      self =
        comparison.bounds(value ? 1 as UInt64 : 0).map { .unsigned(place, $0.0, $0.1) } ?? never
    case .double(let value), .date(let value):
      self = comparison.bounds(value).map { .real(place, $0.0, $0.1) } ?? never
    default: self = never
    }
  }

  private init(
    bytes column: ColumnLayout, _ comparison: Comparison, _ value: StoredValue, isNot: Bool
  ) {
    if case .string(let text) = value {
      self = .text(column, comparison, TextTest(text), isNot: isNot)
    } else if value.isNotANumber {
      self = .constant(isNot)
    } else if case .data(let bytes) = value {
      self = .bytes(column, comparison, bytes, isNot: isNot)
    } else {
      // A key's code or a UUID's bytes: both compare as their codes do.
      var code = _ByteBuffer()
      value.appendKey(kind: column.kind, to: &code, cut: nil)
      // Safety: the code is copied while the buffer lives.
      let test = unsafe Filter.bytes(column, comparison, [UInt8](code.bytes), isNot: isNot)
      guard case .date = value, comparison == .greater || comparison == .greaterOrEqual else {
        self = test
        return
      }
      // As a key's code a date that is NaN lies behind all others; it is in no range.
      var last = _ByteBuffer()
      Double.infinity.appendKey(to: &last)
      let bound = unsafe Filter.bytes(column, .lessOrEqual, [UInt8](last.bytes), isNot: isNot)
      self = isNot ? .any([test, bound]) : .all([test, bound])
    }
  }
}

extension StoredValue {
  /// Whether this is NaN, with which nothing compares.
  var isNotANumber: Bool {
    switch self {
    case .double(let value), .date(let value): value.isNaN
    default: false
    }
  }
}

extension Comparison {
  /// The closed bounds within which an integer passes, or nil where none does.
  func bounds<I: FixedWidthInteger>(_ value: I) -> (I, I)? {
    switch self {
    case .equal: (value, value)
    case .lessOrEqual: (.min, value)
    case .greaterOrEqual: (value, .max)
    case .less: value == .min ? nil : (.min, value - 1)
    case .greater: value == .max ? nil : (value + 1, .max)
    }
  }

  /// The closed bounds within which a number passes, or nil where none does.
  func bounds(_ value: Double) -> (Double, Double)? {
    if value.isNaN { return nil }
    switch self {
    case .equal: return (value, value)
    case .lessOrEqual: return (-.infinity, value)
    case .greaterOrEqual: return (value, .infinity)
    case .less: return value == -.infinity ? nil : (-.infinity, value.nextDown)
    case .greater: return value == .infinity ? nil : (value.nextUp, .infinity)
    }
  }
}
