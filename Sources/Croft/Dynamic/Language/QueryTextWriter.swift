import CroftFoundation

/// Writes a query as a text that is read as an equal query.
///
/// Not every condition has one: infinite numbers, dates that are far from the year 1, and conditions nested too deeply.
struct QueryTextWriter {
  /// The columns of the model, by which the names on a path are told apart.
  let schema: Schema

  /// The text of a query about the model.
  func text(of core: QueryCore) -> String {
    var text = Self.name(schema.name)
    if core.condition != .constant(true) { text += " where " + condition(core.condition) }
    if !core.distinct.isEmpty {
      text += " distinct by " + core.distinct.map(path).joined(separator: ", ")
    }
    if !core.order.isEmpty {
      text +=
        " sort by "
        + core.order.map { path($0.path) + ($0.isDescending ? " desc" : "") }.joined(
          separator: ", ")
    }
    if core.limit != nil || core.offset > 0 { text += " limit \(core.limit ?? .max)" }
    if core.offset > 0 { text += " offset \(core.offset)" }
    return text
  }

  private func condition(_ tree: ConditionTree) -> String {
    switch tree {
    case .constant(let value): "\(value)"
    case .compare(let column, let comparison, let value):
      "\(path(column)) \(comparison.rawValue) \(value.literal)"
    case .isNil(let column): path(column) + " == nil"
    case .within(let column, let values):
      path(column) + " in [" + values.map(\.literal).joined(separator: ", ") + "]"
    case .text(let column, let pattern):
      "\(path(column)) \(Self.test(pattern)) \(Self.quoted(pattern.text))"
    case .search(_, let pattern): "\(Self.test(pattern)) \(Self.quoted(pattern.text))"
    case .columns(let left, let comparison, let right):
      "\(path(left)) \(comparison.rawValue) \(path(right))"
    case .any(let column, let inner): "\(path(column)) any (\(condition(inner)))"
    case .referred(let link, let inner):
      "\(Self.name(link.schema.name)).\(Self.path(link.schema.columns[link.column].name)) any "
        + "(\(QueryTextWriter(schema: link.schema).condition(inner)))"
    case .and(let terms): terms.map { nested($0, in: tree) }.joined(separator: " and ")
    case .or(let terms): terms.map { nested($0, in: tree) }.joined(separator: " or ")
    case .not(let term): "not (\(condition(term)))"
    case .tooDeep: "(a condition nested too deeply)"
    }
  }

  /// A term, in parentheses where it binds less than what it is in.
  private func nested(_ term: ConditionTree, in tree: ConditionTree) -> String {
    if case .or = term { return "(\(condition(term)))" }
    if case .or = tree, case .and = term { return "(\(condition(term)))" }
    return condition(term)
  }

  /// The operator of a test.
  static func name(of kind: TextPattern.Kind) -> String {
    switch kind {
    case .equal: "equals"
    case .contains: "contains"
    case .hasPrefix: "beginsWith"
    case .hasSuffix: "endsWith"
    case .like: "like"
    case .matches: "matches"
    }
  }

  private static func test(_ pattern: TextPattern) -> String {
    let name = name(of: pattern.kind)
    let options =
      (pattern.options.contains(.caseInsensitive) ? "c" : "")
      + (pattern.options.contains(.diacriticInsensitive) ? "d" : "")
    return options.isEmpty ? name : "\(name)[\(options)]"
  }
}

// Paths and expressions.
extension QueryTextWriter {
  private func path(_ column: ColumnPath) -> String {
    if column.relevance != nil {
      // A property may be called so.
      return schema.place(named: column.name) == nil ? column.name : "\(column.name)()"
    }
    return column.computed.map { expression($0.expression) } ?? Self.path(column.name)
  }

  /// The names of a path, of which an element of a collection is `it`.
  static func path(_ name: String) -> String {
    let element = ColumnPath.element.name
    return name.split(separator: ".", omittingEmptySubsequences: false).enumerated().map {
      index, part in
      index == 0 && part == element ? "it" : Self.name(String(part))
    }.joined(separator: ".")
  }

  /// A name, in backticks where it is also a keyword or has other characters than names have.
  static func name(_ name: String) -> String {
    let isPlain =
      name.unicodeScalars.allSatisfy { $0.properties.isXIDContinue || $0 == "_" }
      && (name.unicodeScalars.first.map { $0.properties.isXIDStart || $0 == "_" } ?? false)
    return isPlain && !keywords.contains(name.lowercased()) ? name : "`\(name)`"
  }

  private static let keywords: Set<String> = [
    "where", "and", "or", "not", "in", "between", "any", "all", "none", "contains", "beginswith",
    "endswith", "like", "equals", "matches", "select", "group", "distinct", "sort", "order",
    "limit",
    "offset", "by", "as", "asc", "desc", "ascending", "descending", "true", "false", "nil", "null",
    "now", "today", "it",
  ]

  private func expression(_ expression: ColumnExpression) -> String {
    switch expression {
    case .column(let column): path(column)
    case .constant(let value): value.literal
    case .arithmetic(let left, let operation, let right, _):
      "(\(self.expression(left)) \(operation.rawValue) \(self.expression(right)))"
    case .coalesced(let left, let right):
      "(\(self.expression(left)) ?? \(self.expression(right)))"
    case .text(let term, .lowercased): "lower(\(self.expression(term)))"
    case .text(let term, .uppercased): "upper(\(self.expression(term)))"
    case .text(let term, .count): "length(\(self.expression(term)))"
    case .start(let term, let unit, _): "start(\(self.expression(term)), \(unit))"
    case .component(let term, let unit, _): "\(unit)(\(self.expression(term)))"
    case .tooDeep: "(an expression nested too deeply)"
    }
  }
}

// Literals.
extension QueryTextWriter {
  /// A text in quotes, as a query text has it.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

extension DynamicQuery {
  /// The name of a property as a query text has it, in backticks where it is a keyword too.
  ///
  /// - Parameter name: The name, with those of the structs that the property is in before it, such as `date.year`;
  ///   also the name of a model.
  public static func path(_ name: String) -> String { QueryTextWriter.path(name) }
}

extension StoredValue {
  /// The value as a query text has it, such as `"milk"`, `2026-11-30T08:00:00Z` or `x"00ff"`.
  ///
  /// A query reads it as this value, unless it is an infinite number, NaN, or a date before the year
  /// 36 or after the year 9999, whose text is its number of seconds.
  public var literal: String {
    switch self {
    case .none: "nil"
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .uint(let value): "\(value)"
    case .double(let value): "\(value)"
    case .decimal(let value): "\(value)"
    case .string(let value): QueryTextWriter.quoted(value)
    case .date(let seconds): QueryMoment.text(of: seconds)
    case .data(let bytes):
      "x\"" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\""
    case .uuid: text
    case .list(let values): "[" + values.map(\.literal).joined(separator: ", ") + "]"
    }
  }
}

extension Query: CustomStringConvertible {
  /// The query as a text, which ``init(_:_:calendar:)`` reads as an equal query.
  ///
  /// Dates are in Greenwich. The calendar of `year`, `start` and their like is not a part of the text, nor are infinite
  /// numbers and dates that are far from the year 1.
  public var description: String { QueryTextWriter(schema: M._schema.erased).text(of: core) }
}
