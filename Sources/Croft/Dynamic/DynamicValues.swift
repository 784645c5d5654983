import CroftFoundation

/// Values for properties of a model that the program does not declare, all of which the declaring program can read.
///
/// A struct that may be absent has a column for whether it is there, and the catalog does not tell which of its
/// properties must have a value then. So such a struct is written with all of its properties, or as nil. One of
/// whose properties the catalog requires a value is always there, and earlier programs alone have the column.
struct DynamicValues {
  let schema: Schema
  private let resolver: QueryResolver
  private let allowsUnknownCases: Bool
  /// The structs that may be absent, each before those inside it.
  private let structs: [OptionalStruct]
  /// The columns of structs that were optional once and always are there now.
  private let requiredMarks: [Int]
  private var values: [Int: StoredValue] = [:]

  /// A struct that may be absent, by the places of its columns.
  private struct OptionalStruct {
    /// The column that tells whether it is there.
    let mark: Int
    /// Its properties, and those of structs inside it.
    let properties: [Int]
    /// The columns that tell whether the structs inside it are there.
    let innerMarks: [Int]
  }

  init(of schema: Schema, _ resolver: QueryResolver, allowingUnknownCases: Bool) {
    self.schema = schema
    self.resolver = resolver
    allowsUnknownCases = allowingUnknownCases
    let columns = schema.columns
    func inside(_ place: Int) -> [Int] {
      columns.indices.filter { columns[$0].name.hasPrefix(columns[place].name + ".") }
    }
    let marks = columns.indices.filter { place in
      columns[place].storage == StorageType(.bool) && !inside(place).isEmpty
    }
    let required = marks.filter { mark in
      inside(mark).contains { !marks.contains($0) && !columns[$0].storage.isOptional }
    }
    requiredMarks = required
    structs = marks.filter { !required.contains($0) }.map { mark in
      let all = inside(mark)
      return OptionalStruct(
        mark: mark, properties: all.filter { !marks.contains($0) },
        innerMarks: all.filter(marks.contains))
    }.sorted { columns[$0.mark].name.count < columns[$1.mark].name.count }
  }

  /// Sets a property.
  ///
  /// - Throws: ``QueryTextError`` for an unknown property, a value of another type, and one that the declaring
  ///   program may not be able to read.
  mutating func set(
    _ name: QuerySyntax.Name, to value: WriteStatement.Value
  ) throws(QueryTextError) {
    guard let place = schema.place(named: name.text) else {
      if let inner = schema.columns.first(where: { $0.name.hasPrefix(name.text + ".") }) {
        throw QueryTextError(
          "\(name.text) is a struct: set its properties, such as \(inner.name)", at: name.position)
      }
      throw QueryTextError(
        "\(schema.name) has no property \(name.text)"
          + QueryResolver.near(name.text, in: schema), at: name.position)
    }
    if values[place] != nil {
      throw QueryTextError("\(name.text) is set twice", at: name.position)
    }
    values[place] = try checked(value, place, at: name.position)
  }

  /// The value of a property, which is not set.
  ///
  /// - Throws: As ``set(_:to:)``.
  func checked(
    _ value: WriteStatement.Value, _ place: Int, at position: Int
  ) throws(QueryTextError) -> StoredValue {
    let column = schema.columns[place]
    let isNil = try isNil(value, column.storage)
    if requiredMarks.contains(place) {
      throw QueryTextError(
        "\(column.name) is a struct that is always there: set its properties", at: position)
    }
    if structs.contains(where: { $0.mark == place }) {
      if isNil { return .bool(false) }
      throw QueryTextError(
        "\(column.name) is a struct: set its properties, or set it to nil", at: position)
    }
    switch column.storage.kind {
    case .coded:
      throw QueryTextError(
        "\(column.name) is stored as JSON, which only its program can write", at: position)
    case .compound:
      throw QueryTextError(
        "\(column.name) is a compound key, which only its program can write", at: position)
    default: break
    }
    guard isNil else { return try self.value(value, column) }
    guard column.storage.isOptional else {
      throw QueryTextError("\(column.name) is never nil", at: value.position)
    }
    if let outer = structs.first(where: { $0.properties.contains(place) }) {
      throw QueryTextError(
        "only its program can tell whether \(column.name) may be nil: set "
          + "\(schema.columns[outer.mark].name) to nil, or to values", at: value.position)
    }
    return .none
  }
}

