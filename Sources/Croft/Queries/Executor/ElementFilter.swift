import LMDB

/// Tests whether some element of a collection passes a condition.
///
/// Confined to the run of one query.
final class ElementFilter {
  private let column: ColumnLayout
  private let layout: RecordLayout
  private let test: ElementTest

  init(
    _ column: ColumnLayout, _ layout: RecordLayout, _ condition: ConditionTree, _ catalog: Catalog
  ) throws {
    self.column = column
    self.layout = layout
    test = try ElementTest(condition, column, layout, catalog)
  }

  func holds(
    for row: RecordView, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Bool {
    for element in try column.elements(in: row, layout)
    where try test.holds(for: element, column.kind, in: transaction) {
      return true
    }
    return false
  }
}

/// A compiled condition on one element, as a value or as a reference.
///
/// Its paths are the element itself, without links, or begin with the element as a reference.
private indirect enum ElementTest {
  case value(Filter.ValueTest)
  case object(ReferenceFilter)
  case columns(ElementReader, ConditionTree.Comparison, ElementReader)
  case all([ElementTest])
  case any([ElementTest])
  case not(ElementTest)

  init(
    _ condition: ConditionTree, _ column: ColumnLayout, _ layout: RecordLayout, _ catalog: Catalog
  ) throws {
    func made(_ term: ConditionTree) throws -> ElementTest {
      try ElementTest(term, column, layout, catalog)
    }
    func object(_ term: ConditionTree) throws -> ElementTest {
      let lookup = try ReferenceLookup(column.index, layout, catalog)
      return .object(ReferenceFilter(lookup, try Filter(term, lookup.target.layout, catalog)))
    }
    switch condition {
    case .constant(let holds): self = .value(.constant(holds))
    case .and(let terms): self = .all(try terms.map(made))
    case .or(let terms): self = .any(try terms.map(made))
    case .not(let term): self = .not(try made(term))
    case .columns(let left, let comparison, let right):
      self = .columns(
        try ElementReader(left, column, layout, catalog), comparison,
        try ElementReader(right, column, layout, catalog))
    case .text(_, let pattern) where pattern.isTooLong:
      throw StoreError.searchTooLong(model: layout.schema.name)
    case .isNil(let path) where !path.links.isEmpty:
      self = .not(try object(.not(condition.behindLink)))
    case .within(let path, let values) where !path.links.isEmpty && values.contains(.none):
      let others = ConditionTree.within(path.behindLink, values.filter { $0 != .none })
      self = .any([
        .not(try object(.not(.isNil(path.behindLink)))), try object(others),
      ])
    case .compare(let path, _, _), .isNil(let path), .within(let path, _), .text(let path, _),
      .any(let path, _):
      self =
        path.links.isEmpty ? .value(Filter.ValueTest(condition)) : try object(condition.behindLink)
    case .referred: preconditionFailure("Nothing refers to an element: ask its object instead.")
    case .search: preconditionFailure("An element has one text: search that.")
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
    case .object(let test):
      guard element != .none else { return false }
      var key = _ByteBuffer()
      element.appendKey(kind: kind, to: &key, cut: nil)
      // Safety: the key does not change during the call.
      return try unsafe test.holds(key.bytes, in: transaction)
    }
  }
}

/// Reads the element itself, or a property of the object that it names.
private struct ElementReader {
  /// Finds the object that the element names, and reads its property; nil for the element itself.
  private let property: (lookup: ReferenceLookup, column: ColumnReader)?

  init(
    _ path: ColumnPath, _ column: ColumnLayout, _ layout: RecordLayout, _ catalog: Catalog
  ) throws {
    if path.links.isEmpty {
      property = nil
      return
    }
    let lookup = try ReferenceLookup(column.index, layout, catalog)
    property = (lookup, try ColumnReader(path.behindLink, lookup.target.layout, catalog))
  }

  /// The value as conditions hold it; none where the element, or a reference after it, is nil.
  func value(
    of element: StoredValue, _ kind: StorageType.Kind,
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> StoredValue {
    guard let (lookup, column) = property else { return element }
    if element == .none { return .none }
    var key = _ByteBuffer()
    element.appendKey(kind: kind, to: &key, cut: nil)
    // Safety: the key does not change during the call.
    return try unsafe lookup.withTarget(ofKey: key.bytes, in: transaction) { row in
      try row.map { try column.value(in: $0, transaction) } ?? .none
    }
  }
}

extension Filter {
  /// A test of one value, where the filter has no loop over rows for it.
  enum ValueTest {
    case compare(ConditionTree.Comparison, StoredValue)
    case isNil
    case within(Set<StoredValue>)
    case text(TextMatcher)
    case constant(Bool)

    /// The test of a term of one path.
    init(_ term: ConditionTree) {
      switch term {
      case .compare(_, let comparison, let value): self = .compare(comparison, value)
      case .isNil: self = .isNil
      case .within(_, let values): self = .within(Filter.members(values))
      case .text(_, let pattern): self = .text(TextMatcher(pattern))
      default: self = .constant(false)
      }
    }

    func holds(for value: StoredValue) -> Bool {
      switch self {
      case .compare(let comparison, let other): value != .none && value.holds(comparison, other)
      case .isNil: value == .none
      case .within(let values): values.contains(value)
      case .text(let matcher):
        if case .string(var text) = value {
          // Safety: the bytes are read while the text keeps them valid.
          text.withUTF8 { unsafe matcher.matches(UnsafeRawBufferPointer($0)) }
        } else {
          false
        }
      case .constant(let holds): holds
      }
    }
  }
}
