import LMDB

/// A test of a collection: whether some element passes.
///
/// Confined to the run of one query.
final class ElementFilter {
  private let column: ColumnLayout
  private let layout: RowLayout
  private let test: ElementTest

  init(
    _ column: ColumnLayout, _ layout: RowLayout, _ condition: Expression, _ catalog: Catalog
  ) throws {
    self.column = column
    self.layout = layout
    test = try ElementTest(condition, column, layout, catalog)
  }

  func holds(
    for row: RowView, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Bool {
    for element in try column.elements(in: row, layout)
    where try test.holds(for: element, column.kind, in: transaction) {
      return true
    }
    return false
  }
}

/// A condition on one element, as a value or as a reference.
///
/// Its paths are the element itself, without links, or begin with the link that the element is.
private indirect enum ElementTest {
  case value(ValueTest)
  case object(LinkFilter)
  case columns(ElementPath, Comparison, ElementPath)
  case all([ElementTest])
  case any([ElementTest])
  case not(ElementTest)

  init(
    _ condition: Expression, _ column: ColumnLayout, _ layout: RowLayout, _ catalog: Catalog
  ) throws {
    func made(_ term: Expression) throws -> ElementTest {
      try ElementTest(term, column, layout, catalog)
    }
    func object(_ term: Expression) throws -> ElementTest {
      let hop = try LinkHop(column.index, layout, catalog)
      return .object(LinkFilter(hop, try Filter(term, hop.target.layout, catalog)))
    }
    switch condition {
    case .constant(let holds): self = .value(.constant(holds))
    case .and(let terms): self = .all(try terms.map(made))
    case .or(let terms): self = .any(try terms.map(made))
    case .not(let term): self = .not(try made(term))
    case .columns(let left, let comparison, let right):
      self = .columns(
        try ElementPath(left, column, layout, catalog), comparison,
        try ElementPath(right, column, layout, catalog))
    case .isNil(let path) where !path.links.isEmpty:
      self = .not(try object(.not(condition.behindLink)))
    case .within(let path, let values) where !path.links.isEmpty && values.contains(.none):
      let others = Expression.within(path.behindLink, values.filter { $0 != .none })
      self = .any([
        .not(try object(.not(.isNil(path.behindLink)))), try object(others),
      ])
    case .compare(let path, _, _), .isNil(let path), .within(let path, _), .text(let path, _),
      .any(let path, _):
      self = path.links.isEmpty ? .value(ValueTest(condition)) : try object(condition.behindLink)
    case .referred: preconditionFailure("Nothing refers to an element: ask its object instead.")
    case .tooDeep: throw StoreError.conditionTooDeep(model: layout.schema.name)
    }
  }

  func holds(
    for element: StoredValue, _ kind: StorageType.Kind,
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Bool {
    switch self {
    case .value(let test): return test.holds(for: element)
    case .columns(let left, let comparison, let right):
      let value = try left.value(of: element, kind, in: transaction)
      return value.holds(comparison, try right.value(of: element, kind, in: transaction))
    case .all(let terms):
      for term in terms where try !term.holds(for: element, kind, in: transaction) { return false }
      return true
    case .any(let terms):
      for term in terms where try term.holds(for: element, kind, in: transaction) { return true }
      return false
    case .not(let term): return try !term.holds(for: element, kind, in: transaction)
    case .object(let link):
      guard element != .none else { return false }
      var key = _ByteBuffer()
      element.appendKey(kind: kind, to: &key, cut: nil)
      // Safety: the key does not change during the call.
      return try unsafe link.holds(key.bytes, in: transaction)
    }
  }
}

/// A path in a condition on an element: the element itself, or a property of the object it names.
private struct ElementPath {
  /// The object that the element names, and the path from there; nil for the element itself.
  private let behind: (hop: LinkHop, path: ValuePath)?

  init(
    _ path: ColumnPath, _ column: ColumnLayout, _ layout: RowLayout, _ catalog: Catalog
  ) throws {
    if path.links.isEmpty {
      behind = nil
      return
    }
    let hop = try LinkHop(column.index, layout, catalog)
    behind = (hop, try ValuePath(path.behindLink, hop.target.layout, catalog))
  }

  /// The value as conditions hold it; none where the element, or a reference behind it, is nil.
  func value(
    of element: StoredValue, _ kind: StorageType.Kind,
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> StoredValue {
    guard let (hop, path) = behind else { return element }
    if element == .none { return .none }
    var key = _ByteBuffer()
    element.appendKey(kind: kind, to: &key, cut: nil)
    // Safety: the key does not change during the call.
    return try unsafe hop.withTarget(ofKey: key.bytes, in: transaction) { row in
      try row.map { try path.value(in: $0, transaction) } ?? .none
    }
  }
}

extension ColumnLayout {
  /// The elements of a collection, of a dictionary its values; none where there is no collection.
  func elements(in row: RowView, _ layout: RowLayout) throws -> [StoredValue] {
    if storage.collection == nil {
      // An array of bytes is stored as `Data` is.
      guard case .data(let bytes) = try value(in: row, layout) else { return [] }
      return bytes.map { .uint(UInt64($0)) }
    }
    guard let collection = try collection(in: row, layout) else { return [] }
    return try (0..<collection.count).map { place in
      guard let value = collection.value(place) else { throw badEnds(in: row, layout) }
      return value
    }
  }
}

/// What is made of several values, as they come; nil counts only for the count.
struct MeasureTally {
  private let kind: Measure.Kind
  /// What the values are.
  private let values: StorageType.Kind
  private var count = 0
  private var total = _Total()
  private var best: StoredValue = .none

  init(_ kind: Measure.Kind, of values: StorageType.Kind) {
    self.kind = kind
    self.values = values
  }

  mutating func take(_ value: StoredValue) {
    count += 1
    if value == .none || value.isNotANumber && kind != .sum && kind != .average { return }
    total.add(value)
    let isBetter =
      best == .none || value.holds(kind == .max ? .greater : .less, best)
    if isBetter { best = value }
  }

  /// The result; a sum of nothing is zero, of the type that the sum of some values would have.
  var value: StoredValue {
    switch kind {
    case .count: .int(Int64(count))
    case .min, .max: best
    case .average: total.average.map { .double($0) } ?? .none
    case .sum:
      switch values {
      case .float, .double: .double(total.reals)
      // An array of bytes is stored as `Data` is.
      case .uint8, .uint16, .uint32, .uint64, .data: .uint(UInt64(clamping: total.integers))
      default: .int(Int64(clamping: total.integers))
      }
    }
  }
}
