/// A condition made ready for one layout: every column is a constant place in the row.
indirect enum Filter {
  case constant(Bool)
  /// A signed integer column within closed bounds.
  case signed(NumberPlace, Int64, Int64)
  /// An unsigned integer column, or a Bool as 0 and 1, within closed bounds.
  case unsigned(NumberPlace, UInt64, UInt64)
  /// A Float, Double or Date column within closed bounds; NaN is within none.
  case real(NumberPlace, Double, Double)
  /// A column of bytes (UUID, Data, a primary key's code) in memcmp order.
  case bytes(ColumnLayout, Comparison, [UInt8])
  case text(ColumnLayout, Comparison, TextTest)
  case present(bit: Int)
  case member(ColumnLayout, Set<StoredValue>)
  case all([Filter])
  case any([Filter])
  case not(Filter)

  /// Where a number lies.
  struct NumberPlace {
    let offset: Int
    let kind: StorageType.Kind
    let presenceBit: Int?
  }

  /// Keeps the batch's selected rows that pass.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` where a row's ends lie.
  func apply(to batch: inout RowBatch) throws {
    switch self {
    case .constant(let holds): if !holds { batch.selection.removeAll(keepingCapacity: true) }
    case .signed(let place, let low, let high): place.keep(&batch, low, high)
    case .unsigned(let place, let low, let high): place.keep(&batch, low, high)
    case .real(let place, let low, let high): place.keep(&batch, low, high)
    case .bytes(let column, let comparison, let value):
      try column.keepBytes(&batch, comparison, value)
    case .text(let column, let comparison, let test): try column.keepText(&batch, comparison, test)
    case .present(let bit): batch.keep { $0.isPresent(bit) }
    case .member(let column, let values):
      let layout = batch.layout
      try batch.keep { values.contains(try column.value(in: $0, layout)) }
    case .all(let terms):
      for term in terms where !batch.selection.isEmpty { try term.apply(to: &batch) }
    case .any(let terms): try applyAny(terms, to: &batch)
    case .not(let term):
      let before = batch.selection
      try term.apply(to: &batch)
      batch.selection = Self.subtract(batch.selection, from: before)
    }
  }

  /// Each term sees only the rows that no earlier one took.
  private func applyAny(_ terms: [Filter], to batch: inout RowBatch) throws {
    var open = batch.selection
    var taken: [UInt16] = []
    for term in terms where !open.isEmpty {
      batch.selection = open
      try term.apply(to: &batch)
      taken += batch.selection
      open = Self.subtract(batch.selection, from: open)
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
