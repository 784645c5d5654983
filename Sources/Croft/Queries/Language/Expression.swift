/// A condition as a tree of values: not generic, comparable, and free of Swift types.
///
/// Conditions are two-valued: `not(x)` holds exactly where `x` does not. Nothing
/// matches `<` or `>` against nil; `!=` is `not(==)` and so includes nil.
@usableFromInline
indirect enum Expression: Hashable, Sendable {
  case constant(Bool)
  case compare(ColumnPath, Comparison, StoredValue)
  case isNil(ColumnPath)
  /// One of some values, nil among them where it is meant.
  case within(ColumnPath, [StoredValue])
  case text(ColumnPath, TextPattern)
  /// Two columns of one object; nil equals nil.
  case columns(ColumnPath, Comparison, ColumnPath)
  /// Some element of a collection for which a condition on ``ColumnPath/element`` holds.
  case any(ColumnPath, Expression)
  /// Some object that refers to the row, for which a condition holds.
  case referred(InverseLink, Expression)
  /// Terms that all must hold; none of them is an `and` itself.
  case and(Terms)
  /// Terms of which one must hold; none of them is an `or` itself.
  case or(Terms)
  case not(Expression)
  /// A condition that is nested too deeply to be run; it stands alone.
  case tooDeep

  /// How deep conditions may be nested: what walks through them does so on the thread's stack.
  ///
  /// So much fits in 512 KiB, the smallest stack that threads have, in a build for debugging.
  static let deepest = 80
  /// How many levels a condition on elements, or on objects that refer, counts for.
  private static let elementDepth = 4

  /// The conditions that all must hold, with nested conjunctions flattened.
  var conjuncts: [Expression] {
    switch self {
    case .and(let terms): terms.list
    case .constant(true): []
    default: [self]
    }
  }

  /// Both conditions.
  static func both(_ left: Expression, _ right: Expression) -> Expression {
    switch (left, right) {
    case (.tooDeep, _), (_, .tooDeep): .tooDeep
    case (.constant(true), _): right
    case (_, .constant(true)): left
    case (.and(let terms), .and(let others)): .and(terms.joined(with: others))
    case (.and(let terms), _): .and(terms.joined(with: Terms([right]))).bounded
    case (_, .and(let others)): .and(Terms([left]).joined(with: others)).bounded
    default: .and(Terms([left, right])).bounded
    }
  }

  /// All of some conditions, which are the conjuncts of one.
  static func all(_ conjuncts: [Expression]) -> Expression {
    switch conjuncts.count {
    case 0: .constant(true)
    case 1: conjuncts[0]
    default: .and(Terms(conjuncts))
    }
  }

  /// Either condition.
  static func either(_ left: Expression, _ right: Expression) -> Expression {
    switch (left, right) {
    case (.tooDeep, _), (_, .tooDeep): .tooDeep
    case (.or(let terms), .or(let others)): .or(terms.joined(with: others))
    case (.or(let terms), _): .or(terms.joined(with: Terms([right]))).bounded
    case (_, .or(let others)): .or(Terms([left]).joined(with: others)).bounded
    default: .or(Terms([left, right])).bounded
    }
  }

  /// The condition that holds exactly where another one does not.
  static func negation(of term: Expression) -> Expression {
    switch term {
    case .tooDeep: .tooDeep
    case .not(let inner): inner
    default: Expression.not(term).bounded
    }
  }

  /// Some element of a collection meets a condition.
  static func any(_ path: ColumnPath, meeting condition: Expression) -> Expression {
    if case .tooDeep = condition { .tooDeep } else { Expression.any(path, condition).bounded }
  }

  /// Some object that refers to the row meets a condition.
  static func referred(_ link: InverseLink, meeting condition: Expression) -> Expression {
    if case .tooDeep = condition { .tooDeep } else { Expression.referred(link, condition).bounded }
  }

  /// How many conditions stand inside one another at most.
  ///
  /// - Complexity: O(*d*) for a depth of *d*, which is bounded.
  var depth: Int {
    switch self {
    case .and(let terms), .or(let terms): terms.depth + 1
    case .not(let term): term.depth + 1
    case .any(_, let condition), .referred(_, let condition):
      condition.depth + Self.elementDepth
    case .constant, .compare, .isNil, .within, .text, .columns, .tooDeep: 1
    }
  }

  /// The condition, or what stands for one that is nested too deeply.
  private var bounded: Expression { depth > Self.deepest ? .tooDeep : self }

  /// The one column that a term speaks of.
  var path: ColumnPath? {
    switch self {
    case .compare(let path, _, _), .isNil(let path), .within(let path, _), .text(let path, _): path
    case .constant, .columns, .any, .referred, .and, .or, .not, .tooDeep: nil
    }
  }

  /// A term about a column behind a reference, as the object there sees it.
  var behindLink: Expression {
    switch self {
    case .compare(let path, let comparison, let value):
      .compare(path.behindLink, comparison, value)
    case .isNil(let path): .isNil(path.behindLink)
    case .within(let path, let values): .within(path.behindLink, values)
    case .text(let path, let pattern): .text(path.behindLink, pattern)
    case .any(let path, let condition): .any(path.behindLink, condition)
    case .not(let term): .not(term.behindLink)
    case .constant, .columns, .referred, .and, .or, .tooDeep: self
    }
  }
}

/// How a column is compared with a value.
@usableFromInline
enum Comparison: String, Hashable, Sendable {
  case equal = "=="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
}
