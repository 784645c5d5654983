import CroftFoundation

// What paths, calls and arithmetic stand for.
extension QueryResolver {
  /// The value that a parsed expression has.
  ///
  /// - Throws: ``QueryTextError`` for an unknown name, and for types that do not fit each other.
  func operand(_ syntax: QuerySyntax, _ scope: QueryScope) throws(QueryTextError) -> QueryOperand {
    switch syntax.kind {
    case .literal(let literal): return .literal(literal)
    case .path(let names): return try path(names, scope)
    case .call(let function, let arguments):
      return try call(function, arguments, scope, at: syntax.position)
    case .arithmetic(let left, let operation, let right):
      let (left, right, storage) = try sides(left, right, scope)
      guard storage.kind.isNumber else {
        throw QueryTextError(
          "numbers are calculated with, and not \(storage.text)", at: syntax.position)
      }
      let isPartial = operation == .dividedBy || operation == .remainder
      return try expression(
        .arithmetic(left, operation, right, storage.kind),
        isPartial ? storage.optional : storage, scope, at: syntax.position)
    case .coalesced(let left, let right):
      let (left, right, storage) = try sides(left, right, scope)
      return try expression(
        .coalesced(left, right), StorageType(storage.kind), scope, at: syntax.position)
    default:
      throw QueryTextError("a property or a value is expected here", at: syntax.position)
    }
  }

  /// The property or expression that a parsed expression names.
  ///
  /// - Throws: ``QueryTextError`` for a literal, a struct and the objects that refer to one.
  func column(
    _ syntax: QuerySyntax, _ scope: QueryScope
  ) throws(QueryTextError) -> (path: ColumnPath, storage: StorageType) {
    guard case .column(let path, let storage, _) = try operand(syntax, scope) else {
      throw QueryTextError("a property is expected here", at: syntax.position)
    }
    return (path, storage)
  }

  /// What is sorted or grouped by: a property or an expression that has an order.
  ///
  /// - Throws: ``QueryTextError`` for anything else.
  func key(
    _ syntax: QuerySyntax, _ scope: QueryScope
  ) throws(QueryTextError) -> ColumnPath {
    let (path, storage) = try column(syntax, scope)
    guard storage.isComparable else {
      throw QueryTextError(
        "\(path.name) is \(storage.text), which has no order", at: syntax.position)
    }
    return path
  }

  /// What objects are sorted by: a key, or their relevance, unless a property is called so.
  ///
  /// - Throws: ``QueryTextError`` for anything else.
  func orderKey(
    _ syntax: QuerySyntax, _ scope: QueryScope
  ) throws(QueryTextError) -> ColumnPath {
    let relevance = ColumnPath.relevance
    switch syntax.kind {
    case .path(let names)
    where names.map(\.text) == [relevance.name] && scope.schema?.place(named: relevance.name) == nil:
      return relevance
    case .call(let function, let arguments)
    where function.text.lowercased() == relevance.name && arguments.isEmpty:
      return relevance
    default: return try key(syntax, scope)
    }
  }

  /// An expression as an operand.
  ///
  /// - Throws: ``QueryTextError`` for one with too many parts, and for one of the elements of a collection, whose
  ///   conditions compare them as they are.
  private func expression(
    _ expression: ColumnExpression, _ storage: StorageType, _ scope: QueryScope, at position: Int
  ) throws(QueryTextError) -> QueryOperand {
    if scope.element != nil {
      throw QueryTextError(
        "in any, all and none of a collection there is no arithmetic and no function: compare what is there",
        at: position)
    }
    let expression = expression.bounded
    if expression == .tooDeep {
      throw QueryTextError(
        "an expression has at most \(ColumnExpression.deepest) levels", at: position)
    }
    return .column(ColumnPath(computing: expression, storage), storage, reference: nil)
  }

  /// Two values of one type, of which one at least is a property.
  private func sides(
    _ left: QuerySyntax, _ right: QuerySyntax, _ scope: QueryScope
  ) throws(QueryTextError) -> (ColumnExpression, ColumnExpression, StorageType) {
    switch (try operand(left, scope), try operand(right, scope)) {
    case (.column(let path, let storage, _), .literal(let literal)):
      return (
        path.expression, try constant(literal, storage, path.name, at: right.position), storage
      )
    case (.literal(let literal), .column(let path, let storage, _)):
      return (
        try constant(literal, storage, path.name, at: left.position), path.expression, storage
      )
    case (.column(let path, let storage, _), .column(let other, let otherStorage, _)):
      guard storage.kind == otherStorage.kind, storage.isComparable, otherStorage.isComparable
      else {
        throw QueryTextError(
          "\(path.name) is \(storage.text) and \(other.name) is \(otherStorage.text): both must have one type",
          at: left.position)
      }
      let isOptional = storage.isOptional || otherStorage.isOptional
      return (
        path.expression, other.expression, isOptional ? storage.optional : storage
      )
    default:
      throw QueryTextError("one side of an operator is a property", at: left.position)
    }
  }

