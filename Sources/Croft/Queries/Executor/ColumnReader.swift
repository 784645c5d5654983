import LMDB

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

/// The values of some columns that have been seen, as key codes: equal values have one code.
struct DistinctValues {
  private let columns: [SortColumn]
  private var codes: Set<[UInt8]> = []

  init(_ paths: [ColumnPath], _ table: Table, _ catalog: Catalog) throws {
    columns = try paths.map { try SortColumn($0, isDescending: false, table, catalog) }
  }

  var count: Int { codes.count }

  /// Notes a row's values.
  ///
  /// - Returns: Whether they are new.
  mutating func insert(
    _ row: RowView, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Bool {
    var code = _ByteBuffer()
    for column in columns { try column.appendCode(of: row, to: &code, in: transaction) }
    // Safety: the code is copied while the buffer lives.
    return unsafe codes.insert([UInt8](code.bytes)).inserted
  }
}
