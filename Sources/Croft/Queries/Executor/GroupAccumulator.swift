extension AccumulatorMaker {
  /// Makes an accumulator for each value of some columns or expressions.
  static func groups<Key: Sendable, each V: Sendable>(
    by key: ResultKey<Key>, _ makers: repeat AccumulatorMaker<each V>
  ) -> Self where Value == [ResultGroup<Key, (repeat each V)>] {
    var paths = key.paths
    for maker in repeat each makers { paths += maker.paths }
    let makers = (repeat each makers)
    return AccumulatorMaker(paths: paths) { left, right in
      guard left.count == right.count else { return false }
      for (left, right) in zip(left, right) {
        guard key.isSame(left.key, right.key) else { return false }
        for (maker, left, right) in repeat (each makers, each left.values, each right.values) {
          guard maker.isSame(left, right) else { return false }
        }
      }
      return true
    } make: { use in
      let groups = GroupAccumulator<Key, repeat each V>(by: key, use, repeat each makers)
      return RowAccumulator(
        add: { try groups.add($0, $1) }, remove: { try groups.remove($0) },
        value: { try groups.value() })
    }
  }
}

/// The groups of rows: an accumulator of each kind for each value of a key.
///
/// Confined to its computation.
private final class GroupAccumulator<Key: Sendable, each V: Sendable> {
  private final class Group {
    let key: Key
    let accumulators: (repeat RowAccumulator<each V>)
    var count = 0
    /// The group's values, as far as it did not change since.
    var finished: ResultGroup<Key, (repeat each V)>?

    init(_ key: Key, _ accumulators: repeat RowAccumulator<each V>) {
      self.key = key
      self.accumulators = (repeat each accumulators)
    }
  }

  private let key: ResultKey<Key>
  private let use: RowAccumulatorUse
  private let makers: (repeat AccumulatorMaker<each V>)
  /// By the key's code.
  private var groups: [[UInt8]: Group] = [:]
  /// The codes, ascending; nil after a group came or went.
  ///
  /// An array of `Group`, whose type has parameter packs, would need no look-up; with Swift 6.3.1 a release
  /// build that makes one is aborted by the runtime.
  private var order: [[UInt8]]?

  init(
    by key: ResultKey<Key>, _ use: RowAccumulatorUse, _ makers: repeat AccumulatorMaker<each V>
  ) {
    self.key = key
    self.use = use
    self.makers = (repeat each makers)
  }

  func add(_ values: ArraySlice<StoredValue>, _ layout: RecordLayout) throws {
    let own = values.prefix(key.paths.count)
    let group = try group(of: own, layout)
    var next = own.endIndex
    for (maker, accumulator) in repeat (each makers, each group.accumulators) {
      let end = next + maker.paths.count
      try accumulator.add(values[next..<end], layout)
      next = end
    }
    group.count += 1
    group.finished = nil
  }

  /// The group of a key, which is made for its first row.
  private func group(of own: ArraySlice<StoredValue>, _ layout: RecordLayout) throws -> Group {
    let code = key.code(of: own)
    if let known = groups[code] { return known }
    let new = Group(try key.key(of: own, layout), repeat (each makers).make(use))
    groups[code] = new
    order = nil
    return new
  }

  func remove(_ values: ArraySlice<StoredValue>) throws {
    let own = values.prefix(key.paths.count)
    let code = key.code(of: own)
    guard let group = groups[code] else { return }
    guard group.count > 1 else {
      groups[code] = nil
      order = nil
      return
    }
    var next = own.endIndex
    for (maker, accumulator) in repeat (each makers, each group.accumulators) {
      let end = next + maker.paths.count
      try accumulator.remove(values[next..<end])
      next = end
    }
    group.count -= 1
    group.finished = nil
  }

  /// The groups by their keys, ascending.
  ///
  /// - Complexity: O(*g*) for *g* groups, and O(*g* log *g*) after a group came or went.
  func value() throws -> [ResultGroup<Key, (repeat each V)>] {
    let codes = order ?? groups.keys.sorted { $0.lexicographicallyPrecedes($1) }
    order = codes
    return try codes.compactMap { code in
      guard let group = groups[code] else { return nil }
      if let finished = group.finished { return finished }
      let new = ResultGroup(
        key: group.key, values: (repeat try (each group.accumulators).value()))
      group.finished = new
      return new
    }
  }
}