  private func constant(
    _ literal: QueryLiteral, _ storage: StorageType, _ name: String, at position: Int
  ) throws(QueryTextError) -> ColumnExpression {
    guard storage.isComparable,
      case .some(.value(let value)) = try stored(
        literal, as: storage, name, at: position)
    else {
      throw QueryTextError("\(name) is \(storage.text), which has no such value", at: position)
    }
    return .constant(value)
  }

  /// The property at the end of names, through structs and references.
  private func path(
    _ names: [QuerySyntax.Name], _ scope: QueryScope
  ) throws(QueryTextError) -> QueryOperand {
    var names = names[...]
    if let element = scope.element, names.first?.text.lowercased() == "it",
      scope.schema?.place(named: "it") == nil
    {
      names = names.dropFirst()
      if names.isEmpty { return .column(.element, element, reference: nil) }
    }
    guard var schema = scope.schema, let first = names.first else {
      let name = names.first
      throw QueryTextError(
        "an element of the collection is named it, and has no \(name?.text ?? "properties")",
        at: name?.position ?? 0)
    }
    if let source = try referrers(names, of: schema, scope) { return source }
    if names.count > 1, first.text.lowercased() == "self", !scope.names(first.text) {
      throw QueryTextError(
        "a property is named alone: leave out \"\(first.text).\"", at: first.position)
    }
    var (links, prefix) = (scope.links, scope.prefix)
    while true {
      guard let (place, count) = Self.column(names, in: schema) else {
        let written = names.map(\.text).joined(separator: ".")
        if schema.columns.contains(where: { $0.name.hasPrefix(written + ".") }) {
          return .embedded(prefix + written)
        }
        let name = names.first ?? first
        throw QueryTextError(
          "\(schema.name) has no property \(name.text)" + Self.near(name.text, in: schema),
          at: name.position)
      }
      let column = schema.columns[place]
      let name = prefix + column.name
      names = names.dropFirst(count)
      guard let next = names.first else {
        return .column(
          ColumnPath(links: links, place: place, name: name), column.storage,
          reference: column.reference)
      }
      guard let reference = column.reference, column.storage.collection == nil else {
        return try measure(
          names, ColumnPath(links: links, place: place, name: name), column, scope,
          at: next.position)
      }
      links.append(place)
      prefix = name + "."
      schema = reference.target()
    }
  }

  /// The longest name of a column that some names begin with, and how many they are.
  private static func column(
    _ names: ArraySlice<QuerySyntax.Name>, in schema: Schema
  ) -> (place: Int, count: Int)? {
    for count in stride(from: names.count, to: 0, by: -1) {
      let name = names.prefix(count).map(\.text).joined(separator: ".")
      if let place = schema.place(named: name) { return (place, count) }
    }
    return nil
  }

  /// What a collection or a text is measured by, as `tags.count`.
  private func measure(
    _ names: ArraySlice<QuerySyntax.Name>, _ path: ColumnPath, _ column: ColumnDefinition,
    _ scope: QueryScope, at position: Int
  ) throws(QueryTextError) -> QueryOperand {
    let name = names.map(\.text).joined(separator: ".")
    let storage = column.storage
    if storage.collection == nil, storage.kind == .string, name == "count" {
      return try expression(
        .text(path.expression, .count), StorageType(.int64, isOptional: storage.isOptional), scope,
        at: position)
    }
    guard storage.collection != nil else {
      let functions = ["size": "length", "lowercased": "lower", "uppercased": "upper"]
      let function = functions[name.lowercased()] ?? name.lowercased()
      let advice =
        Self.functionNames.contains(function) ? "; write \(function)(\(path.name))" : ""
      throw QueryTextError(
        "\(path.name) is \(storage.text) and has no \(name)" + advice, at: position)
    }
    let kind: ColumnPath.Measure.Kind? = name == "avg" ? .average : .init(rawValue: name)
    guard let kind, kind == .count || storage.element.isComparable else {
      throw QueryTextError(
        "a collection has count, sum, min, max and avg, and no \(name)", at: position)
    }
    let measured = path.measured(ColumnPath.Measure(kind: kind))
    let isSum = kind == .sum || kind == .average
    if isSum, !storage.kind.isSummable {
      throw QueryTextError("\(path.name) holds no numbers to add", at: position)
    }
    let type: StorageType =
      switch kind {
      case .count: StorageType(.int64)
      case .sum: StorageType(storage.kind.kindOfSum)
      case .average: StorageType(.double, isOptional: true)
      case .min, .max: storage.element.optional
      }
    return .column(measured, type, reference: nil)
  }

