import LMDB

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A path made ready for reading the value at its end, through references if need be.
struct ValuePath {
  private let hops: [LinkHop]
  private let column: ColumnLayout
  private let layout: RowLayout
  private let measure: Measure.Kind?
  /// Finds the objects whose columns are measured.
  private let inverse: InverseLookup?

  init(_ path: ColumnPath, _ layout: RowLayout, _ catalog: Catalog) throws {
    var hops: [LinkHop] = []
    var layout = layout
    for link in path.links {
      let hop = try LinkHop(link, layout, catalog)
      hops.append(hop)
      layout = hop.target.layout
    }
    self.hops = hops
    measure = path.measure?.kind
    inverse = try path.measure?.source.map { try InverseLookup($0, catalog) }
    self.layout = layout
    column = (inverse?.source.layout ?? layout).columns[path.place]
  }

  /// The value as conditions hold it; none where a reference on the way is nil.
  func value(
    in row: RowView, _ transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> StoredValue {
    try withEnd(of: row, hops[...], in: transaction) { row in
      guard let row else { return .none }
      guard let measure else { return try column.value(in: row, layout) }
      var tally = MeasureTally(measure, of: column.kind)
      if let inverse {
        try inverse.forEach(of: row, in: transaction) { referrer in
          tally.take(
            measure == .count ? .none : try column.value(in: referrer, inverse.source.layout))
          return true
        }
      } else {
        for element in try column.elements(in: row, layout) { tally.take(element) }
      }
      return tally.value
    }
  }

  /// Appends the value's key code: 00 where a reference on the way is nil.
  func appendCode(
    of row: RowView, to code: inout _ByteBuffer,
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    if hops.isEmpty {
      return try code.appendCode(of: column, in: row, layout: layout, cut: nil)
    }
    try withEnd(of: row, hops[...], in: transaction) { row in
      guard let row else { return code.append(0) }
      if column.presenceBit == nil { code.append(1) }
      try code.appendCode(of: column, in: row, layout: layout, cut: nil)
    }
  }

  private func withEnd<R>(
    of row: RowView?, _ hops: ArraySlice<LinkHop>,
    in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (RowView?) throws -> R
  ) throws -> R {
    guard let hop = hops.first, let row else { return try body(row) }
    return try hop.withTarget(of: row, in: transaction) { target in
      try withEnd(of: target, hops.dropFirst(), in: transaction, body)
    }
  }
}

/// A test of one value, for what has no kernel of its own.
enum ValueTest {
  case compare(Comparison, StoredValue)
  case isNil
  case within(Set<StoredValue>)
  case text(TextMatcher)
  case constant(Bool)

  /// The test of a term of one path.
  init(_ term: Expression) {
    switch term {
    case .compare(_, let comparison, let value): self = .compare(comparison, value)
    case .isNil: self = .isNil
    case .within(_, let values): self = .within(Set(values))
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
        // Safety: the bytes are read while the text lends them.
        text.withUTF8 { unsafe matcher.matches(UnsafeRawBufferPointer($0)) }
      } else {
        false
      }
    case .constant(let holds): holds
    }
  }
}

extension StoredValue {
  /// Whether this value stands to another one as a comparison says.
  ///
  /// Nil equals nil and is in no order; nothing compares with NaN.
  func holds(_ comparison: Comparison, _ other: StoredValue) -> Bool {
    func holds<C: Comparable>(_ left: C, _ right: C) -> Bool { comparison.holds(left, right) }
    switch (self, other) {
    case (.none, .none): return comparison == .equal
    case (.bool(let left), .bool(let right)): return holds(left ? 1 : 0, right ? 1 : 0)
    case (.int(let left), .int(let right)): return holds(left, right)
    case (.uint(let left), .uint(let right)): return holds(left, right)
    case (.int(let left), .uint(let right)): return holds(Int128(left), Int128(right))
    case (.uint(let left), .int(let right)): return holds(Int128(left), Int128(right))
    case (.double(let left), .double(let right)), (.date(let left), .date(let right)):
      return holds(left, right)
    case (.string(let left), .string(let right)):
      if comparison == .equal { return left == right }
      var left = left
      let order = left.withUTF8 { unsafe TextTest(right).order(of: UnsafeRawBufferPointer($0)) }
      return comparison.holds(order)
    case (.uuid(let left, let leftLow), .uuid(let right, let rightLow)):
      return left == right ? holds(leftLow, rightLow) : holds(left, right)
    case (.decimal(let left), .decimal(let right)):
      // As their codes: NaN is one number and the last, which to Decimal's own `<` is the first.
      return left.isNaN || right.isNaN
        ? holds(left.isNaN ? 1 : 0, right.isNaN ? 1 : 0) : holds(left, right)
    case (.list(let left), .list(let right)): return comparison == .equal && left == right
    case (.data(let left), .data(let right)):
      return unsafe left.withUnsafeBytes { left in
        unsafe right.withUnsafeBytes { comparison.holds(unsafe KeySort.compare(left, $0)) }
      }
    default: return false
    }
  }
}

/// One column of an order, or of distinct values; a class so that loops over rows copy a reference.
///
/// Confined to the run of one query.
final class SortColumn {
  private let path: ValuePath
  private let isDescending: Bool

  init(
    _ path: ColumnPath, isDescending: Bool, _ table: Table, _ catalog: Catalog
  ) throws {
    self.path = try ValuePath(path, table.layout, catalog)
    self.isDescending = isDescending
  }

  /// Appends the column's code, inverted where greater values come first.
  func appendCode(
    of row: RowView, to code: inout _ByteBuffer,
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    let start = code.count
    try path.appendCode(of: row, to: &code, in: transaction)
    if isDescending { code.invert(from: start) }
  }
}
