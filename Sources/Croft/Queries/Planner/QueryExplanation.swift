import CroftFoundation
import LMDB

/// How a query is run: which index, what is tested on each row, and how many rows it looks at.
///
/// ```swift
/// print(try store.explain(Song.where { $0.plays >= 100 && $0.title == "Intro" }))
/// // Song by the index over plays: plays >= 100
/// //   rows: 12
/// //   test: title == "Intro"
/// //   order: by primary key
/// ```
public struct QueryExplanation: Hashable, Sendable {
  /// How rows are found.
  public enum Access: String, Hashable, Sendable {
    /// No row can match, and none is read.
    case nothing
    /// All rows are read.
    case scan
    /// A range of primary keys is read.
    case primaryKeyRange
    /// Single primary keys are looked up.
    case primaryKeys
    /// Entries of an index with given values are read.
    case indexEquality
    /// A range of an index is read.
    case indexRange
    /// All of an index is read, for its order.
    case indexOrder
    /// Rows that any of several accesses finds are read.
    case union
    /// Only rows that two indexes both find are read.
    case intersection
  }

  /// How rows get into the query's order.
  public enum Order: String, Hashable, Sendable {
    /// They are read by primary key, and the query has that order.
    case primaryKey
    /// They are read in the order of an index, or backwards by primary key.
    case served
    /// They are sorted in memory.
    case sorted
    /// The lists of an index bring the most relevant first, until there are as many as are wanted.
    case relevance
  }

  /// The model's name.
  public let model: String
  /// How rows are found.
  public let access: Access
  /// The columns of the indexes that are read, each as `a, b`.
  public let indexes: [String]
  /// How many ranges of keys are read.
  public let ranges: Int
  /// The terms that bound the access.
  public let bounds: [String]
  /// The condition that is tested on each row; nil if the access alone finds the right rows.
  public let residual: String?
  /// How many rows or entries the access brings, before the residual.
  public let estimatedRows: Int?
  /// Whether ``estimatedRows`` was counted.
  public let isCounted: Bool
  /// How rows get into the query's order.
  public let order: Order
  /// How many objects are wanted at most, after those that are skipped; nil for all.
  public let limit: Int?
  /// How many objects are skipped first.
  public let offset: Int
}

extension QueryExplanation: CustomStringConvertible {
  /// Some lines of text, the same for equal values.
  public var description: String {
    let place =
      switch access {
      case .nothing: "no row"
      case .scan: "all rows"
      case .primaryKeyRange: "a range of primary keys"
      case .primaryKeys: "single primary keys"
      case .indexEquality, .indexRange: "the index over \(indexes.joined(separator: "; "))"
      case .indexOrder: "all of the index over \(indexes.joined(separator: "; "))"
      case .union: "a union over " + (indexes + ["primary keys"]).joined(separator: "; ")
      case .intersection: "the intersection of the indexes over \(indexes.joined(separator: "; "))"
      }
    var lines = ["\(model) by \(place)"]
    if !bounds.isEmpty { lines[0] += ": " + bounds.joined(separator: " && ") }
    if let estimatedRows { lines.append("  rows: \(isCounted ? "" : "about ")\(estimatedRows)") }
    if let residual { lines.append("  test: \(residual)") }
    let text =
      switch order {
      case .primaryKey: "by primary key"
      case .served: "as read"
      case .sorted: "sorted"
      case .relevance: "by relevance"
      }
    lines.append("  order: \(text)")
    if let limit { lines.append("  limit: \(limit)\(offset == 0 ? "" : ", offset \(offset)")") }
    return lines.joined(separator: "\n")
  }
}

extension Plan {
  var explanation: QueryExplanation {
    let rest = Set(residual?.conjuncts ?? [])
    var columns = access.indexes.flatMap(\.status.definition.columns)
    if access.readsKeys { columns += table.schema.keyPlaces.map { IndexColumn(place: $0) } }
    let bounds = query.condition.conjuncts.filter { conjunct in
      let paths = conjunct.search?.paths ?? conjunct.path.map { [$0] } ?? []
      return !rest.contains(conjunct) || columns.contains { paths.contains(where: $0.isOver) }
    }
    return QueryExplanation(
      model: table.schema.name, access: access.name,
      indexes: access.indexes.map(\.text), ranges: access.rangeCount,
      bounds: bounds.map(\.text), residual: residual?.text, estimatedRows: rows?.count,
      isCounted: rows?.isExact ?? false,
      order: ranked != nil
        ? .relevance : isSorted ? .sorted : delivery == .byKey ? .primaryKey : .served,
      limit: query.limit, offset: query.offset)
  }
}

