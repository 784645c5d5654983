import CroftFoundation
import LMDB

/// A query text whose names are looked up: what is read, and what is made of it.
struct ResolvedQuery {
  enum Output {
    /// The values of each object.
    case values([ColumnPath])
    /// One row for each group of objects.
    case groups(GroupedOutput)
  }

  let schema: Schema
  /// The names of the output's values.
  private(set) var names: [String] = []
  private(set) var core = QueryCore()
  private(set) var output = Output.values([])

  /// Looks up a query's names among the models of a file.
  ///
  /// - Throws: ``QueryTextError``.
  init(_ query: DynamicQuery, _ schemas: StoredSchemas, now: Date) throws(QueryTextError) {
    do {
      try self.init(resolving: query, schemas, now)
    } catch {
      throw error.inText(query.text)
    }
  }

  private init(
    resolving query: DynamicQuery, _ schemas: StoredSchemas, _ now: Date
  ) throws(QueryTextError) {
    let statement = query.statement
    let name = statement.model ?? QuerySyntax.Name(text: query.model, position: 0)
    schema = try schemas.schema(named: name)
    let resolver = QueryResolver(
      schema: { schemas[$0] }, parameters: query.parameters,
      moment: QueryMoment(calendar: query.calendar, now: now))
    let scope = QueryScope(schema)
    var rows = statement
    (rows.selections, rows.groups) = ([], [])
    let isGrouped = try Self.isGrouped(statement, resolver, scope)
    if isGrouped { (rows.order, rows.limit, rows.offset) = ([], nil, nil) }
    try core.resolve(rows, resolver, scope)
    try resolveOutput(statement, resolver, scope)
  }

  private mutating func resolveOutput(
    _ statement: QueryStatement, _ resolver: QueryResolver, _ scope: QueryScope
  ) throws(QueryTextError) {
    var grouped = GroupedOutput()
    for syntax in statement.groups { grouped.keys.append(try resolver.key(syntax, scope)) }
    var paths: [ColumnPath] = []
    for selection in statement.selections {
      names.append(selection.name)
      if let aggregate = try Self.aggregate(selection.value, resolver, scope) {
        grouped.items.append(.aggregate(aggregate))
        continue
      }
      let path = try resolver.column(selection.value, scope).path
      paths.append(path)
      grouped.items.append(.key(grouped.keys.firstIndex(of: path) ?? -1))
    }
    guard try Self.isGrouped(statement, resolver, scope) else {
      if statement.selections.isEmpty {
        names = schema.columns.map(\.name)
        paths = schema.columns.indices.map { ColumnPath(place: $0, name: schema.columns[$0].name) }
      }
      output = .values(paths)
      return
    }
    for (item, selection) in zip(grouped.items, statement.selections) where item == .key(-1) {
      throw QueryTextError(
        "beside counts and sums only what is grouped by can be selected: add it to \"group by\"",
        at: selection.value.position)
    }
    if statement.selections.isEmpty {
      names = statement.groups.indices.map { grouped.keys[$0].name } + ["count"]
      grouped.items =
        grouped.keys.indices.map { .key($0) } + [.aggregate(GroupedOutput.Aggregate(kind: .count))]
    }
    for order in statement.order {
      grouped.order.append(
        GroupedOutput.Order(
          item: try Self.place(of: order.value, in: grouped, resolver, scope),
          isDescending: order.isDescending))
    }
    (grouped.limit, grouped.offset) = try resolver.page(of: statement)
    output = .groups(grouped)
  }

  /// Whether a statement has groups, or aggregates of all objects.
  private static func isGrouped(
    _ statement: QueryStatement, _ resolver: QueryResolver, _ scope: QueryScope
  ) throws(QueryTextError) -> Bool {
    if !statement.groups.isEmpty { return true }
    for selection in statement.selections
    where try aggregate(selection.value, resolver, scope) != nil {
      return true
    }
    return false
  }

  /// The place of a sort key among what is selected of each group.
  private static func place(
    of syntax: QuerySyntax, in grouped: GroupedOutput, _ resolver: QueryResolver,
    _ scope: QueryScope
  ) throws(QueryTextError) -> Int {
    let item: GroupedOutput.Item =
      if let aggregate = try aggregate(syntax, resolver, scope) {
        .aggregate(aggregate)
      } else {
        .key(grouped.keys.firstIndex(of: try resolver.key(syntax, scope)) ?? -1)
      }
    guard let place = grouped.items.firstIndex(of: item) else {
      throw QueryTextError("groups are sorted by what is selected of them", at: syntax.position)
    }
    return place
  }

  /// The aggregate that a part of a text is; nil for anything else.
  private static func aggregate(
    _ syntax: QuerySyntax, _ resolver: QueryResolver, _ scope: QueryScope
  ) throws(QueryTextError) -> GroupedOutput.Aggregate? {
    if case .path(let names) = syntax.kind, names.count == 1, names[0].text.lowercased() == "count",
      scope.schema?.place(named: names[0].text) == nil
    {
      return GroupedOutput.Aggregate(kind: .count)
    }
    guard case .call(let function, let arguments) = syntax.kind else { return nil }
    let name = function.text.lowercased()
    let kind: ColumnPath.Measure.Kind? = name == "avg" ? .average : .init(rawValue: name)
    guard let kind else { return nil }
    if arguments.isEmpty, kind == .count { return GroupedOutput.Aggregate(kind: .count) }
    guard arguments.count == 1 else {
      throw QueryTextError("\(name) takes one property", at: syntax.position)
    }
    let (path, storage) = try resolver.column(arguments[0], scope)
    let isSum = kind == .sum || kind == .average
    guard storage.isComparable, !isSum || storage.kind.isSummable else {
      throw QueryTextError(
        "\(path.name) is \(storage.text), which has no \(name)", at: arguments[0].position)
    }
    return GroupedOutput.Aggregate(kind: kind, path: path, storage: storage)
  }
}

// MARK: - Running it

extension ResolvedQuery {
  /// What the plan is for.
  var purpose: Plan.Purpose {
    if case .groups(let output) = output, output.isCountAlone { .count } else { .rows }
  }

  /// What is read of each object.
  var paths: [ColumnPath] {
    switch output {
    case .values(let paths): paths
    case .groups(let output): output.paths
    }
  }

  /// Passes objects, or rows of groups, to a closure, which sets its second argument to true to stop.
  func forEach(
    _ plan: Plan, in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (DynamicObject, inout Bool) throws -> Void
  ) throws {
    var stops = false
    func pass(_ values: [StoredValue]) throws -> Bool {
      try body(DynamicObject(model: schema.name, names: names, values: values), &stops)
      return !stops
    }
    let run = try QueryRun(plan)
    switch output {
    case .values(let paths):
      try run.forEach(reading: _RowReading(paths: paths), in: transaction) { try pass($0.values) }
    case .groups(let output) where output.isCountAlone:
      let count = try run.count(in: transaction)
      let rows = [output.items.map { _ in StoredValue.int(Int64(count)) }]
      for row in rows.dropFirst(output.offset).prefix(output.limit ?? .max) {
        guard try pass(row) else { return }
      }
    case .groups(let output):
      var groups = GroupedRows(output, of: schema.name)
      try run.forEach(reading: _RowReading(paths: output.paths), in: transaction) { row in
        groups.add(row.values)
        return true
      }
      for row in try groups.rows() { guard try pass(row) else { return } }
    }
  }
}