// MARK: - Values

extension DynamicValues {
  private func isNil(
    _ value: WriteStatement.Value, _ storage: StorageType
  ) throws(QueryTextError) -> Bool {
    guard case .single(let syntax) = value, case .literal(let literal) = syntax.kind else {
      return false
    }
    switch resolver.parameters.written(literal, as: storage) {
    case .null: return true
    case .parameter(let name):
      return try resolver.parameters.value(name, at: syntax.position) == .none
    default: return false
    }
  }

  /// The value of a column that is not nil.
  private func value(
    _ value: WriteStatement.Value, _ column: ColumnDefinition
  ) throws(QueryTextError) -> StoredValue {
    let element = column.storage.element
    var elements: [StoredValue] = []
    var keys: [String] = []
    var isPaired = false
    switch value {
    case .single(let syntax):
      let literal = try literal(syntax, column)
      if let pairs = try typedPairs(literal, column, at: syntax.position) { return pairs }
      guard let given = try givenElements(literal, column, at: syntax.position) else {
        guard column.storage.collection == nil else { throw listNeeded(column, at: value.position) }
        return try single(literal, as: column.storage, column, at: syntax.position)
      }
      isPaired = column.storage.collection == .dictionary
      for (place, item) in given.enumerated() {
        if isPaired, place.isMultiple(of: 2), case .value(.string(let text)) = item {
          keys.append(text)
        } else {
          elements.append(try single(item, as: element, column, at: syntax.position))
        }
      }
    case .list(let items, _):
      isPaired = items.isEmpty && column.storage.collection == .dictionary
      for item in items {
        elements.append(
          try single(try literal(item, column), as: element, column, at: item.position))
      }
    case .pairs(let pairs, _):
      isPaired = true
      for pair in pairs {
        guard case .literal(.text(let text)) = pair.key.kind else {
          throw QueryTextError(
            "the keys of \(column.name) are texts: [\"a\": \(Self.sample(of: column))]",
            at: pair.key.position)
        }
        keys.append(text)
        elements.append(
          try single(
            try literal(pair.value, column), as: element, column, at: pair.value.position))
      }
    }
    guard let collection = column.storage.collection, isPaired == (collection == .dictionary),
      !isPaired || keys.count == elements.count
    else { throw listNeeded(column, at: value.position) }
    return try list(elements, keys, collection, column, at: value.position)
  }

  /// The value of a dictionary that a parameter has as a text in brackets; nil for other values.
  private func typedPairs(
    _ literal: QueryLiteral, _ column: ColumnDefinition, at position: Int
  ) throws(QueryTextError) -> StoredValue? {
    guard case .parameter(let name) = literal, column.storage.collection == .dictionary,
      let pairs = resolver.parameters.pairs(name)
    else { return nil }
    do throws(QueryTextError) { return try value(pairs, column) } catch {
      throw QueryTextError(error.reason, at: position)
    }
  }

  /// The elements of a parameter that is a list; nil for other literals.
  private func givenElements(
    _ literal: QueryLiteral, _ column: ColumnDefinition, at position: Int
  ) throws(QueryTextError) -> [QueryParameters.Element]? {
    guard case .parameter(let name) = literal else { return nil }
    let readsTexts = column.storage.collection == .array || column.storage.collection == .set
    return try resolver.parameters.elements(
      name, of: column.storage.element, column.domain?.cases ?? [], readsTexts: readsTexts,
      at: position)
  }

  /// The elements in the order in which a row has them.
  private func list(
    _ elements: [StoredValue], _ keys: [String], _ collection: StorageType.Collection,
    _ column: ColumnDefinition, at position: Int
  ) throws(QueryTextError) -> StoredValue {
    switch collection {
    case .array: return .list(elements)
    case .set: return column.storage.set(of: elements)
    case .dictionary:
      var known: Set<String> = []
      for key in keys where !known.insert(key).inserted {
        throw QueryTextError("\(column.name) has \"\(key)\" twice", at: position)
      }
      return column.storage.dictionary(of: zip(keys, elements).map { (key: $0, value: $1) })
    }
  }

