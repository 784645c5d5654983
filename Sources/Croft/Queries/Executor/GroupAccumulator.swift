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
/// The types of parameter packs are looked up at run time wherever they are used, so that the path of a
/// row has none of them: a ``RowGroup`` has closures in their place.
///
/// Confined to its computation.
private final class GroupAccumulator<Key: Sendable, each V: Sendable> {
  private let key: ResultKey<Key>
  private let use: RowAccumulatorUse
  private let makers: (repeat AccumulatorMaker<each V>)
  private var groups: [GroupCode: RowGroup] = [:]
  /// The groups by their keys, ascending; nil after a group came or went.
  private var order: [RowGroup]?

  init(
    by key: ResultKey<Key>, _ use: RowAccumulatorUse, _ makers: repeat AccumulatorMaker<each V>
  ) {
    self.key = key
    self.use = use
    self.makers = (repeat each makers)
  }

  func add(_ values: ArraySlice<StoredValue>, _ layout: RecordLayout) throws {
    let own = values.prefix(key.paths.count)
    let code = GroupCode(own, key)
    let group: RowGroup
    if let known = groups[code] {
      group = known
    } else {
      group = makeGroup(of: try key.key(of: own, layout), code: key.code(of: own))
      groups[code] = group
      order = nil
    }
    try group.add(values, from: own.endIndex, layout)
  }

  func remove(_ values: ArraySlice<StoredValue>) throws {
    let own = values.prefix(key.paths.count)
    let code = GroupCode(own, key)
    guard let group = groups[code] else { return }
    guard group.count > 1 else {
      groups[code] = nil
      order = nil
      return
    }
    try group.remove(values, from: own.endIndex)
  }

  /// The groups by their keys, ascending.
  ///
  /// - Complexity: O(*g*) for *g* groups, and O(*g* log *g*) after a group came or went.
  func value() throws -> [ResultGroup<Key, (repeat each V)>] {
    let groups = order ?? groups.values.sorted { $0.code.lexicographicallyPrecedes($1.code) }
    order = groups
    return try groups.map { group in
      // Safety: the groups of this accumulator make nothing else.
      try unsafe unsafeDowncast(
        group.value(), to: Finished<ResultGroup<Key, (repeat each V)>>.self
      ).value
    }
  }

  private func makeGroup(of key: Key, code: [UInt8]) -> RowGroup {
    let accumulators = (repeat (each makers).make(use))
    var parts: [RowGroup.Part] = []
    for (maker, accumulator) in repeat (each makers, each accumulators) {
      parts.append(
        RowGroup.Part(
          width: maker.paths.count, add: accumulator.add, remove: accumulator.remove))
    }
    return RowGroup(code: code, parts) {
      Finished(ResultGroup(key: key, values: (repeat try (each accumulators).value())))
    }
  }
}

/// The aggregates of one group, whose types only its accumulator knows.
private final class RowGroup {
  /// One aggregate of the group.
  struct Part {
    /// The number of its values in a row.
    let width: Int
    let add: (ArraySlice<StoredValue>, RecordLayout) throws -> Void
    let remove: (ArraySlice<StoredValue>) throws -> Void
  }

  /// The code of the key, by which groups are ordered.
  let code: [UInt8]
  private let parts: [Part]
  private let finish: () throws -> AnyObject
  /// The group's values, as far as it did not change since.
  private var finished: AnyObject?
  /// The number of its rows.
  private(set) var count = 0

  init(code: [UInt8], _ parts: [Part], finish: @escaping () throws -> AnyObject) {
    self.code = code
    self.parts = parts
    self.finish = finish
  }

  func add(_ values: ArraySlice<StoredValue>, from start: Int, _ layout: RecordLayout) throws {
    var next = start
    for part in parts {
      try part.add(values[next..<next + part.width], layout)
      next += part.width
    }
    count += 1
    finished = nil
  }

  func remove(_ values: ArraySlice<StoredValue>, from start: Int) throws {
    var next = start
    for part in parts {
      try part.remove(values[next..<next + part.width])
      next += part.width
    }
    count -= 1
    finished = nil
  }

  /// The key and the values.
  func value() throws -> AnyObject {
    if let finished { return finished }
    let new = try finish()
    finished = new
    return new
  }
}

/// A group as it is handed out.
private final class Finished<Value> {
  let value: Value

  init(_ value: Value) { self.value = value }
}

/// What tells a group from others: an integer of a key of one column, else the key's code.
private enum GroupCode: Hashable {
  case integer(Int64)
  case bytes([UInt8])

  init<Key>(_ values: ArraySlice<StoredValue>, _ key: ResultKey<Key>) {
    if case .int(let number)? = values.first, values.count == 1 {
      self = .integer(number)
    } else {
      self = .bytes(key.code(of: values))
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .integer(let number): hasher.combine(number)
    // Safety: the bytes are read while they are borrowed.
    case .bytes(let bytes): unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
  }
}
