import CroftFoundation
import LMDB

/// Reads the column at the end of a path: as a value, or as a key code to sort by.
///
/// It follows references on the way, and computes measures of elements or of referring objects. It
/// is a class so that loops over rows copy a reference. Confined to the run of one query.
final class ColumnReader {
  /// What the path ends in.
  private enum End {
    case column(ColumnLayout)
    /// A measure of a collection's elements, or of a column of the objects that refer to the row, and
    /// the kind of its value as far as key codes depend on it.
    case measure(ColumnPath.Measure.Kind, ColumnLayout, ReferrerLookup?, StorageType.Kind)
    case expression(ExpressionReader<ColumnReader>, StorageType.Kind)
    case relevance(RelevanceReader)
  }

  private let lookups: [ReferenceLookup]
  private let end: End
  private let layout: RecordLayout
  /// Whether codes are inverted, so that greater values come first.
  private let isDescending: Bool

  /// A reader for rows of a layout.
  ///
  /// - Throws: ``StoreError/unknownModel(model:)`` where the path leads to a model that was not
  ///   opened; ``StoreError/expressionTooDeep(model:)``.
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
    self.layout = layout
    if let computed = path.computed {
      if computed.expression == .tooDeep {
        throw StoreError.expressionTooDeep(model: layout.schema.name)
      }
      let expression = try ExpressionReader(computed.expression) {
        try ColumnReader($0, layout, catalog)
      }
      end = .expression(expression, computed.storage.kind)
    } else if let measure = path.measure {
      let referrers = try measure.source.map { try ReferrerLookup($0, catalog) }
      let column = (referrers?.source.layout ?? layout).columns[path.place]
      let isElement = measure.kind == .min || measure.kind == .max
      end = .measure(measure.kind, column, referrers, isElement ? column.kind : .double)
    } else {
      end = .column(layout.columns[path.place])
    }
  }

  /// A reader for a key of an order, in which relevance has its searches.
  convenience init(_ key: SortKey, _ table: Table, _ catalog: Catalog) throws {
    if let relevance = key.path.relevance {
      self.init(
        RelevanceReader(relevance, table), isDescending: key.isDescending, table.layout)
    } else {
      try self.init(key.path, isDescending: key.isDescending, table.layout, catalog)
    }
  }

  private init(_ relevance: RelevanceReader, isDescending: Bool, _ layout: RecordLayout) {
    lookups = []
    end = .relevance(relevance)
    self.layout = layout
    self.isDescending = isDescending
  }

  /// What reads the relevance of rows; nil for another value.
  var relevance: RelevanceReader? {
    if case .relevance(let reader) = end { reader } else { nil }
  }

  /// The value as conditions hold it; `none` where a reference on the way is nil.
  func value(
    in row: RecordView, _ transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> StoredValue {
    if lookups.isEmpty, case .column(let column) = end { return try column.value(in: row, layout) }
    return try withEnd(of: row, lookups[...], in: transaction) { row in
      guard let row else { return .none }
      switch end {
      case .column(let column): return try column.value(in: row, layout)
      case .expression(let expression, _):
        return try expression.value { try $0.value(in: row, transaction) }
      case .relevance(let relevance):
        return .int(Int64(try relevance.score(of: row, in: transaction)))
      case .measure(let measure, let column, let referrers, _):
        var measured = MeasureAccumulator(kind: measure, values: column.kind)
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
  }

  /// Appends the value's key code: 00 where it, or a reference on the way, is nil.
  ///
  /// The code of a relevance is that of its order: the greatest is the first.
  func appendCode(
    of row: RecordView, to code: inout _ByteBuffer,
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    let start = code.count
    switch end {
    case .column(let column) where lookups.isEmpty:
      try code.appendCode(of: column, in: row, layout: layout, cut: nil)
    case .column(let column):
      try withEnd(of: row, lookups[...], in: transaction) { row in
        guard let row else { return code.append(0) }
        if column.presenceBit == nil { code.append(1) }
        try code.appendCode(of: column, in: row, layout: layout, cut: nil)
      }
    case .expression(_, let kind), .measure(_, _, _, let kind):
      let value = try value(in: row, transaction)
      code.append(value == .none ? 0 : 1)
      value.appendKey(kind: kind, to: &code, cut: nil)
    case .relevance(let relevance):
      code.append(bigEndian: ~(try relevance.score(of: row, in: transaction)))
    }
    if isDescending { code.invert(from: start) }
  }

  /// Passes the row at the end of the references; nil where one of them is nil.
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
    case (.list(let left), .list(let right)):
      return comparison == .equal && left == right && !self.equalsNothing
    case (.data(let left), .data(let right)):
      // Safety: the bytes are compared while both are borrowed.
      return unsafe left.withUnsafeBytes { left in
        unsafe right.withUnsafeBytes { comparison.holds(unsafe ByteList.compare(left, $0)) }
      }
    default: return false
    }
  }
}
