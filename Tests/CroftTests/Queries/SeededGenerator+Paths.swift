import TestSupport

@testable import Croft

// Random conditions with paths through references, structs and collections.

extension SeededGenerator {
  /// A random query over a world's rows.
  mutating func query(_ world: ReferenceWorld) -> ReferenceQuery {
    func spots(_ random: inout Self, _ count: Int) -> [ColumnPath] {
      (0..<count).compactMap { _ in random.scalar(world) }
    }
    let order = spots(&self, max(0, below(5) - 1)).map {
      SortKey(path: $0, isDescending: oneIn(2))
    }
    return ReferenceQuery(
      condition: condition(world, world.root, depth: below(3)), order: order,
      distinct: spots(&self, oneIn(6) ? 1 + below(2) : 0),
      limit: oneIn(2) ? nil : pick([0, 1, 2, 7, 40]), offset: oneIn(2) ? 0 : pick([0, 1, 3, 50]),
      world: world)
  }

  /// A path to a value that can order, perhaps after references; nil now and then.
  private mutating func scalar(_ world: ReferenceWorld) -> ColumnPath? {
    let (path, column) = path(world.root)
    return column.storage.collection == nil ? path : nil
  }

  /// A path to a column, after up to two references.
  private mutating func path(
    _ schema: Schema, links: [Int] = []
  ) -> (ColumnPath, ColumnDefinition) {
    let place = below(schema.columns.count)
    let column = schema.columns[place]
    if let reference = column.reference, column.storage.collection == nil, links.count < 2,
      oneIn(2)
    {
      return path(reference.target(), links: links + [place])
    }
    return (ColumnPath(links: links, place: place, name: column.name), column)
  }

  private mutating func condition(
    _ world: ReferenceWorld, _ schema: Schema, depth: Int
  ) -> ConditionTree {
    if depth == 0 { return term(world, schema, depth: 2) }
    func terms(_ random: inout Self) -> [ConditionTree] {
      (0..<1 + random.below(3)).map { _ in
        random.condition(world, schema, depth: depth - 1)
      }
    }
    switch below(6) {
    case 0: return .not(condition(world, schema, depth: depth - 1))
    case 1, 2: return .or(ConditionTree.Terms(terms(&self)))
    default: return .and(ConditionTree.Terms(terms(&self)))
    }
  }

  /// A term about a row of a model; `depth` bounds how deep conditions on elements nest.
  private mutating func term(
    _ world: ReferenceWorld, _ schema: Schema, depth: Int
  ) -> ConditionTree {
    if depth > 0, oneIn(5), let link = referringColumn(to: schema) {
      return referred(world, link, depth: depth)
    }
    let (path, column) = path(schema)
    let owner = world.end(ofShape: schema, path.links)
    if column.storage.collection != nil {
      return collection(world, owner, path, column, depth: depth)
    }
    if oneIn(10), let other = twin(of: column, schema) {
      return .columns(path, comparison(), other)
    }
    let known = world.rows(of: owner).map { $0[path.place] }
    return test(path, column.storage, known)
  }

  /// A test of one value, which is often one of those known.
  private mutating func test(
    _ path: ColumnPath, _ storage: StorageType, _ known: [StoredValue]
  ) -> ConditionTree {
    func value(_ random: inout Self) -> StoredValue {
      let own = known.isEmpty ? .none : random.pick(known)
      if own != .none, !random.oneIn(4) { return own }
      return random.value(of: StorageType(storage.kind))
    }
    if storage.kind == .string, oneIn(3) { return .text(path, pattern(like: value(&self))) }
    // Only then can a program write nil.
    let canBeNil = storage.isOptional || !path.links.isEmpty
    switch below(7) {
    case 0: return canBeNil ? .isNil(path) : .constant(true)
    case 1:
      let members = (0..<below(5)).map { _ in value(&self) }
      return .within(path, canBeNil && oneIn(3) ? members + [.none] : members)
    case 2, 3, 4: return .compare(path, .equal, value(&self))
    default: return .compare(path, comparison(), value(&self))
    }
  }

  /// A term about a collection: its elements, a measure of them, or the whole.
  private mutating func collection(
    _ world: ReferenceWorld, _ owner: Schema, _ path: ColumnPath, _ column: ColumnDefinition,
    depth: Int
  ) -> ConditionTree {
    let rows = world.rows(of: owner).map { ReferenceRow(schema: owner, values: $0) }
    let elements = rows.flatMap { $0.elements(path.place) }
    switch below(8) {
    case 0:
      return column.storage.isOptional
        ? .isNil(path) : .compare(path.measured(.count), .equal, .int(0))
    case 1:
      let whole = rows.isEmpty ? StoredValue.list([]) : pick(rows).values[path.place]
      return whole == .none ? .isNil(path) : .compare(path, .equal, whole)
    case 2, 3:
      return measured(path, column.storage.element, elements)
    default:
      let condition = element(world, column, elements, depth: depth)
      return oneIn(3) ? .not(.any(path, condition)) : .any(path, condition)
    }
  }