  /// The literal of a part of a text, which may be the name of a case of the column's enum.
  private func literal(
    _ syntax: QuerySyntax, _ column: ColumnDefinition
  ) throws(QueryTextError) -> QueryLiteral {
    switch syntax.kind {
    case .literal(let literal): return literal
    case .path(let names) where names.count == 1:
      guard let cases = column.domain?.cases, !cases.isEmpty else {
        if schema.place(named: names[0].text) != nil { break }
        throw wrongWord(names[0].text, column, at: syntax.position)
      }
      return try QueryResolver.literal(names[0], of: cases, column.name)
    case .all, .any:
      throw QueryTextError(
        "\(column.name) is set to a literal: write a comma between properties, and not and",
        at: syntax.position)
    case .arithmetic where column.storage.kind == .string:
      guard let word = syntax.hyphenatedWord else { break }
      throw QueryResolver.missingQuotes(of: word, at: syntax.position)
    default: break
    }
    let example = column.storage.kind == .date ? ": write 2026-06-01, now or now - 7d" : ""
    throw QueryTextError(
      "\(column.name) is set to a literal: nothing is calculated, and no property is read here"
        + example, at: syntax.position)
  }

  private func single(
    _ literal: QueryLiteral, as storage: StorageType, _ column: ColumnDefinition, at position: Int
  ) throws(QueryTextError) -> StoredValue {
    let cases = column.domain?.cases ?? []
    let written = resolver.parameters.written(literal, as: storage, cases)
    return try single(.literal(written), as: storage, column, at: position)
  }

  private func single(
    _ item: QueryParameters.Element, as storage: StorageType, _ column: ColumnDefinition,
    at position: Int
  ) throws(QueryTextError) -> StoredValue {
    if case .literal(let literal) = item {
      let cases = column.domain?.cases ?? []
      try resolver.checkCase(literal, cases, storage, column.name, at: position)
    }
    let fit = try resolver.fitting(item, to: storage, column.name, at: position)
    if case .value(let value) = fit {
      switch item {
      case .value(let given): try check(value, isAll: given, column, at: position)
      case .literal(.number(let text)): try check(value, isAll: text, column, at: position)
      case .literal(.parameter(let name)):
        let given = try resolver.parameters.value(name, at: position)
        try check(value, isAll: given, column, at: position)
      case .literal: break
      }
    }
    return try accepted(fit, as: storage, column, at: position)
  }

  /// Checks that a number has not become another one with the type of its column.
  private func check(
    _ value: StoredValue, isAll given: StoredValue, _ column: ColumnDefinition, at position: Int
  ) throws(QueryTextError) {
    switch given {
    case .int(let number): try check(value, isAll: "\(number)", column, at: position)
    case .uint(let number): try check(value, isAll: "\(number)", column, at: position)
    case .double(let number) where number.isFinite:
      try check(value, isAll: "\(number)", column, at: position)
    default: break
    }
  }

  /// Checks that a number is finite, and that a decimal has all digits of the text.
  private func check(
    _ value: StoredValue, isAll text: String, _ column: ColumnDefinition, at position: Int
  ) throws(QueryTextError) {
    switch value {
    case .double(let number) where !number.isFinite: break
    case .decimal(let number) where DecimalDigits(text) != DecimalDigits("\(number)"): break
    default: return
    }
    throw QueryTextError(
      "\(column.name) is \(column.storage.text), which has no such number", at: position)
  }

  /// A value of the stored type, where the declaring program can read it.
  private func accepted(
    _ fit: QueryResolver.Fit?, as storage: StorageType, _ column: ColumnDefinition,
    at position: Int
  ) throws(QueryTextError) -> StoredValue {
    switch fit {
    case nil:
      if storage.isOptional { return .none }
      throw QueryTextError("an element of \(column.name) is never nil", at: position)
    case .past:
      throw QueryTextError(
        "\(column.name) is \(storage.text), which has no such number", at: position)
    case .value(let value):
      if let reason = refusal(of: value, column) { throw QueryTextError(reason, at: position) }
      return column.domain?.written(value) ?? value
    }
  }

