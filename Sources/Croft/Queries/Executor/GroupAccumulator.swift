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
  /// The groups by their keys' codes.
  ///
  /// The type of `Group` depends on the query's, and a dictionary of it would look that type up for each row.
  private var groups: [Code: AnyObject] = [:]
  /// The codes, ascending; nil after a group came or went.
  ///
  /// An array of `Group`, whose type has parameter packs, would need no look-up; with Swift 6.3.1 a release
  /// build that makes one is aborted by the runtime.
  private var order: [Code]?

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
    let code = Code(bytes: key.code(of: own))
    if let known = known(code) { return known }
    let new = Group(try key.key(of: own, layout), repeat (each makers).make(use))
    groups[code] = new
    order = nil
    return new
  }

  private func known(_ code: Code) -> Group? {
    // Safety: nothing but groups is put there.
    groups[code].map { unsafe unsafeDowncast($0, to: Group.self) }
  }

  func remove(_ values: ArraySlice<StoredValue>) throws {
    let own = values.prefix(key.paths.count)
    let code = Code(bytes: key.code(of: own))
    guard let group = known(code) else { return }
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
    let codes = order ?? groups.keys.sorted()
    order = codes
    return try codes.compactMap { code in
      guard let group = known(code) else { return nil }
      if let finished = group.finished { return finished }
      let new = ResultGroup(
        key: group.key, values: (repeat try (each group.accumulators).value()))
      group.finished = new
      return new
    }
  }
}

/// The code of a group's key, which is hashed and compared as bytes.
private struct Code: Hashable, Comparable {
  let bytes: [UInt8]

  func hash(into hasher: inout Hasher) {
    // Safety: the bytes are read while they are borrowed.
    unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }

  static func < (left: Code, right: Code) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
