/// A condition as a tree of values: not generic, comparable, and free of Swift types.
///
/// Conditions are two-valued: `not(x)` holds exactly where `x` does not. Nothing
/// matches `<` or `>` against nil; `!=` is `not(==)` and so includes nil.
@usableFromInline
indirect enum Expression: Hashable, Sendable {
  case constant(Bool)
  case compare(ColumnPath, Comparison, StoredValue)
  case isNil(ColumnPath)
  case within(ColumnPath, [StoredValue])
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
}

/// How a column is compared with a value.
@usableFromInline
enum Comparison: Hashable, Sendable {
  case equal, less, lessOrEqual, greater, greaterOrEqual
}

/// A column of a model, by its place in the declaration.
@usableFromInline
struct ColumnPath: Hashable, Sendable {
  let place: Int
  let name: String
}
