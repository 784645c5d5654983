import TestSupport

@testable import Croft

/// A query run by plain Swift over decoded objects, an element at a time.
struct ReferenceQuery {
  let condition: ConditionTree
  let order: [SortKey]
  let distinct: [ColumnPath]
  let limit: Int?
  let offset: Int
  /// The rows of other models, where paths lead to them; nil without such paths.
  var world: ReferenceWorld?
  /// The place of the primary key.
  let key = 0

  /// The places of the rows that a query gives, in its order.
  func run(_ rows: [[StoredValue]]) -> [Int] {
    let matching = rows.indices.filter { holds(condition, rows[$0]) }
    var sorted = matching.sorted { precedes(rows[$0], rows[$1]) }
    if !distinct.isEmpty {
      var kept: [Int] = []
      for row in sorted where !kept.contains(where: { isSame(rows[$0], rows[row]) }) {
        kept.append(row)
      }
      sorted = kept
    }
    let behind = sorted.dropFirst(offset)
    return Array(limit.map { behind.prefix($0) } ?? behind)
  }

  private func isSame(_ left: [StoredValue], _ right: [StoredValue]) -> Bool {
    distinct.allSatisfy { value($0, left).order(to: value($0, right)) == 0 }
  }

  private func value(_ path: ColumnPath, _ row: [StoredValue]) -> StoredValue {
    guard let world else { return row[path.place] }
    return world.value(path, ReferenceRow(schema: world.root, values: row))
  }

  private func holds(_ expression: ConditionTree, _ row: [StoredValue]) -> Bool {
    guard let world else { return holds(expression) { row[$0.place] } }
    return holds(expression, ReferenceRow(schema: world.root, values: row), world)
  }

  /// Whether a condition holds that may test elements and other rows.
  private func holds(
    _ expression: ConditionTree, _ row: ReferenceRow, _ world: ReferenceWorld
  ) -> Bool {
    switch expression {
    case .and(let terms): return terms.allSatisfy { holds($0, row, world) }
    case .or(let terms): return terms.contains { holds($0, row, world) }
    case .not(let term): return !holds(term, row, world)
    case .any(let path, let condition):
      guard var end = world.end(of: path, row) else { return false }
      end.collection = path.place
      return end.elements(path.place).contains { element in
        end.element = element
        return holds(condition, end, world)
      }
    case .referred(let link, let condition):
      return world.referrers(to: row, by: link).contains { holds(condition, $0, world) }
    default: return holds(expression) { world.value($0, row) }
    }
  }

  /// Whether a condition holds of the values that a closure finds.
  private func holds(
    _ expression: ConditionTree, _ value: (ColumnPath) -> StoredValue
  ) -> Bool {
    switch expression {
    case .constant(let holds): holds
    case .and(let terms): terms.allSatisfy { holds($0, value) }
    case .or(let terms): terms.contains { holds($0, value) }
    case .not(let term): !holds(term, value)
    case .isNil(let path): value(path) == .none
    case .within(let path, let values):
      values.contains { member in
        member == .none
          ? value(path) == .none : compare(value(path), .equal, member)
      }
    case .any, .referred, .tooDeep:
      preconditionFailure("Rows alone have no elements and no references.")
    case .text(let path, let pattern): pattern.fits(value(path))
    case .search(let paths, let pattern):
      NaiveSearch(pattern.text).matches(
        paths.flatMap { value($0).texts }.map(NaiveSearch.units))
    case .columns(let left, .equal, let right)
    where value(left) == .none && value(right) == .none:
      true
    case .columns(let left, let comparison, let right):
      compare(value(left), comparison, value(right))
    case .compare(let path, let comparison, let other): compare(value(path), comparison, other)
    }
  }

  private func compare(
    _ left: StoredValue, _ comparison: ConditionTree.Comparison, _ right: StoredValue
  ) -> Bool {
    if left == .none || right == .none || left.isNaN || right.isNaN { return false }
    // Whole collections are equal or not; one that contains NaN equals none.
    if case .list(let left) = left, case .list(let right) = right {
      return comparison == .equal && left.count == right.count
        && zip(left, right).allSatisfy { $0 == $1 && !$0.isNaN }
    }
    let order = left.order(to: right)
    return switch comparison {
    case .equal: order == 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }

  private func precedes(_ left: [StoredValue], _ right: [StoredValue]) -> Bool {
    for sort in order {
      let order = value(sort.path, left).order(to: value(sort.path, right))
      if order != 0 { return (order < 0) != sort.isDescending }
    }
    return left[key].order(to: right[key]) < 0
  }
}

extension TextPattern {
  /// Whether a value fits, by plain loops over Unicode scalars.
  fileprivate func fits(_ value: StoredValue) -> Bool {
    guard case .string(let own) = value else { return false }
    let text = Array(TextFolding.folded(own, options).unicodeScalars)
    let wanted = Array(TextFolding.folded(self.text, options).unicodeScalars)
    return switch kind {
    case .equal: text == wanted
    case .hasPrefix: text.starts(with: wanted)
    case .hasSuffix: text.reversed().starts(with: wanted.reversed())
    case .contains: text.indices.contains { text[$0...].starts(with: wanted) } || wanted.isEmpty
    case .like: Self.fits(text[...], wanted[...])
    case .matches: NaiveSearch(self.text).matches(own)
    }
  }