extension Plan.Access {
  fileprivate var name: QueryExplanation.Access {
    switch self {
    case .nothing: .nothing
    case .rows(.all): .scan
    case .rows: .primaryKeyRange
    case .keys: .primaryKeys
    case .index(_, [.all]): .indexOrder
    case .index(_, let ranges): ranges.allSatisfy(\.isPrefix) ? .indexEquality : .indexRange
    case .lookup: .indexRange
    case .union: .union
    case .intersection: .intersection
    }
  }

  fileprivate var readsKeys: Bool {
    switch self {
    case .keys: true
    case .rows(let range): range != .all
    case .union(let members): members.contains(where: \.readsKeys)
    case .nothing, .index, .lookup, .intersection: false
    }
  }

  fileprivate var rangeCount: Int {
    switch self {
    case .nothing: 0
    case .rows: 1
    case .keys(let codes): codes.count
    case .index(_, let ranges): ranges.count
    case .lookup: 1
    case .union(let members), .intersection(let members): members.reduce(0) { $0 + $1.rangeCount }
    }
  }
}

extension KeyRange {
  /// Whether the range is all keys that begin alike.
  var isPrefix: Bool {
    if case .inclusive(let lower) = lower { self == .prefix(lower) } else { false }
  }
}

extension ConditionTree {
  /// The condition, written much as a program writes it.
  var text: String {
    switch self {
    case .constant(let holds): "\(holds)"
    case .compare(let path, let comparison, let value):
      "\(path.name) \(comparison.rawValue) \(value.text)"
    case .isNil(let path): "\(path.name) == nil"
    case .within(let path, let values):
      values.count > 8
        ? "\(path.name) in \(values.count) values"
        : "\(path.name) in [\(values.map(\.text).joined(separator: ", "))]"
    case .text(let path, let pattern): "\(path.name) \(pattern.description)"
    case .search(_, let pattern): pattern.description
    case .columns(let left, let comparison, let right):
      "\(left.name) \(comparison.rawValue) \(right.name)"
    case .any(let path, let condition): "\(path.name).any(\(condition.text))"
    case .referred(let source, let condition): "\(source.name).any(\(condition.text))"
    case .and(let terms): terms.map(\.nestedText).joined(separator: " && ")
    case .or(let terms): terms.map(\.nestedText).joined(separator: " || ")
    case .not(let term): "!(\(term.text))"
    case .tooDeep: "a condition nested too deeply"
    }
  }

  private var nestedText: String {
    switch self {
    case .and, .or: "(\(text))"
    default: text
    }
  }
}

extension TextPattern: CustomStringConvertible {
  @usableFromInline var description: String {
    let marks =
      (options.contains(.caseInsensitive) ? " any case" : "")
      + (options.contains(.diacriticInsensitive) ? " any diacritics" : "")
    return "\(kind.rawValue) \(StoredValue.string(text).text)\(marks)"
  }
}

extension StoredValue {
  /// The value as a person reads it.
  var text: String {
    switch self {
    case .none: "nil"
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .uint(let value): "\(value)"
    case .double(let value): "\(value)"
    case .date(let seconds): seconds.textOfDate
    case .uuid(let high, let low): UUID(words: (high, low)).uuidString
    case .string(let text): "\"\(text.count > 40 ? text.prefix(40) + "…" : text)\""
    case .data(let bytes): "\(bytes.count) bytes"
    case .decimal(let number): "\(number)"
    case .list(let values): "[\(values.map(\.text).joined(separator: ", "))]"
    }
  }
}

extension ReadableStore {
  /// Tells how a query would be run.
  ///
  /// - Throws: As for a read and ``ReadableTransaction/explain(_:)``.
  public func explain<M: Model>(_ query: Query<M>) throws -> QueryExplanation {
    try read { try $0.explain(query) }
  }

  /// Tells how a query would be run, off the caller's thread.
  ///
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func explain<M: Model>(_ query: Query<M>) async throws -> QueryExplanation {
    try await read { try $0.explain(query) }
  }
}