  /// A condition on an element: a value, or an object referred to.
  private mutating func element(
    _ world: ReferenceWorld, _ column: ColumnDefinition, _ elements: [StoredValue], depth: Int
  ) -> ConditionTree {
    if let reference = column.reference, depth > 0, !oneIn(3) {
      let target = reference.target()
      let inner = term(world, target, depth: 0).behindElement
      if let inner { return oneIn(3) ? compared(inner, column, elements) : inner }
    }
    let first = test(.element, column.storage.element, elements)
    switch below(6) {
    case 0: return .not(first)
    case 1:
      return .and(ConditionTree.Terms([first, test(.element, column.storage.element, elements)]))
    case 2:
      return .or(ConditionTree.Terms([first, test(.element, column.storage.element, elements)]))
    default: return first
    }
  }

  /// A condition on the object that an element refers to, and one on the element itself.
  private mutating func compared(
    _ inner: ConditionTree, _ column: ColumnDefinition, _ elements: [StoredValue]
  ) -> ConditionTree {
    let own = test(.element, column.storage.element, elements)
    return oneIn(2)
      ? .and(ConditionTree.Terms([inner, own]))
      : .not(.or(ConditionTree.Terms([own, .not(inner)])))
  }

  /// A test of a measure.
  private mutating func measured(
    _ path: ColumnPath, _ storage: StorageType, _ values: [StoredValue],
    source: ReferringColumn? = nil
  ) -> ConditionTree {
    let isNumber = storage.kind.isReal || storage.kind.isSigned || storage.kind.isUnsigned
    let kinds: [ColumnPath.Measure.Kind] =
      isNumber ? [.count, .sum, .min, .max, .average] : [.count, .min, .max]
    let kind = pick(kinds)
    let path = path.measured(ColumnPath.Measure(kind: kind, source: source))
    switch kind {
    case .count:
      return .compare(path, comparison(), .int(Int64(below(5))))
    case .min, .max:
      return test(path, storage.optional, values)
    case .average:
      return oneIn(4) ? .isNil(path) : .compare(path, comparison(), .double(real()))
    case .sum:
      let sum: StoredValue =
        storage.kind.isReal
        ? .double(pick([0, real()]))
        : storage.kind.isUnsigned ? .uint(pick([0, unsigned()])) : .int(pick([0, signed()]))
      return oneIn(4) ? .within(path, [sum]) : .compare(path, comparison(), sum)
    }
  }

  private mutating func referred(
    _ world: ReferenceWorld, _ link: ReferringColumn, depth: Int
  ) -> ConditionTree {
    if oneIn(3) {
      let place = below(link.schema.columns.count)
      let column = link.schema.columns[place]
      if column.storage.collection == nil {
        let known = world.rows(of: link.schema).map { $0[place] }
        let path = ColumnPath(place: place, name: column.name)
        return measured(path, column.storage, known, source: link)
      }
    }
    let condition = term(world, link.schema, depth: depth - 1)
    return oneIn(3) ? .not(.referred(link, condition)) : .referred(link, condition)
  }

  private mutating func referringColumn(to schema: Schema) -> ReferringColumn? {
    let links = [Mixed.Node._schema.erased, Mixed.Hub._schema.erased].flatMap { source in
      source.columns.indices.filter { source.columns[$0].reference?.target() === schema }
        .map { ReferringColumn(schema: source, column: $0) }
    }
    return links.isEmpty ? nil : pick(links)
  }

  /// Another column of the same kind, of the row itself.
  private mutating func twin(of column: ColumnDefinition, _ schema: Schema) -> ColumnPath? {
    let places = schema.columns.indices.filter {
      schema.columns[$0].storage.kind == column.storage.kind
        && schema.columns[$0].storage.collection == nil
    }
    guard !places.isEmpty else { return nil }
    let place = pick(places)
    return ColumnPath(place: place, name: schema.columns[place].name)
  }

  private mutating func comparison() -> ConditionTree.Comparison {
    pick([.equal, .less, .lessOrEqual, .greater, .greaterOrEqual])
  }
}

extension ColumnPath {
  fileprivate func measured(_ kind: ColumnPath.Measure.Kind) -> ColumnPath {
    measured(ColumnPath.Measure(kind: kind))
  }

  /// The path from the element of a collection of references.
  fileprivate var behindElement: ColumnPath {
    ColumnPath(
      links: [ColumnPath.element.place] + links, place: place, name: name, measure: measure)
  }
}

extension ConditionTree {
  /// The same condition from the object that an element refers to; nil for one on whole rows.
  fileprivate var behindElement: ConditionTree? {
    switch self {
    case .compare(let path, let comparison, let value):
      .compare(path.behindElement, comparison, value)
    case .isNil(let path): .isNil(path.behindElement)
    case .within(let path, let values): .within(path.behindElement, values)
    case .text(let path, let pattern): .text(path.behindElement, pattern)
    case .any(let path, let condition): .any(path.behindElement, condition)
    case .not(let term): term.behindElement.map { .not($0) }
    case .columns(let left, let comparison, let right):
      .columns(left.behindElement, comparison, right.behindElement)
    case .constant, .search, .referred, .and, .or, .tooDeep: nil
    }
  }
}

extension ReferenceWorld {
  /// The model that references lead to.
  fileprivate func end(ofShape schema: Schema, _ links: [Int]) -> Schema {
    links.reduce(schema) { $0.columns[$1].reference?.target() ?? $0 }
  }
}
