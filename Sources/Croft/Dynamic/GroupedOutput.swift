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
    var totals: [MeasureAccumulator]
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
    let totals = output.aggregates.map {
      MeasureAccumulator(kind: $0.kind, values: $0.storage?.kind ?? .int64)
    }
    list.append(Group(keys: keys, totals: totals))
    return list.count - 1
  }

  /// Adds an object, given the values of the output's paths.
  mutating func add(_ values: [StoredValue]) {
    let place = place(of: Array(values.prefix(output.keys.count)))
    var next = output.keys.count
    for (index, aggregate) in output.aggregates.enumerated() {
      // Objects are counted whatever they hold, a property where it is not nil.
      guard aggregate.path != nil else {
        list[place].totals[index].add(.none)
        continue
      }
      if values[next] != .none { list[place].totals[index].add(values[next]) }
      next += 1
    }
  }

  /// The rows in order: by what the query sorts by, and then by the keys.
  ///
  /// - Throws: ``StoreError/overflow(model:field:)`` for a sum that does not fit.
  func rows() throws -> [[StoredValue]] {
    var rows: [(keys: [[UInt8]], values: [StoredValue], order: [[UInt8]])] = try list.map { group in
      var totals = try zip(output.aggregates, group.totals).map { aggregate, total in
        if total.overflows {
          throw StoreError.overflow(model: model, field: aggregate.path?.name ?? "")
        }
        return total.value
      }.makeIterator()
      let values = output.items.map { item -> StoredValue in
        switch item {
        case .key(let place): group.keys[place]
        case .aggregate: totals.next() ?? .none
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
