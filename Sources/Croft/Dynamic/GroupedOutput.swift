/// What a query text makes of groups of objects: keys and aggregates, in an order, and a part of them.
struct GroupedOutput {
  struct Aggregate: Hashable {
    let kind: ColumnPath.Measure.Kind
    /// What is counted or added up; nil for the objects.
    var path: ColumnPath?
    var storage: StorageType?
  }

  enum Item: Hashable {
    /// The place of a key among those that are grouped by.
    case key(Int)
    case aggregate(Aggregate)
  }

  struct Order {
    /// The place of the value among the items.
    let item: Int
    let isDescending: Bool
  }

  var keys: [ColumnPath] = []
  var items: [Item] = []
  var order: [Order] = []
  var limit: Int?
  var offset = 0

  /// What is read of each object: the keys, and then what the aggregates are of.
  var paths: [ColumnPath] { keys + aggregates.compactMap(\.path) }

  var aggregates: [Aggregate] {
    items.compactMap { if case .aggregate(let aggregate) = $0 { aggregate } else { nil } }
  }

  /// Whether only the number of all objects is asked for.
  var isCountAlone: Bool {
    keys.isEmpty && items.allSatisfy { $0 == .aggregate(Aggregate(kind: .count)) }
  }
}

/// Groups objects as they are read, and gives the rows of the groups.
///
/// Confined to one run of a query.
struct GroupedRows {
  private struct Group {
    let keys: [StoredValue]
    var totals: [GroupedTotal]
  }

  private let output: GroupedOutput
  private let model: String
  private var groups: [[StoredValue]: Int] = [:]
  private var list: [Group] = []

  init(_ output: GroupedOutput, of model: String) {
    (self.output, self.model) = (output, model)
    // Aggregates of all objects have a row where there is none.
    if output.keys.isEmpty { _ = place(of: []) }
  }

  private mutating func place(of keys: [StoredValue]) -> Int {
    if let place = groups[keys] { return place }
    groups[keys] = list.count
    list.append(
      Group(keys: keys, totals: output.aggregates.map { GroupedTotal($0, of: model) }))
    return list.count - 1
  }

  /// Adds an object, given the values of the output's paths.
  mutating func add(_ values: [StoredValue]) {
    let place = place(of: Array(values.prefix(output.keys.count)))
    var next = output.keys.count
    for (index, aggregate) in output.aggregates.enumerated() {
      let value = aggregate.path == nil ? nil : values[next]
      if aggregate.path != nil { next += 1 }
      list[place].totals[index].add(value)
    }
  }

  /// The rows in order: by what the query sorts by, and then by the keys.
  ///
  /// - Throws: ``StoreError/overflow(model:field:)`` for a sum that does not fit.
  func rows() throws -> [[StoredValue]] {
    var rows: [(keys: [[UInt8]], values: [StoredValue], order: [[UInt8]])] = try list.map { group in
      var totals = group.totals.makeIterator()
      let values = try output.items.map { item -> StoredValue in
        switch item {
        case .key(let place): group.keys[place]
        case .aggregate: try totals.next()?.value() ?? .none
        }
      }
      return (group.keys.map(\.orderCode), values, output.order.map { values[$0.item].orderCode })
    }
    rows.sort { left, right in
      for (order, (first, second)) in zip(output.order, zip(left.order, right.order))
      where first != second {
        return first.lexicographicallyPrecedes(second) != order.isDescending
      }
      for (first, second) in zip(left.keys, right.keys) where first != second {
        return first.lexicographicallyPrecedes(second)
      }
      return false
    }
    return rows.dropFirst(output.offset).prefix(output.limit ?? .max).map(\.values)
  }
}

/// One aggregate of one group.
private struct GroupedTotal {
  private let aggregate: GroupedOutput.Aggregate
  private let model: String
  private var count = 0
  private var total = _SummableTotal()
  private var best = StoredValue.none

  init(_ aggregate: GroupedOutput.Aggregate, of model: String) {
    (self.aggregate, self.model) = (aggregate, model)
  }

  /// Adds a value; nil for an object that is only counted.
  mutating func add(_ value: StoredValue?) {
    guard let value else { return count += 1 }
    if value == .none { return }
    count += 1
    switch aggregate.kind {
    case .count: break
    case .sum, .average: total.add(value)
    case .min, .max:
      if value.isNothing { return }
      if best == .none || value.holds(aggregate.kind == .min ? .less : .greater, best) {
        best = value
      }
    }
  }

  func value() throws -> StoredValue {
    switch aggregate.kind {
    case .count: return .int(Int64(count))
    case .min, .max: return best
    case .average: return total.average.map { .double($0) } ?? .none
    case .sum: break
    }
    let overflow = StoreError.overflow(model: model, field: aggregate.path?.name ?? "")
    switch aggregate.storage?.kind.kindOfSum {
    case .double: return .double(total.reals)
    case .uint64:
      guard let sum = UInt64(exactly: total.integers) else { throw overflow }
      return .uint(sum)
    default:
      guard let sum = Int64(exactly: total.integers) else { throw overflow }
      return .int(sum)
    }
  }
}

extension StoredValue {
  /// The code by which values of one column are in the order of `sort by`: nil first, NaN after all numbers.
  fileprivate var orderCode: [UInt8] {
    let kind: StorageType.Kind =
      switch self {
      case .none, .list: .coded
      case .bool: .bool
      case .int: .int64
      case .uint: .uint64
      case .double: .double
      case .date: .date
      case .uuid: .uuid
      case .string: .string
      case .data: .data
      case .decimal: .decimal
      }
    return code(as: StorageType(kind))
  }
}
