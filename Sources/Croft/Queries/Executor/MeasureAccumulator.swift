/// Computes a measure from values one by one; nil counts only for the count.
struct MeasureAccumulator {
  let kind: ColumnPath.Measure.Kind
  /// The kind of the values.
  let values: StorageType.Kind
  private var count = 0
  private var total = _SummableTotal()
  private var best: StoredValue = .none

  init(kind: ColumnPath.Measure.Kind, values: StorageType.Kind) {
    (self.kind, self.values) = (kind, values)
  }

  mutating func add(_ value: StoredValue) {
    count += 1
    switch kind {
    case .count: break
    case .sum, .average: total.add(value)
    case .min, .max:
      if value.isNothing { return }
      if best == .none || value.holds(kind == .min ? .less : .greater, best) { best = value }
    }
  }

  /// The result; a sum of nothing is zero, of the type that the sum of some values would have.
  ///
  /// A sum that does not fit is the nearest number that does.
  var value: StoredValue {
    switch kind {
    case .count: .int(Int64(count))
    case .min, .max: best
    case .average: total.average.map { .double($0) } ?? .none
    case .sum:
      switch values.kindOfSum {
      case .double: .double(total.reals)
      case .uint64: .uint(UInt64(clamping: total.integers))
      default: .int(Int64(clamping: total.integers))
      }
    }
  }

  /// Whether the sum does not fit.
  var overflows: Bool {
    guard kind == .sum else { return false }
    return switch value {
    case .int(let sum): Int128(sum) != total.integers
    case .uint(let sum): Int128(sum) != total.integers
    default: false
    }
  }
}
