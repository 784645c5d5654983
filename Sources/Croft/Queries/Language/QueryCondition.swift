/// A condition on a model's objects, or on elements; made by comparing columns.
public struct QueryCondition<M>: Hashable, Sendable {
  let tree: ConditionTree

  init(_ tree: ConditionTree) { self.tree = tree }
}

/// A condition, or a Bool column that is used as one.
public protocol ConditionConvertible<Root> {
  /// The root of the columns: a model, or an ``ElementOf`` a collection.
  associatedtype Root
  /// The condition itself.
  var condition: QueryCondition<Root> { get }
}

extension QueryCondition: ConditionConvertible {
  /// The condition itself.
  public var condition: QueryCondition<M> { self }
}

extension QueryColumn: ConditionConvertible where Value: StoredTruth {
  /// Holds where the property is true; its negation also holds where the property is nil.
  public var condition: QueryCondition<M> { QueryCondition(.compare(path, .equal, .bool(true))) }
}

extension ConditionConvertible {
  /// Holds where both conditions do.
  public static func && <Other: ConditionConvertible<Root>>(
    left: Self, right: Other
  ) -> QueryCondition<Root> {
    QueryCondition(.both(left.condition.tree, right.condition.tree))
  }

  /// Holds where at least one of the conditions does.
  public static func || <Other: ConditionConvertible<Root>>(
    left: Self, right: Other
  ) -> QueryCondition<Root> {
    QueryCondition(.either(left.condition.tree, right.condition.tree))
  }

  /// Holds exactly where the condition does not.
  public static prefix func ! (term: Self) -> QueryCondition<Root> {
    QueryCondition(.negation(of: term.condition.tree))
  }
}

