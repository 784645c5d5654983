import LMDB

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads the column at the end of a path: as a value, or as a key code to sort by.
///
/// It follows references on the way, and computes measures of elements or of referring objects. It
/// is a class so that loops over rows copy a reference. Confined to the run of one query.
final class ColumnReader {
  private let lookups: [ReferenceLookup]
  private let column: ColumnLayout
  private let layout: RecordLayout
  private let measure: ColumnPath.Measure.Kind?
  /// Finds the objects whose columns are measured; nil where the row's own elements are.
  private let referrers: ReferrerLookup?
  /// Whether codes are inverted, so that greater values come first.
  private let isDescending: Bool

  /// A reader for rows of a layout.
  ///
  /// - Throws: ``StoreError/unknownModel(model:)`` where the path leads to a model that was not
  ///   opened.
  init(
    _ path: ColumnPath, isDescending: Bool = false, _ layout: RecordLayout, _ catalog: Catalog
  ) throws {
    var lookups: [ReferenceLookup] = []
    var layout = layout
    for link in path.links {
      let lookup = try ReferenceLookup(link, layout, catalog)
      lookups.append(lookup)
      layout = lookup.target.layout
    }
    self.lookups = lookups
    self.isDescending = isDescending
    measure = path.measure?.kind
    let referrers = try path.measure?.source.map { try ReferrerLookup($0, catalog) }
    self.referrers = referrers
    self.layout = layout
    column = (referrers?.source.layout ?? layout).columns[path.place]
  }

  /// A reader for a key of a query's order.
  convenience init(_ key: SortKey, _ table: Table, _ catalog: Catalog) throws {
    try self.init(key.path, isDescending: key.isDescending, table.layout, catalog)
  }

  /// The value as conditions hold it; `none` where a reference on the way is nil.
  func value(
    in row: RecordView, _ transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> StoredValue {
    try withEnd(of: row, lookups[...], in: transaction) { row in
      guard let row else { return .none }
      guard let measure else { return try column.value(in: row, layout) }
      var measured = MeasureAccumulator(measure, of: column.kind)
      if let referrers {
        try referrers.forEach(of: row, in: transaction) { referrer in
          measured.add(
            measure == .count ? .none : try column.value(in: referrer, referrers.source.layout))
          return true
        }
      } else {
        for element in try column.elements(in: row, layout) { measured.add(element) }
      }
      return measured.value
    }
  }

  /// Appends the value's key code: 00 where a reference on the way is nil.
  func appendCode(
    of row: RecordView, to code: inout _ByteBuffer,
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    let start = code.count
    if lookups.isEmpty {
      try code.appendCode(of: column, in: row, layout: layout, cut: nil)
    } else {
      try appendCodeAtEnd(of: row, to: &code, in: transaction)
    }
    if isDescending { code.invert(from: start) }
  }

  private func appendCodeAtEnd(
    of row: RecordView, to code: inout _ByteBuffer,
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    try withEnd(of: row, lookups[...], in: transaction) { row in
      guard let row else { return code.append(0) }
      if column.presenceBit == nil { code.append(1) }
      try code.appendCode(of: column, in: row, layout: layout, cut: nil)
    }
  }

  /// Lends the row at the end of the references; nil where one of them is nil.
  private func withEnd<R>(
    of row: RecordView?, _ lookups: ArraySlice<ReferenceLookup>,
    in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (RecordView?) throws -> R
  ) throws -> R {
    guard let lookup = lookups.first, let row else { return try body(row) }
    return try lookup.withTarget(of: row, in: transaction) { target in
      try withEnd(of: target, lookups.dropFirst(), in: transaction, body)
    }
  }
}

/// Computes a measure from values one by one; nil counts only for the count.
private struct MeasureAccumulator {
  private let kind: ColumnPath.Measure.Kind
  /// The kind of the values.
  private let values: StorageType.Kind
  private var count = 0
  private var total = _SummableTotal()
  private var best: StoredValue = .none

  init(_ kind: ColumnPath.Measure.Kind, of values: StorageType.Kind) {
    self.kind = kind
    self.values = values
  }

  mutating func add(_ value: StoredValue) {
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

extension StoredValue {
  /// Whether a comparison holds between this value and another one.
  ///
  /// Nil equals nil, and no order with nil or NaN holds.
  func holds(_ comparison: ConditionTree.Comparison, _ other: StoredValue) -> Bool {
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
      // As in their key codes NaN equals NaN and is the last; by Decimal's own `<` it is the first.
      return left.isNaN || right.isNaN
        ? holds(left.isNaN ? 1 : 0, right.isNaN ? 1 : 0) : holds(left, right)
    case (.list(let left), .list(let right)): return comparison == .equal && left == right
    case (.data(let left), .data(let right)):
      // Safety: the bytes are compared while both are lent.
      return unsafe left.withUnsafeBytes { left in
        unsafe right.withUnsafeBytes { comparison.holds(unsafe ByteList.compare(left, $0)) }
      }
    default: return false
    }
  }
}
