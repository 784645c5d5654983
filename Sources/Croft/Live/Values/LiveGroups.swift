extension AccumulatorMaker {
  /// Makes an accumulator for each value of a column.
  ///
  /// - Parameters:
  ///   - property: The column.
  ///   - makers: The accumulators of each group.
  static func groups<Key: Ordered, each V: Sendable>(
    by property: ColumnPath, _ makers: repeat AccumulatorMaker<each V>
  ) -> Self where Value == [ResultGroup<Key, (repeat each V)>] {
    var columns: Set<Int> = [property.place]
    for maker in repeat each makers { columns.formUnion(maker.columns) }
    let makers = (repeat each makers)
    return AccumulatorMaker(columns: columns) { left, right in
      guard left.count == right.count else { return false }
      for (left, right) in zip(left, right) {
        guard isStoredAlike(left.key, right.key) else { return false }
        for (maker, left, right) in repeat (each makers, each left.values, each right.values) {
          guard maker.isSame(left, right) else { return false }
        }
      }
      return true
    } make: {
      let groups = LiveGroups<Key, repeat each V>(by: property, repeat each makers)
      return RowAccumulator(
        add: { try groups.add($0) }, remove: { try groups.remove($0) },
        value: { try groups.value() })
    }
  }
}

/// The groups of a live aggregate: an accumulator of each kind for each value of a column.
///
/// Confined to its computation.
private final class LiveGroups<Key: Ordered, each V: Sendable> {
  private let property: ColumnPath
  private let makers: (repeat AccumulatorMaker<each V>)
  /// By the key code of the column's value.
  private var groups:
    [[UInt8]: (count: Int, key: Key, accumulators: (repeat RowAccumulator<each V>))] = [:]
  /// The finished groups, as far as they did not change since.
  private var finished: [[UInt8]: ResultGroup<Key, (repeat each V)>] = [:]
  /// The codes, ascending; nil after a group came or went.
  private var order: [[UInt8]]?

  init(by property: ColumnPath, _ makers: repeat AccumulatorMaker<each V>) {
    self.property = property
    self.makers = (repeat each makers)
  }

  func add(_ row: _RowReference) throws {
    let code = try row.code(of: property)
    finished[code] = nil
    if let group = groups[code] {
      for accumulator in repeat each group.accumulators { try accumulator.add(row) }
      groups[code]?.count += 1
      return
    }
    var decoder = _RecordDecoder(layout: row.layout)
    let key: Key = try decoder.value(of: row.layout.columns[property.place], in: row.view)
    let accumulators = (repeat (each makers).make())
    for accumulator in repeat each accumulators { try accumulator.add(row) }
    groups[code] = (1, key, accumulators)
    order = nil
  }

  func remove(_ row: _RowReference) throws {
    let code = try row.code(of: property)
    finished[code] = nil
    guard let group = groups[code] else { return }
    guard group.count > 1 else {
      groups[code] = nil
      order = nil
      return
    }
    for accumulator in repeat each group.accumulators { try accumulator.remove(row) }
    groups[code]?.count -= 1
  }

  /// The groups by their keys, ascending.
  ///
  /// - Complexity: O(*g*) for *g* groups, and O(*g* log *g*) after a group came or went.
  func value() throws -> [ResultGroup<Key, (repeat each V)>] {
    let codes: [[UInt8]]
    if let order {
      codes = order
    } else {
      codes = groups.keys.sorted { $0.lexicographicallyPrecedes($1) }
      order = codes
    }
    var result: [ResultGroup<Key, (repeat each V)>] = []
    result.reserveCapacity(codes.count)
    for code in codes {
      if let known = finished[code] {
        result.append(known)
      } else if let group = groups[code] {
        let new = ResultGroup(
          key: group.key, values: (repeat try (each group.accumulators).value()))
        finished[code] = new
        result.append(new)
      }
    }
    return result
  }
}
