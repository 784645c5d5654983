/// The position of an object in an order of its model.
///
/// The keys' values decide one after the other, and the primary key at last. Values are ordered as key codes
/// are: nil comes before all, and NaN after all numbers.
struct OrderPosition {
  private let bounds: [Bound]

  init<M: Model>(of object: M, in order: [SortKey]) {
    let schema = M._schema.erased
    var keys: [SortKey] = []
    for key in order {
      precondition(
        key.path.columns.allSatisfy { $0.links.isEmpty && $0.measure == nil },
        "page(after:) cannot find a position by \(key.path.name) of \(schema.name), which is read from other "
          + "objects or measures a collection: use limit(_:offset:).")
      keys.append(key)
      if schema.isKey(key.path) { break }
    }
    if !schema.isKey(keys.last?.path) {
      keys += schema.keyPlaces.map {
        SortKey(path: ColumnPath(place: $0, name: schema.columns[$0].name), isDescending: false)
      }
    }
    let layout = RecordLayout(schema: schema, id: RecordLayout.unregistered)
    var encoder = _RecordEncoder()
    encoder.encode(object, layout)
    let row = encoder.view
    bounds = keys.map { key in
      do {
        return Bound(key, try layout.value(of: key.path, in: row), schema.storage(of: key.path))
      } catch {
        preconditionFailure("A value that was just encoded cannot be read: \(error). Report this.")
      }
    }
  }

  /// The condition of the objects that come after it.
  var isBefore: ConditionTree {
    bounds.reversed().reduce(.constant(false)) { rest, bound in
      let ties = rest == .constant(false) ? rest : .both(bound.equal, rest)
      if bound.later == .constant(false) { return ties }
      return ties == .constant(false) ? bound.later : .either(bound.later, ties)
    }
  }
}

extension OrderPosition {
  /// The value of one key of an order, as conditions on the same key of other objects.
  private struct Bound {
    /// The value comes later.
    let later: ConditionTree
    /// The value comes at the same position.
    let equal: ConditionTree

    init(_ key: SortKey, _ value: StoredValue, _ storage: StorageType) {
      let path = key.path
      let isNil = ConditionTree.isNil(path)
      let isPresent: ConditionTree = storage.isOptional ? .not(isNil) : .constant(true)
      let isNaN: ConditionTree =
        switch storage.kind {
        case .float, .double:
          .both(.not(.compare(path, .lessOrEqual, .double(.infinity))), isPresent)
        case .date: .both(.not(.compare(path, .lessOrEqual, .date(.infinity))), isPresent)
        default: .constant(false)
        }
      if value == .none {
        equal = isNil
        later = key.isDescending ? .constant(false) : isPresent
      } else if value.isNotANumber {
        equal = isNaN
        later = key.isDescending ? .not(isNaN) : .constant(false)
      } else {
        equal = .compare(path, .equal, value)
        let isLess = ConditionTree.compare(path, .less, value)
        if key.isDescending {
          later = storage.isOptional ? .either(isLess, isNil) : isLess
        } else if isNaN == .constant(false) {
          later = .compare(path, .greater, value)
        } else {
          // What is not less or equal is greater, or NaN.
          later = .both(.not(.compare(path, .lessOrEqual, value)), isPresent)
        }
      }
    }
  }
}

extension RecordLayout {
  /// The value that a path of own columns has in a row.
  fileprivate func value(of path: ColumnPath, in row: RecordView) throws -> StoredValue {
    guard let computed = path.computed else { return try columns[path.place].value(in: row, self) }
    if computed.expression == .tooDeep { return .none }
    return try ExpressionReader(computed.expression) { columns[$0.place] }
      .value { try $0.value(in: row, self) }
  }
}

extension Schema {
  fileprivate func storage(of path: ColumnPath) -> StorageType {
    path.computed?.storage.optional ?? columns[path.place].storage
  }

  fileprivate func isKey(_ path: ColumnPath?) -> Bool { path.map(isKey) ?? false }
}