  /// The reason not to write a single value; nil where all programs that declared the property can read it.
  private func refusal(of value: StoredValue, _ column: ColumnDefinition) -> String? {
    // The object that is referred to is looked up where the row is written.
    if column.reference != nil { return nil }
    let domain = column.domain ?? Self.unknownDomain(of: column.storage.kind)
    let answers = ([domain] + (column.stored?.formerDomains ?? [])).map { $0.contains(value) }
    if answers.allSatisfy({ $0 == true }) { return nil }
    guard answers.contains(where: { $0 != false }) else {
      guard case .cases(let cases) = domain else { return "\(value.text) is no URL" }
      let names = cases.map { "\($0.name) (\($0.stored(as: column.storage.kind).text))" }
      return "no case of \(column.name) has the raw value \(value.text); it has "
        + names.joined(separator: ", ")
    }
    if allowsUnknownCases { return nil }
    let object = "\(schema.name) and the results that have it"
    return answers.contains(false)
      ? "a program of another version cannot read \(value.text) as \(column.name); "
        + "allow unknown cases to set it all the same: then that program cannot read the \(object)"
      : "the file does not tell which values \(column.name) can have, as of an enum: only its program "
        + "knows; allow unknown cases to set it all the same: "
        + "then, where \(value.text) is none of them, that program cannot read the \(object)"
  }

  /// The values of a property that only programs of earlier versions declared, and that may be an enum.
  private static func unknownDomain(of kind: StorageType.Kind) -> ValueDomain {
    switch kind {
    case .bool, .float, .double, .decimal: .all
    default: .unlisted
    }
  }
}

// MARK: - Objects

extension DynamicValues {
  /// The values of all columns of a new object.
  ///
  /// - Parameter position: Where an error is shown.
  /// - Throws: ``QueryTextError`` naming a property that needs a value and has no default.
  func row(at position: Int) throws(QueryTextError) -> [StoredValue] {
    var values = values
    for mark in requiredMarks { values[mark] = .bool(true) }
    // A struct that is given marks those inside it.
    for part in structs where values[part.mark] != .bool(true) {
      let marks = [part.mark] + part.innerMarks
      if try isGiven(part, values, at: position) {
        try checkNone(of: part.innerMarks, at: position)
        for mark in marks { values[mark] = .bool(true) }
      } else if values[part.mark] == nil, hasDefault(part) {
        for place in marks + part.properties { values[place] = schema.storedDefault(of: place) }
      } else {
        clear(part, &values)
      }
    }
    var row: [StoredValue] = []
    for (place, column) in schema.columns.enumerated() {
      if let value = values[place] ?? newKey(place) ?? schema.defaultValue(of: place) {
        row.append(value)
      } else if schema.isCalculated(column) {
        throw QueryTextError(
          "\(schema.name) needs a value for \(column.name): the file has the default that it had when it "
            + "entered the file, and not what its program calculates" + example(of: column),
          at: position)
      } else {
        throw QueryTextError(
          "\(schema.name) needs a value for \(column.name), which has no default"
            + example(of: column), at: position)
      }
    }
    return row
  }

  /// What an error tells to write for a property that is missing; empty where nothing may be.
  private func example(of column: ColumnDefinition) -> String {
    let value =
      switch (column.storage.collection, column.storage.kind) {
      case (_, .coded), (_, .compound): ""
      case (.dictionary, _): "[:]"
      case (.array, _), (.set, _): "[]"
      case (nil, .date): "now"
      // A new one: a UUID that errors tell twice would be in two objects.
      case (nil, .uuid) where column.reference == nil: UUID.timeOrdered().stored.text
      default: Self.sample(of: column)
      }
    if value.isEmpty { return "" }
    return "; give it one, as in \(QueryTextWriter.path(column.name)): \(value)"
  }

  /// What changes in each object.
  struct Change {
    /// The places of the columns, and their new values.
    var columns: [(place: Int, value: StoredValue)] = []
    /// The columns of structs that must be there, because a part of their properties is set.
    var present: [Int] = []
  }

  /// What a statement changes in each object.
  ///
  /// - Throws: ``QueryTextError`` for the primary key, and for a struct that is set to nil and to values.
  func change(at position: Int) throws(QueryTextError) -> Change {
    for place in schema.keyPlaces where values[place] != nil {
      throw QueryTextError(
        "\(schema.columns[place].name) is the primary key, which does not change: delete the object, "
          + "and insert another one", at: position)
    }
    var (values, change) = (values, Change())
    // As a program that always has the struct does for one of whose declarations it is optional.
    for mark in requiredMarks {
      let prefix = schema.columns[mark].name + "."
      let isChanged = values.keys.contains { schema.columns[$0].name.hasPrefix(prefix) }
      if isChanged { values[mark] = .bool(true) }
    }
    for part in structs where values[part.mark] != .bool(true) {
      let given = part.properties.filter { values[$0].map { $0 != .none } ?? false }
      if values[part.mark] == .bool(false) {
        // A struct around it was set to nil, or this one is.
        if !given.isEmpty { throw contradiction(part.mark, at: position) }
        clear(part, &values)
      } else if given.count == part.properties.count {
        try checkNone(of: part.innerMarks, at: position)
        for mark in [part.mark] + part.innerMarks { values[mark] = .bool(true) }
      } else if !given.isEmpty {
        change.present.append(part.mark)
      }
    }
    change.columns = values.sorted { $0.key < $1.key }.map { (place: $0.key, value: $0.value) }
    return change
  }