  /// Whether a text fits a pattern: which beginnings of the text fit each beginning of the pattern.
  private static func fits(
    _ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    let text = Array(text)
    var fitting = [true] + text.map { _ in false }
    var rest = pattern
    while let first = rest.popFirst() {
      var next = fitting.map { _ in false }
      if first == "*" {
        let shortest = fitting.firstIndex(of: true) ?? fitting.count
        for count in shortest..<fitting.count { next[count] = true }
      } else {
        let isLiteral = first == "\\" && !rest.isEmpty
        let wanted = isLiteral ? rest.removeFirst() : first
        for (place, own) in text.enumerated() where fitting[place] {
          next[place + 1] = own == wanted || !isLiteral && first == "?"
        }
      }
      fitting = next
    }
    return fitting[text.count]
  }
}

extension SeededGenerator {
  /// A random query over columns; its values are often some that the rows have.
  mutating func query(_ schema: Schema, _ rows: [[StoredValue]]) -> ReferenceQuery {
    let order = (0..<max(0, below(5) - 1)).map { _ in
      SortKey(path: path(pick(Array(schema.columns.indices)), schema), isDescending: oneIn(2))
    }
    let distinct = (0..<(oneIn(6) ? 1 + below(2) : 0)).map { _ in
      path(pick(Array(schema.columns.indices)), schema)
    }
    return ReferenceQuery(
      condition: condition(schema, rows, depth: below(4)), order: order, distinct: distinct,
      limit: oneIn(2) ? nil : pick([0, 1, 2, 7, 40, 1000]),
      offset: oneIn(2) ? 0 : pick([0, 1, 3, 50, 1000]))
  }

  private func path(_ place: Int, _ schema: Schema) -> ColumnPath {
    ColumnPath(place: place, name: schema.columns[place].name)
  }

  private mutating func condition(
    _ schema: Schema, _ rows: [[StoredValue]], depth: Int
  ) -> ConditionTree {
    if depth == 0 { return term(schema, rows) }
    func terms(_ random: inout Self) -> [ConditionTree] {
      (0..<1 + random.below(3)).map { _ in
        random.condition(schema, rows, depth: depth - 1)
      }
    }
    switch below(6) {
    case 0: return .not(condition(schema, rows, depth: depth - 1))
    case 1, 2: return .or(ConditionTree.Terms(terms(&self)))
    // Conjunctions are what plans are made of.
    default: return .and(ConditionTree.Terms(terms(&self)))
    }
  }

  private mutating func term(_ schema: Schema, _ rows: [[StoredValue]]) -> ConditionTree {
    if oneIn(30) { return .constant(oneIn(2)) }
    let place = below(schema.columns.count)
    let storage = schema.columns[place].storage
    func value(_ random: inout Self) -> StoredValue {
      let known = rows.isEmpty ? .none : random.pick(rows)[place]
      if known != .none, !random.oneIn(4) { return known }
      return random.value(of: StorageType(storage.kind))
    }
    if oneIn(12) {
      let others = schema.columns.indices.filter { schema.columns[$0].storage.kind == storage.kind }
      let comparison = pick(
        [.equal, .less, .lessOrEqual, .greater, .greaterOrEqual] as [ConditionTree.Comparison])
      return .columns(path(place, schema), comparison, path(pick(others), schema))
    }
    if storage.kind == .string, oneIn(2) {
      return .text(path(place, schema), pattern(like: value(&self)))
    }
    switch below(8) {
    case 0 where storage.isOptional: return .isNil(path(place, schema))
    case 0, 1:
      let members = (0..<below(6)).map { _ in value(&self) }
      let within = ConditionTree.within(path(place, schema), members)
      if storage.isOptional, oneIn(3) { return .within(path(place, schema), members + [.none]) }
      return storage.isOptional && oneIn(3) ? .either(.isNil(path(place, schema)), within) : within
    case 2, 3: return .compare(path(place, schema), .equal, value(&self))
    default:
      let comparison = pick(
        [.less, .lessOrEqual, .greater, .greaterOrEqual] as [ConditionTree.Comparison])
      return .compare(path(place, schema), comparison, value(&self))
    }
  }
}

extension SeededGenerator {
  /// A pattern made of a part of a text, so that it often fits.
  mutating func pattern(like value: StoredValue) -> TextPattern {
    guard case .string(let text) = value else { preconditionFailure("Only texts have patterns.") }
    let scalars = Array(text.unicodeScalars)
    let start = scalars.isEmpty ? 0 : oneIn(2) ? 0 : below(scalars.count)
    let count = oneIn(3) ? scalars.count - start : min(below(5), scalars.count - start)
    var part = scalars[start..<start + count]
    let kind = pick(
      [.equal, .contains, .hasPrefix, .hasSuffix, .like, .matches] as [TextPattern.Kind])
    if kind == .matches {
      return TextPattern(TextSearch(search(in: text), oneIn(3) ? .asTyped : .complete))
    }
    if kind == .like {
      // A long text would make the plain twin's recursion slow.
      part = part.prefix(6)
      for _ in 0..<below(3) {
        let place = part.startIndex + below(part.count + 1)
        part.insert(pick(["*", "?", "*", "\\"]), at: place)
      }
    }
    var wanted = ""
    wanted.unicodeScalars.append(contentsOf: part)
    return TextPattern(kind: kind, text: wanted, options: TextOptions(rawValue: below(4)))
  }
}

extension Query {
  /// The same question to the store.
  init(_ reference: ReferenceQuery) {
    self.init(reference.condition)
    core.order = reference.order
    core.distinct = reference.distinct
    core.limit = reference.limit
    core.offset = reference.offset
  }
}

extension StoredValue {
  /// The text, or those of a collection.
  fileprivate var texts: [String] {
    switch self {
    case .string(let text): [text]
    case .list(let values): values.flatMap(\.texts)
    default: []
    }
  }
}
