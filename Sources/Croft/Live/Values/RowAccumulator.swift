/// An aggregate of rows that can be added and taken out again.
///
/// Confined to its computation.
struct RowAccumulator<Value: Sendable> {
  /// Adds a row.
  let add: (_RowReference) throws -> Void
  /// Takes out a row that was added.
  let remove: (_RowReference) throws -> Void
  /// Gives the aggregate of the rows.
  let value: () throws -> Value
  /// Sets the number of rows, where nothing but the number matters.
  var setCount: ((Int) -> Void)?
}

/// Makes an accumulator for a live aggregate, or for each group of one.
struct AccumulatorMaker<Value: Sendable>: Sendable {
  /// The columns that are read of a row.
  let columns: Set<Int>
  /// Whether a value need not be delivered after another.
  let isSame: @Sendable (Value, Value) -> Bool
  let make: @Sendable () -> RowAccumulator<Value>
}

extension AccumulatorMaker {
  /// Counts rows.
  static func count() -> Self where Value == Int {
    AccumulatorMaker(columns: [], isSame: ==) {
      var count = 0
      return RowAccumulator(
        add: { _ in count += 1 }, remove: { _ in count -= 1 }, value: { count },
        setCount: { count = $0 })
    }
  }

  /// Adds up a column.
  ///
  /// - Parameters:
  ///   - path: The column.
  ///   - finish: Makes the value of the total.
  static func total(
    of path: ColumnPath, _ finish: @escaping @Sendable (_SummableTotal) throws -> Value
  ) -> Self {
    AccumulatorMaker(columns: [path.place], isSame: isStoredAlike) {
      var total = _SummableTotal()
      return RowAccumulator(
        add: { total.add(try $0.value(of: path)) },
        remove: { total.remove(try $0.value(of: path)) },
        value: { try finish(total) })
    }
  }

  /// Finds the smallest or the greatest value of a column.
  static func extreme<V: Ordered>(
    of path: ColumnPath, as type: V.Type, isGreatest: Bool
  ) -> Self where Value == V.Unwrapped? {
    AccumulatorMaker(columns: [path.place], isSame: isStoredAlike) {
      var values = OrderedCodes<V.Unwrapped>(isDescending: isGreatest)
      return RowAccumulator(
        add: { row in
          if try row.value(of: path).isNothing { return }
          try values.insert(row.code(of: path)) {
            var decoder = _RecordDecoder(layout: row.layout)
            let value: V = try decoder.value(of: row.layout.columns[path.place], in: row.view)
            return (value as Any) as? V.Unwrapped
          }
        },
        remove: { row in
          if try row.value(of: path).isNothing { return }
          values.remove(try row.code(of: path))
        },
        value: { values.first })
    }
  }
}

/// Whether two values are stored alike; NaN is stored as NaN is.
@Sendable func isStoredAlike<Value>(_ left: Value, _ right: Value) -> Bool {
  let left = (left as Any) as? any Storable
  let right = (right as Any) as? any Storable
  guard let left = left?.stored, let right = right?.stored else {
    return left == nil && right == nil
  }
  return left == right || left.isNotANumber && right.isNotANumber
}

extension _RowReference {
  /// The value of a column as conditions hold it.
  fileprivate func value(of path: ColumnPath) throws -> StoredValue {
    try layout.columns[path.place].value(in: view, layout)
  }
}