  /// Whether all properties of a struct have values; false where none has.
  private func isGiven(
    _ part: OptionalStruct, _ values: [Int: StoredValue], at position: Int
  ) throws(QueryTextError) -> Bool {
    let missing = part.properties.filter { values[$0] == nil || values[$0] == StoredValue.none }
    if missing.count == part.properties.count { return false }
    if values[part.mark] == .bool(false) { throw contradiction(part.mark, at: position) }
    if missing.isEmpty { return true }
    throw QueryTextError(
      "\(schema.columns[part.mark].name) is a struct that may be absent: set all of its properties, "
        + "also " + missing.map { schema.columns[$0].name }.joined(separator: ", "), at: position)
  }

  /// Whether a struct that is left out is there, with a value for each of its properties.
  private func hasDefault(_ part: OptionalStruct) -> Bool {
    ([part.mark] + part.innerMarks).allSatisfy { schema.storedDefault(of: $0) == .bool(true) }
      && part.properties.allSatisfy { schema.storedDefault(of: $0) != nil }
  }

  /// Checks that no struct is set to nil of which all properties are set.
  private func checkNone(of marks: [Int], at position: Int) throws(QueryTextError) {
    // Those of the statement, before any struct is marked for one around it.
    for mark in marks where values[mark] == .bool(false) {
      throw contradiction(mark, at: position)
    }
  }

  private func contradiction(_ mark: Int, at position: Int) -> QueryTextError {
    QueryTextError("\(schema.columns[mark].name) is set to nil and to values", at: position)
  }

  private func clear(_ part: OptionalStruct, _ values: inout [Int: StoredValue]) {
    for mark in [part.mark] + part.innerMarks { values[mark] = .bool(false) }
    for place in part.properties { values[place] = StoredValue.none }
  }

  /// A new value for a primary key that is a UUID, as programs make them; nil for other columns.
  private func newKey(_ place: Int) -> StoredValue? {
    let column = schema.columns[place]
    guard schema.keyPlaces == [place], column.storage == StorageType(.uuid),
      column.reference == nil
    else { return nil }
    let key = UUID.timeOrdered().stored
    return refusal(of: key, column) == nil ? key : nil
  }
}

// MARK: - Defaults

extension Schema {
  /// The value that an object inserted by names has in a column that is left out; nil where it needs one.
  func defaultValue(of place: Int) -> StoredValue? {
    if let value = storedDefault(of: place) { return value }
    let column = columns[place]
    return column.storage.isOptional && !isCalculated(column) ? StoredValue.none : nil
  }

  /// The default that the catalog has for a column, if the declaring program can still read it.
  fileprivate func storedDefault(of place: Int) -> StoredValue? {
    let column = columns[place]
    guard let field = column.stored?.defaultValue, !isCalculated(column) else { return nil }
    // Safety: the column's definition holds the bytes.
    guard let value = unsafe StoredValue(field.bytes, as: column.storage) else { return nil }
    let elements: [StoredValue] =
      switch value {
      case .list(let elements) where column.storage.collection == .dictionary:
        elements.enumerated().filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
      case .list(let elements): elements
      default: [value]
      }
    let domains = (column.domain.map { [$0] } ?? []) + (column.stored?.formerDomains ?? [])
    let isReadable = elements.allSatisfy { element in
      element == .none || !domains.contains { $0.contains(element) == false }
    }
    return isReadable ? value : nil
  }

  /// Whether a program may give the column another default for each object, as `Date()` and `UUID()` are.
  fileprivate func isCalculated(_ column: ColumnDefinition) -> Bool {
    guard column.stored?.defaultValue != nil, column.storage.collection == nil else { return false }
    return column.storage.kind == .date || column.storage.kind == .uuid
  }
}
