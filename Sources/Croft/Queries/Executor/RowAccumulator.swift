/// What an accumulator is made for.
enum RowAccumulatorUse {
  /// Rows are added, and the value is taken once.
  case addingOnly
  /// Rows are added and removed, as commits change them.
  case removable
}

/// An aggregate of rows that are added one by one, and removed again where it was made for that.
///
/// Confined to its computation.
struct RowAccumulator<Value: Sendable> {
  /// Adds a row, by its values of the maker's paths.
  let add: (ArraySlice<StoredValue>, RecordLayout) throws -> Void
  let remove: (ArraySlice<StoredValue>) throws -> Void
  let value: () throws -> Value
  /// Sets the number of rows, where nothing but the number matters.
  var setCount: ((Int) -> Void)?
}

/// Makes an accumulator for an aggregate, or for each group of one.
struct AccumulatorMaker<Value: Sendable>: Sendable {
  let paths: [ColumnPath]
  /// Whether a value need not be delivered after another.
  let isSame: @Sendable (Value, Value) -> Bool
  /// The same query, or one of fewer rows that has the same aggregate.
  var narrowed: @Sendable (QueryCore) -> QueryCore = { $0 }
  let make: @Sendable (RowAccumulatorUse) -> RowAccumulator<Value>

  static func count() -> Self where Value == Int {
    AccumulatorMaker(paths: [], isSame: ==) { _ in
      var count = 0
      return RowAccumulator(
        add: { _, _ in count += 1 }, remove: { _ in count -= 1 }, value: { count },
        setCount: { count = $0 })
    }
  }

  /// Adds up a column, and makes the value of the total.
  static func total(
    of path: ColumnPath, _ finish: @escaping @Sendable (_SummableTotal) throws -> Value
  ) -> Self {
    AccumulatorMaker(paths: [path], isSame: isStoredAlike) { _ in
      var total = _SummableTotal()
      return RowAccumulator(
        add: { values, _ in for value in values { total.add(value) } },
        remove: { values in for value in values { total.remove(value) } },
        value: { try finish(total) })
    }
  }

  /// Finds the smallest or the greatest value of a column.
  static func extreme<V: OrderedStorable>(
    of path: ColumnPath, as type: V.Type, isGreatest: Bool
  ) -> Self where Value == V.Unwrapped? {
    AccumulatorMaker(
      paths: [path], isSame: isStoredAlike,
      narrowed: { $0.narrowed(to: path, V.storage, isGreatest: isGreatest) }
    ) { use in
      switch use {
      case .addingOnly: RowAccumulator(Extreme<V>(path: path, isGreatest: isGreatest))
      case .removable: RowAccumulator(orderedBy: path, as: V.self, isGreatest: isGreatest)
      }
    }
  }
}

extension RowAccumulator {
  /// Keeps the extreme alone.
  fileprivate init<V: OrderedStorable>(_ extreme: Extreme<V>) where Value == V.Unwrapped? {
    var best = extreme
    self.init(
      add: { row, layout in for value in row { try best.add(value, layout) } },
      remove: { _ in preconditionFailure("An accumulator that only adds keeps no other rows.") },
      value: { best.value })
  }

  /// Keeps all values, so that another one is the extreme when that is removed.
  fileprivate init<V: OrderedStorable>(
    orderedBy path: ColumnPath, as type: V.Type, isGreatest: Bool
  )
  where Value == V.Unwrapped? {
    var values = OrderedCodes<V.Unwrapped>(isDescending: isGreatest)
    self.init(
      add: { row, layout in
        for value in row where !value.isNothing {
          try values.insert(value.code(as: V.storage)) { try V.unwrapped(value, path, layout) }
        }
      },
      remove: { row in
        for value in row where !value.isNothing { values.remove(value.code(as: V.storage)) }
      },
      value: { values.first })
  }
}

/// Whether two values are stored alike; NaN is stored like NaN.
@Sendable func isStoredAlike<Value>(_ left: Value, _ right: Value) -> Bool {
  let left = (left as Any) as? any Storable
  let right = (right as Any) as? any Storable
  guard let left = left?.stored, let right = right?.stored else {
    return left == nil && right == nil
  }
  return left == right
}

extension StoredValue {
  /// The key code of a value of a path: 00 for nil, else 01 and the code.
  func code(as storage: StorageType) -> [UInt8] {
    if self == .none { return [0] }
    var code = _ByteBuffer()
    code.append(1)
    appendKey(kind: storage.kind, to: &code, cut: nil)
    return code.copied
  }
}

/// The smallest or greatest value of a column so far.
private struct Extreme<V: OrderedStorable> {
  let path: ColumnPath
  let isGreatest: Bool
  var code: [UInt8] = []
  private(set) var value: V.Unwrapped?

  mutating func add(_ stored: StoredValue, _ layout: RecordLayout) throws {
    if stored.isNothing { return }
    let own = stored.code(as: V.storage)
    if value != nil {
      guard isGreatest ? code.lexicographicallyPrecedes(own) : own.lexicographicallyPrecedes(code)
      else { return }
    }
    value = try V.unwrapped(stored, path, layout)
    code = own
  }
}
