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
  case and([Expression])
  case or([Expression])
  case not(Expression)

  /// The conditions that all must hold, with nested conjunctions flattened.
  var conjuncts: [Expression] {
    switch self {
    case .and(let terms): terms.flatMap(\.conjuncts)
    case .constant(true): []
    default: [self]
    }
  }

  /// Both conditions.
  static func both(_ left: Expression, _ right: Expression) -> Expression {
    // Most queries have one condition, whose list need not be made.
    switch (left, right) {
    case (.constant(true), .and): break
    case (.constant(true), _): return right
    default: break
    }
    let terms = left.conjuncts + right.conjuncts
    return switch terms.count {
    case 0: .constant(true)
    case 1: terms[0]
    default: .and(terms)
    }
  }

  /// Either condition.
  static func either(_ left: Expression, _ right: Expression) -> Expression {
    .or(left.disjuncts + right.disjuncts)
  }

  /// The conditions of which one must hold; flat, so that a long chain is no deep tree.
  private var disjuncts: [Expression] {
    if case .or(let terms) = self { terms } else { [self] }
  }

  /// The one column that a term speaks of.
  var path: ColumnPath? {
    switch self {
    case .compare(let path, _, _), .isNil(let path), .within(let path, _), .text(let path, _): path
    case .constant, .columns, .any, .referred, .and, .or, .not: nil
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
    case .constant, .columns, .referred, .and, .or: self
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