  /// The objects that refer to one, as `TodoItem.group`, or how many they are; nil for other names.
  private func referrers(
    _ names: ArraySlice<QuerySyntax.Name>, of schema: Schema, _ scope: QueryScope
  ) throws(QueryTextError) -> QueryOperand? {
    guard names.count > 1, let first = names.first, Self.column(names, in: schema) == nil,
      let source = self.schema(first.text),
      let (place, count) = Self.column(names.dropFirst(), in: source)
    else { return nil }
    let column = source.columns[place]
    guard scope.element == nil, let reference = column.reference, reference.target() === schema
    else {
      throw QueryTextError(
        "\(source.name).\(column.name) does not refer to \(schema.name)", at: first.position)
    }
    let referring = ReferringColumn(schema: source, column: place)
    let rest = names.dropFirst(1 + count)
    guard let next = rest.first else { return .referrers(referring) }
    guard rest.count == 1, next.text == "count" else {
      throw QueryTextError(
        "the objects that refer to one have count, any, all and none", at: next.position)
    }
    let path = ColumnPath(place: 0, name: referring.name)
      .measured(ColumnPath.Measure(kind: .count, source: referring))
    return .column(path, StorageType(.int64), reference: nil)
  }

  /// The names that differ least from one that is not there, for an error.
  static func near(_ name: String, in schema: Schema) -> String {
    let names = schema.columns.map(\.name)
    return near(name, among: names)
  }

  static func near(_ name: String, among names: [String]) -> String {
    let alike = alike(name, among: names)
    if !alike.isEmpty { return "; it has " + alike.joined(separator: ", ") }
    if names.isEmpty { return "" }
    let shown = names.prefix(12).joined(separator: ", ")
    return names.count > 12 ? "; it has \(names.count), among them \(shown)" : "; it has " + shown
  }

  /// The names that differ from one in few letters, or continue it.
  static func alike(_ name: String, among names: [String]) -> [String] {
    let small = name.lowercased()
    return names.filter {
      let other = $0.lowercased()
      // Two letters of a name of three say nothing.
      let distance = min(2, min(small.count, other.count) / 2)
      return other.hasPrefix(small) || small.hasPrefix(other)
        || editDistance(small, other) <= distance
    }
  }

  /// The name that a misspelt one is meant to be; nil where none differs in so few letters.
  static func meant(by name: String, among names: [String]) -> String? {
    let small = name.lowercased()
    return names.map { (name: $0, edits: editDistance(small, $0.lowercased())) }
      .filter { $0.edits <= small.count / lettersPerEdit }
      .min { $0.edits < $1.edits }?.name
  }

  /// One of so many letters may be wrong in a word that is taken for another one.
  private static let lettersPerEdit = 3
  /// Names that differ in more letters are not alike.
  private static let editsMax = 2

  /// How many letters are to be inserted, removed, replaced or exchanged with the next one.
  ///
  /// This is the optimal string alignment (Damerau, 1964): no letter is changed twice.
  private static func editDistance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left), Array(right))
    if abs(left.count - right.count) > editsMax { return editsMax + 1 }
    var (older, old): ([Int], [Int]) = ([], Array(0...right.count))
    for (index, letter) in left.enumerated() {
      var row = [index + 1]
      for place in right.indices {
        let replaced = old[place] + (letter == right[place] ? 0 : 1)
        var least = min(replaced, old[place + 1] + 1, row[place] + 1)
        if index > 0, place > 0, letter == right[place - 1], left[index - 1] == right[place] {
          least = min(least, older[place - 1] + 1)
        }
        row.append(least)
      }
      (older, old) = (old, row)
    }
    return old[right.count]
  }
}