/// A condition as a tree of values: not generic, comparable, and free of Swift types.
///
/// Conditions are two-valued: `not(x)` holds exactly where `x` does not. Nothing
/// matches `<` or `>` against nil; `!=` is `not(==)` and so includes nil.
@usableFromInline
indirect enum ConditionTree: Hashable, Sendable {
  case constant(Bool)
  case compare(ColumnPath, ConditionTree.Comparison, StoredValue)
  case isNil(ColumnPath)
  /// One of some values, nil among them where it is meant.
  case within(ColumnPath, [StoredValue])
  case text(ColumnPath, TextPattern)
  /// A search in several columns of the model itself, each term of which may hold in another one.
  case search([ColumnPath], TextPattern)
  /// Two columns of one object; nil equals nil.
  case columns(ColumnPath, ConditionTree.Comparison, ColumnPath)
  /// Some element of a collection for which a condition on ``ColumnPath/element`` holds.
  case any(ColumnPath, ConditionTree)
  /// Some object that refers to the row, for which a condition holds.
  case referred(ReferringColumn, ConditionTree)
  /// ConditionTree.Terms that all must hold; none of them is an `and` itself.
  case and(ConditionTree.Terms)
  /// ConditionTree.Terms of which one must hold; none of them is an `or` itself.
  case or(ConditionTree.Terms)
  case not(ConditionTree)
  /// A condition that is nested too deeply to be run; it replaces the whole condition.
  case tooDeep

  /// How deep conditions may be nested, because they are walked recursively.
  ///
  /// This depth fits in 512 KiB, the smallest stack of a thread, in a build for debugging.
  static let deepest = 80
  /// How many levels a condition on elements, or on objects that refer, counts for.
  private static let elementDepth = 4

  /// The conditions that all must hold, with nested conjunctions flattened.
  var conjuncts: [ConditionTree] {
    switch self {
    case .and(let terms): terms.list
    case .constant(true): []
    default: [self]
    }
  }

  static func both(_ left: ConditionTree, _ right: ConditionTree) -> ConditionTree {
    switch (left, right) {
    case (.tooDeep, _), (_, .tooDeep): .tooDeep
    case (.constant(true), _): right
    case (_, .constant(true)): left
    case (.and(let terms), .and(let others)): .and(terms.joined(with: others))
    case (.and(let terms), _): .and(terms.joined(with: ConditionTree.Terms([right]))).bounded
    case (_, .and(let others)): .and(ConditionTree.Terms([left]).joined(with: others)).bounded
    default: .and(ConditionTree.Terms([left, right])).bounded
    }
  }

  /// A property compared with a value.
  ///
  /// A value past all that the property can hold is equal to none of them, and less or greater than
  /// each. An order with nil never holds.
  static func comparing(
    _ path: ColumnPath, _ comparison: ConditionTree.Comparison, _ value: some Storable
  ) -> ConditionTree {
    let stored = value.stored
    if stored == .none { return comparison == .equal ? .isNil(path) : .constant(false) }
    let excess = value.excess(stored)
    if excess == 0 { return .compare(path, comparison, stored) }
    return switch comparison {
    case .equal: .constant(false)
    case .less, .lessOrEqual: excess > 0 ? .negation(of: .isNil(path)) : .constant(false)
    case .greater, .greaterOrEqual: excess < 0 ? .negation(of: .isNil(path)) : .constant(false)
    }
  }

  /// All of some conditions, which are the conjuncts of one.
  init(all conjuncts: [ConditionTree]) {
    switch conjuncts.count {
    case 0: self = .constant(true)
    case 1: self = conjuncts[0]
    default: self = .and(ConditionTree.Terms(conjuncts))
    }
  }

  static func either(_ left: ConditionTree, _ right: ConditionTree) -> ConditionTree {
    switch (left, right) {
    case (.tooDeep, _), (_, .tooDeep): .tooDeep
    case (.or(let terms), .or(let others)): .or(terms.joined(with: others))
    case (.or(let terms), _): .or(terms.joined(with: ConditionTree.Terms([right]))).bounded
    case (_, .or(let others)): .or(ConditionTree.Terms([left]).joined(with: others)).bounded
    default: .or(ConditionTree.Terms([left, right])).bounded
    }
  }

  /// The terms of an `or`, of which those that compare one column for equality are one term.
  ///
  /// A value is then looked up among all of them, and not compared with one after the other. The same is done
  /// with the terms of an `and` that compare for inequality.
  static func mergingEqualities(_ terms: [ConditionTree], areNegated: Bool) -> [ConditionTree] {
    let fewest = Threshold.equalitiesPerSet.value
    if terms.count < fewest { return terms }
    var values: [ColumnPath: [StoredValue]] = [:]
    for (path, value) in terms.lazy.compactMap({ $0.equality(isNegated: areNegated) }) {
      values[path, default: []].append(value)
    }
    values = values.filter { $0.value.count >= fewest }
    if values.isEmpty { return terms }
    CoverageMark.hit(.equalitiesMerged)
    let others = terms.filter { term in
      term.equality(isNegated: areNegated).map { values[$0.path] == nil } ?? true
    }
    let sets = values.sorted { $0.key.name < $1.key.name }.map { path, values in
      areNegated ? ConditionTree.not(.within(path, values)) : .within(path, values)
    }
    return others + sets
  }

  /// The column and the value that it equals, or does not equal, where this is the condition.
  private func equality(isNegated: Bool) -> (path: ColumnPath, value: StoredValue)? {
    switch self {
    case .compare(let path, .equal, let value) where !isNegated: (path, value)
    case .not(.compare(let path, .equal, let value)) where isNegated: (path, value)
    default: nil
    }
  }

  /// The condition that holds exactly where another one does not.
  static func negation(of term: ConditionTree) -> ConditionTree {
    switch term {
    case .tooDeep: .tooDeep
    case .not(let inner): inner
    default: ConditionTree.not(term).bounded
    }
  }

  static func any(_ path: ColumnPath, meeting condition: ConditionTree) -> ConditionTree {
    if case .tooDeep = condition { .tooDeep } else { ConditionTree.any(path, condition).bounded }
  }

  static func referred(_ link: ReferringColumn, meeting condition: ConditionTree) -> ConditionTree {
    if case .tooDeep = condition {
      .tooDeep
    } else {
      ConditionTree.referred(link, condition).bounded
    }
  }

  /// How deep the condition is nested; a depth of *d*, which is bounded, is found in O(*d*).
  var depth: Int {
    switch self {
    case .and(let terms), .or(let terms): terms.depth + 1
    case .not(let term): term.depth + 1
    case .any(_, let condition), .referred(_, let condition):
      condition.depth + Self.elementDepth
    case .constant, .compare, .isNil, .within, .text, .search, .columns, .tooDeep: 1
    }
  }

  /// The condition, or ``tooDeep`` in its place.
  private var bounded: ConditionTree { depth > Self.deepest ? .tooDeep : self }

  /// The column that a term of one column tests.
  var path: ColumnPath? {
    switch self {
    case .compare(let path, _, _), .isNil(let path), .within(let path, _), .text(let path, _): path
    case .constant, .search, .columns, .any, .referred, .and, .or, .not, .tooDeep: nil
    }
  }

  /// The columns of a search, and a query that matches wherever it holds; nil for another condition.
  var search: (paths: [ColumnPath], query: SearchQuery)? {
    switch self {
    case .text(let path, let pattern) where pattern.kind == .matches:
      return ([path], SearchQuery(pattern.text))
    case .search(let paths, let pattern): return (paths, SearchQuery(pattern.text))
    case .any(let path, .text(.element, let pattern)) where pattern.kind == .matches:
      // Another element may have what the one that matches must not have.
      let query = SearchQuery(pattern.text).withoutExclusions
      return query.groups.isEmpty ? nil : ([path], query)
    default: return nil
    }
  }

  /// Whether some part of the condition, negated or not, searches texts.
  var hasSearch: Bool {
    switch self {
    case .search: true
    case .text(_, let pattern): pattern.kind == .matches
    case .any(_, let condition), .referred(_, let condition), .not(let condition):
      condition.hasSearch
    case .and(let terms), .or(let terms): terms.contains(where: \.hasSearch)
    case .constant, .compare, .isNil, .within, .columns, .tooDeep: false
    }
  }

  /// A term about a column after a reference, from the object that the reference names.
  var behindLink: ConditionTree {
    switch self {
    case .compare(let path, let comparison, let value):
      .compare(path.behindLink, comparison, value)
    case .isNil(let path): .isNil(path.behindLink)
    case .within(let path, let values): .within(path.behindLink, values)
    case .text(let path, let pattern): .text(path.behindLink, pattern)
    case .any(let path, let condition): .any(path.behindLink, condition)
    case .not(let term): .not(term.behindLink)
    case .constant, .search, .columns, .referred, .and, .or, .tooDeep: self
    }
  }

  @usableFromInline
  enum Comparison: String, Hashable, Sendable {
    case equal = "=="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }

  /// The terms of an `and` or an `or`, to which others can be joined cheaply.
  ///
  /// A program joins many terms one after the other, and may keep each condition on the way. So the
  /// terms are in several arrays, each less than half as long as the one before it: joining *n*
  /// single terms copies O(*n* log *n*) of them.
  @usableFromInline
  struct Terms: Sendable {
    private var arrays: [[ConditionTree]] = []
    private(set) var count = 0
    private(set) var depth = 0

    init(_ terms: [ConditionTree]) {
      if terms.isEmpty { return }
      arrays = [terms]
      count = terms.count
      depth = terms.reduce(0) { Swift.max($0, $1.depth) }
    }

    func joined(with others: ConditionTree.Terms) -> ConditionTree.Terms {
      var all = self
      for array in others.arrays { all.append(array) }
      all.count += others.count
      all.depth = Swift.max(depth, others.depth)
      return all
    }

    private mutating func append(_ array: [ConditionTree]) {
      var last = array
      while let before = arrays.last, before.count <= last.count * 2 {
        last = before + last
        arrays.removeLast()
      }
      arrays.append(last)
    }

    /// The terms in their order, in one array.
    var list: [ConditionTree] { arrays.count == 1 ? arrays[0] : arrays.flatMap { $0 } }
  }
}

extension ConditionTree.Terms: Sequence {
  @usableFromInline func makeIterator() -> FlattenSequence<[[ConditionTree]]>.Iterator {
    arrays.joined().makeIterator()
  }

  @usableFromInline var underestimatedCount: Int { count }
}

extension ConditionTree.Terms: Hashable {
  // Two lists of equal terms are equal, however they were joined.

  @usableFromInline static func == (left: ConditionTree.Terms, right: ConditionTree.Terms) -> Bool {
    left.count == right.count && left.elementsEqual(right)
  }

  @usableFromInline func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for term in self { hasher.combine(term) }
  }
}
