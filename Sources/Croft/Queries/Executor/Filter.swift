import LMDB

/// A condition made ready for one layout: every column is a constant place in the row.
///
/// A negation is part of each test (`isNot`), so that no set of rows is ever subtracted for it.
indirect enum Filter {
  case constant(Bool)
  /// A signed integer column within closed bounds.
  case signed(NumberPlace, Int64, Int64)
  /// An unsigned integer column, or a Bool as 0 and 1, within closed bounds.
  case unsigned(NumberPlace, UInt64, UInt64)
  /// A Float, Double or Date column within closed bounds; NaN is within none.
  case real(NumberPlace, Double, Double)
  /// A column of bytes (UUID, Data, a primary key's code) in memcmp order.
  case bytes(ColumnLayout, Comparison, [UInt8], isNot: Bool)
  case text(ColumnLayout, Comparison, TextTest, isNot: Bool)
  case pattern(ColumnLayout, TextMatcher, isNot: Bool)
  case present(bit: Int, isNot: Bool)
  case member(ColumnLayout, Set<StoredValue>, isNot: Bool)
  /// Two number columns of one kind; the first says whether the comparison must not hold.
  case numbers(NumberPlace, Comparison, NumberPlace)
  case columns(ValuePath, Comparison, ValuePath, isNot: Bool)
  /// A value that is no plain column, such as a count of elements.
  case value(ValuePath, ValueTest, isNot: Bool)
  case linked(LinkFilter, isNot: Bool)
  case element(ElementFilter, isNot: Bool)
  case referred(InverseFilter, isNot: Bool)
  case all([Filter])
  case any([Filter])

  /// Where a number lies, and whether it must lie outside the bounds.
  struct NumberPlace {
    let offset: Int
    let kind: StorageType.Kind
    let presenceBit: Int?
    let isNot: Bool
  }

  /// Keeps the batch's selected rows that pass.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` where a row's ends lie.
  func apply(
    to batch: inout RowBatch, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    switch self {
    case .constant(let holds): if !holds { batch.keepNone() }
    case .signed(let place, let low, let high): place.keep(&batch, low, high)
    case .unsigned(let place, let low, let high): place.keep(&batch, low, high)
    case .real(let place, let low, let high): place.keep(&batch, low, high)
    case .bytes(let column, let comparison, let value, let isNot):
      try column.keepBytes(&batch, comparison, value, isNot: isNot)
    case .text(let column, let comparison, let test, let isNot):
      try column.keepText(&batch, comparison, test, isNot: isNot)
    case .pattern(let column, let matcher, let isNot):
      try column.keepMatches(&batch, matcher, isNot: isNot)
    case .present(let bit, let isNot): batch.keep { $0.isPresent(bit) != isNot }
    case .member(let column, let values, let isNot):
      let layout = batch.layout
      try batch.keep { values.contains(try column.value(in: $0, layout)) != isNot }
    case .numbers(let left, let comparison, let right): left.keep(&batch, comparison, right)
    case .columns(let left, let comparison, let right, let isNot):
      try batch.keep { row in
        let value = try left.value(in: row, transaction)
        return value.holds(comparison, try right.value(in: row, transaction)) != isNot
      }
    case .value(let path, let test, let isNot):
      try batch.keep { test.holds(for: try path.value(in: $0, transaction)) != isNot }
    case .linked(let link, let isNot):
      try batch.keep { try link.holds(for: $0, in: transaction) != isNot }
    case .element(let element, let isNot):
      try batch.keep { try element.holds(for: $0, in: transaction) != isNot }
    case .referred(let referred, let isNot):
      try batch.keep { try referred.holds(for: $0, in: transaction) != isNot }
    case .all(let terms):
      for term in terms where !batch.isEmpty { try term.apply(to: &batch, in: transaction) }
    case .any(let terms): try applyAny(terms, to: &batch, in: transaction)
    }
  }

  /// Each term sees only the rows that no earlier one took.
  private func applyAny(
    _ terms: [Filter], to batch: inout RowBatch,
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws {
    var open = batch.selection
    var taken: [UInt16] = []
    for term in terms where !open.isEmpty {
      batch.selection = open
      try term.apply(to: &batch, in: transaction)
      let passed = batch.selection
      taken += passed
      open = Self.subtract(passed, from: open)
    }
    batch.selection = taken.sorted()
  }

  /// Both ascending; the right one without the left one's places.
  private static func subtract(_ removed: [UInt16], from places: [UInt16]) -> [UInt16] {
    var rest: [UInt16] = []
    rest.reserveCapacity(places.count - removed.count)
    var next = 0
    for place in places {
      if next < removed.count, removed[next] == place { next += 1 } else { rest.append(place) }
    }
    return rest
  }
}