// Functions.
extension QueryResolver {
  /// The units of dates by their names in small letters, as Foundation has them; `week` is that of the year.
  private static let components: [String: Calendar.Component] = {
    let named = Calendar.Component.all.map { ("\($0)".lowercased(), $0) }
    return Dictionary(named + [("week", .weekOfYear)], uniquingKeysWith: { first, _ in first })
  }()

  /// The names of the functions of values.
  static let functionNames = [
    "lower", "upper", "length", "start", "year", "month", "day", "hour", "minute", "second",
    "weekday",
  ]
  /// The names of the functions of several values, besides `count`.
  static let aggregateNames = ["sum", "avg", "min", "max"]
  /// The names of the units that `start` takes.
  static var unitNames: [String] { components.keys.sorted() }

  private func call(
    _ function: QuerySyntax.Name, _ arguments: [QuerySyntax], _ scope: QueryScope, at position: Int
  ) throws(QueryTextError) -> QueryOperand {
    let name = function.text.lowercased()
    guard Self.functionNames.contains(name) || Self.components[name] != nil else {
      throw QueryTextError(
        "there is no function \(function.text); "
          + (ForeignQueryWords.functions[name]
            ?? "there are " + Self.functionNames.dropLast().joined(separator: ", ")
            + " and \(Self.functionNames.last ?? "")"),
        at: function.position)
    }
    guard let first = arguments.first,
      case .column(let path, let storage, _) = try operand(first, scope), storage.collection == nil
    else {
      throw QueryTextError(
        "\(function.text) takes a property in parentheses: \(example(of: function, scope))",
        at: position)
    }
    func refuse(_ need: String) -> QueryTextError {
      QueryTextError(
        "\(name) takes \(need), and \(path.name) is \(storage.text)", at: first.position)
    }
    let calendar = UnitCalendar(moment.calendar)
    switch name {
    case "lower", "upper", "length":
      guard storage.kind == .string else { throw refuse("a text") }
      if name == "length" {
        return try expression(
          .text(path.expression, .count), StorageType(.int64, isOptional: storage.isOptional),
          scope, at: position)
      }
      return try expression(
        .text(path.expression, name == "lower" ? .lowercased : .uppercased), storage, scope,
        at: position)
    case "start":
      guard storage.kind == .date else { throw refuse("a date") }
      guard arguments.count == 2, case .path(let unit) = arguments[1].kind, unit.count == 1,
        let component = Self.components[unit[0].text.lowercased()]
      else {
        throw QueryTextError(
          "start takes a date and a unit: \(example(of: function, scope))", at: position)
      }
      return try expression(
        .start(path.expression, of: component, calendar), storage, scope, at: position)
    default: break
    }
    guard arguments.count == 1, let component = Self.components[name] else {
      throw QueryTextError(
        "\(function.text) takes one property: \(example(of: function, scope))",
        at: function.position)
    }
    guard storage.kind == .date else { throw refuse("a date") }
    return try expression(
      .component(path.expression, component, calendar),
      StorageType(.int64, isOptional: storage.isOptional), scope, at: position)
  }

  /// A call of a function with a property that it takes, where the model has one.
  private func example(of function: QuerySyntax.Name, _ scope: QueryScope) -> String {
    let name = function.text.lowercased()
    let kind: StorageType.Kind = ["lower", "upper", "length"].contains(name) ? .string : .date
    let column = scope.schema?.columns.first {
      $0.storage.kind == kind && $0.storage.collection == nil
    }
    let property = column.map { QueryTextWriter.path($0.name) }
    let argument = property ?? (kind == .date ? "createdAt" : "title")
    return "\(function.text)(\(argument)\(name == "start" ? ", month" : ""))"
  }
}

extension ColumnPath {
  /// The path as a part of an expression.
  var expression: ColumnExpression { computed?.expression ?? .column(self) }
}

extension StorageType.Kind {
  /// Whether it can be calculated with.
  var isNumber: Bool { isSummable || self == .decimal }

  /// Whether aggregates add it up.
  var isSummable: Bool {
    switch self {
    case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .float, .double: true
    default: false
    }
  }

  /// The kind of a sum.
  var kindOfSum: StorageType.Kind {
    switch self {
    case .float, .double: .double
    // An array of bytes is stored as `Data` is.
    case .uint8, .uint16, .uint32, .uint64, .data: .uint64
    default: .int64
    }
  }
}
