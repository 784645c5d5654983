extension Filter {
  /// Makes a condition ready for rows of a layout.
  init(_ expression: Expression, _ layout: RowLayout) {
    switch expression {
    case .constant(let holds): self = .constant(holds)
    case .and(let terms): self = .all(terms.map { Filter($0, layout) })
    case .or(let terms): self = .any(terms.map { Filter($0, layout) })
    case .not(let term): self = .not(Filter(term, layout))
    case .isNil(let path):
      let bit = layout.columns[path.place].presenceBit
      self = bit.map { .not(.present(bit: $0)) } ?? .constant(false)
    case .within(let path, let values):
      self = .member(layout.columns[path.place], Set(values))
    case .compare(let path, let comparison, let value):
      self = Filter(layout.columns[path.place], comparison, value)
    }
  }

  private init(_ column: ColumnLayout, _ comparison: Comparison, _ value: StoredValue) {
    guard case .fixed(let offset) = column.place, column.kind != .uuid else {
      self = Filter(bytes: column, comparison, value)
      return
    }
    let place = NumberPlace(
      offset: offset, kind: column.kind, presenceBit: column.presenceBit)
    switch value {
    case .int(let value):
      self = comparison.bounds(value).map { .signed(place, $0.0, $0.1) } ?? .constant(false)
    case .uint(let value):
      self = comparison.bounds(value).map { .unsigned(place, $0.0, $0.1) } ?? .constant(false)
    case .bool(let value):
      self =
        comparison.bounds(value ? 1 as UInt64 : 0).map { .unsigned(place, $0.0, $0.1) }
        ?? .constant(false)
    case .double(let value), .date(let value):
      self = comparison.bounds(value).map { .real(place, $0.0, $0.1) } ?? .constant(false)
    default: self = .constant(false)
    }
  }

  private init(bytes column: ColumnLayout, _ comparison: Comparison, _ value: StoredValue) {
    if case .string(let text) = value {
      self = .text(column, comparison, TextTest(text))
    } else if value.isNotANumber {
      self = .constant(false)
    } else if case .data(let bytes) = value {
      self = .bytes(column, comparison, bytes)
    } else {
      // A key's code or a UUID's bytes: both compare as their codes do.
      var code = _ByteBuffer()
      value.appendKey(kind: column.kind, to: &code, cut: nil)
      // Safety: the code is copied while the buffer lives.
      let test = unsafe Filter.bytes(column, comparison, [UInt8](code.bytes))
      guard case .date = value, comparison == .greater || comparison == .greaterOrEqual else {
        self = test
        return
      }
      // As a key's code a date that is NaN lies behind all others; it is in no range.
      var last = _ByteBuffer()
      Double.infinity.appendKey(to: &last)
      self = unsafe .all([test, .bytes(column, .lessOrEqual, [UInt8](last.bytes))])
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
