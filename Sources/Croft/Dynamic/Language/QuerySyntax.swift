/// A part of a query text: a condition or a value, before it is known what its names mean.
struct QuerySyntax: Hashable, Sendable {
  indirect enum Kind: Hashable, Sendable {
    case literal(QueryLiteral)
    /// A property, perhaps through references and structs, or the element of a collection.
    case path([Name])
    case all([QuerySyntax])
    case any([QuerySyntax])
    case not(QuerySyntax)
    case compare(QuerySyntax, Comparison, QuerySyntax)
    /// A value that is one of a list, which may be a parameter as a whole.
    case within(QuerySyntax, [QuerySyntax], isParameter: Bool)
    case text(QuerySyntax, TextPattern.Kind, TextOptions, QuerySyntax)
    /// A search in all texts of the model that have an index for it.
    case search(QuerySyntax)
    case quantified(QuerySyntax, Quantifier, QuerySyntax)
    case arithmetic(QuerySyntax, ColumnExpression.Operation, QuerySyntax)
    case coalesced(QuerySyntax, QuerySyntax)
    case call(Name, [QuerySyntax])
  }

  /// A name and where it is.
  struct Name: Hashable, Sendable {
    let text: String
    let position: Int
  }

  enum Quantifier: String, Sendable { case any, all, none }

  enum Comparison: Hashable, Sendable {
    case equal, unequal
    case order(ConditionTree.Comparison)

    /// The comparison with the sides exchanged.
    var mirrored: Comparison {
      switch self {
      case .order(.less): .order(.greater)
      case .order(.lessOrEqual): .order(.greaterOrEqual)
      case .order(.greater): .order(.less)
      case .order(.greaterOrEqual): .order(.lessOrEqual)
      case .equal, .unequal, .order(.equal): self
      }
    }
  }

  let kind: Kind
  /// Where it begins, as a number of scalars.
  let position: Int
  /// Where its operator is, such as `contains`; where it begins, of a part without one.
  let operatorPosition: Int
  /// How many parts are within each other: 1 for a literal.
  let depth: Int

  init(kind: Kind, position: Int, operatorPosition: Int? = nil) {
    (self.kind, self.position) = (kind, position)
    self.operatorPosition = operatorPosition ?? position
    depth = 1 + (kind.parts.map(\.depth).max() ?? 0)
  }
}

extension QuerySyntax.Kind {
  /// What it is made of.
  var parts: [QuerySyntax] {
    switch self {
    case .literal, .path: []
    case .all(let terms), .any(let terms), .call(_, let terms): terms
    case .not(let term), .search(let term): [term]
    case .compare(let left, _, let right), .text(let left, _, _, let right),
      .arithmetic(let left, _, let right), .coalesced(let left, let right),
      .quantified(let left, _, let right):
      [left, right]
    case .within(let value, let list, _): [value] + list
    }
  }
}

extension QuerySyntax {
  /// The word with hyphens that is read as a difference, such as `e-book`; nil for other parts.
  var hyphenatedWord: String? {
    guard case .arithmetic(let left, .minus, let right) = kind,
      let first = left.plainWord ?? left.hyphenatedWord, let last = right.plainWord,
      right.position == left.position + first.unicodeScalars.count + 1
    else { return nil }
    return "\(first)-\(last)"
  }

  /// A name or a number as it is written.
  private var plainWord: String? {
    switch kind {
    case .path(let names) where names.count == 1: names[0].text
    case .literal(.number(let text)): text
    default: nil
    }
  }
}

/// A literal of a query text.
enum QueryLiteral: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(String)
  case text(String)
  case bytes([UInt8])
  case uuid(String)
  /// A date or a moment, as it is written.
  case moment(String)
  /// The present moment, or the beginning of this day, and lengths of time that are added.
  case now(isToday: Bool, [Offset])
  case parameter(String)

  /// A length of time.
  struct Offset: Hashable, Sendable {
    let count: Int
    let unit: String
  }
}

/// A whole query text as its parts.
struct QueryStatement: Hashable, Sendable {
  /// One value of a result.
  struct Selection: Hashable, Sendable {
    let value: QuerySyntax
    /// The name that the query gives it, or the text of the value.
    let name: String
  }

  struct Order: Hashable, Sendable {
    let value: QuerySyntax
    var isDescending = false
  }

  /// How many objects or groups: a number, or a parameter that has it.
  enum Count: Hashable, Sendable {
    case number(Int)
    case parameter(QuerySyntax.Name)
  }

  /// The model; nil in a condition alone.
  var model: QuerySyntax.Name?
  var condition: QuerySyntax?
  /// What is selected; empty for all properties.
  var selections: [Selection] = []
  var groups: [QuerySyntax] = []
  var distinct: [QuerySyntax] = []
  var order: [Order] = []
  var limit: Count?
  var offset: Count?
}
