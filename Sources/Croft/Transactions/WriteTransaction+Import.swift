import CroftFoundation

// Objects from the texts of other programs' files, of models that the program need not declare.
extension WriteTransaction {
  /// The value of a text for a property, as a statement has it after the name of the property.
  ///
  /// A text that is for a text needs no quotes: it is the value, whatever it is. For an enum it may
  /// also be the name of a case, where no case has it for a raw value. Numbers that have no literal
  /// are `nan`, `inf` and `-inf`.
  ///
  /// - Parameters:
  ///   - text: The text, such as `12`, `2026-06-01`, `["a", "b"]` or `high`, the name of a case.
  ///   - property: The name of the property, with a dot inside a struct.
  ///   - model: The name of the model.
  /// - Returns: The value, for ``insert(_:_:allowingUnknownCases:)``, which checks what it may be.
  /// - Throws: ``StoreError/unknownModel(model:)``;
  ///   ``StoreError/schemaMismatch(model:field:reason:)`` for an unknown property, and a text that
  ///   is not a value of its type. The transaction stays usable.
  public func value(
    of property: String, in model: String, from text: String
  ) throws -> StoredValue {
    let schema = try dynamicSchema(named: model)
    let place = try Self.place(of: property, in: schema)
    let column = schema.columns[place]
    if let value = Self.caseValue(of: text, column) { return value }
    if let value = Self.simpleValue(of: text, as: column.storage) { return value }
    let resolver = QueryResolver(
      schema: { _ in nil }, parameters: QueryParameters(),
      moment: QueryMoment(calendar: .current, now: Date()), demand: Self.demand)
    do {
      var parser = try QueryParser(text)
      var value = try parser.wholeValue()
      // A word without a case of that name gets the error of a text, which tells what would fit.
      if case .single(let syntax) = value, case .path = syntax.kind,
        column.domain?.cases.isEmpty ?? true
      {
        value = .single(QuerySyntax(kind: .literal(.text(text)), position: 0))
      }
      return try DynamicValues(of: schema, resolver, allowingUnknownCases: true).checked(
        value, place, at: 0)
    } catch {
      throw StoreError.schemaMismatch(model: model, field: property, reason: error.reason)
    }
  }

  /// The values of an object in JSON, as a line of a dump has them beside the name of the model.
  ///
  /// A date may be a text, too, such as `2026-06-01T09:30:00Z`, and a value of an enum the name of
  /// its case, where no case has that for a raw value. A struct that may be absent is false or left
  /// out where it is.
  ///
  /// - Parameters:
  ///   - json: An object in JSON, such as `{"id":1,"title":"Sea"}`.
  ///   - model: The name of the model.
  ///   - names: The property of each name in the JSON that is another one; those of an empty text
  ///     are passed over.
  /// - Returns: The values by the names of their properties, for
  ///   ``insert(_:_:allowingUnknownCases:)``.
  /// - Throws: As ``value(of:in:from:)``, and for a text that is not an object in JSON.
  public func values(
    ofJSON json: String, in model: String, names: [String: String] = [:]
  ) throws -> [String: StoredValue] {
    let schema = try dynamicSchema(named: model)
    do {
      return try JSONDecoder().decode(
        ImportedObject.self, from: Data(json.utf8),
        configuration: ImportedObject.Configuration(schema: schema, names: names)
      ).values
    } catch let error as DecodingError {
      let problem = DumpError(1, error)
      throw StoreError.schemaMismatch(model: model, field: nil, reason: problem.reason)
    }
  }

  /// Sets properties of the object whose primary key is among some values, if there is one.
  ///
  /// - Parameters:
  ///   - model: The name of the model.
  ///   - values: The primary key and the new values by name, as for an insert.
  ///   - allowingUnknownCases: As for an insert.
  /// - Returns: Whether there is such an object.
  /// - Throws: As for an insert, and ``StoreError/schemaMismatch(model:field:reason:)`` where a
  ///   part of the primary key is left out. The transaction stays usable.
  /// - Complexity: O(log *n*), and as for an update.
  public mutating func update(
    _ model: String, _ values: [String: StoredValue], allowingUnknownCases: Bool = false
  ) throws -> Bool {
    let schema = try dynamicSchema(named: model)
    var (others, keys, conditions) = (values, [String: StoredValue](), [String]())
    for place in schema.keyPlaces {
      let name = schema.columns[place].name
      guard let value = others.removeValue(forKey: name), value != StoredValue.none else {
        throw StoreError.schemaMismatch(
          model: model, field: name, reason: "the primary key tells which object it is: give it")
      }
      let path = name.split(separator: ".").map { "`\($0)`" }.joined(separator: ".")
      conditions.append("\(path) == $key\(place)")
      keys["key\(place)"] = value
    }
    let text = "`\(model)` where " + conditions.joined(separator: " and ")
    let query = try DynamicQuery(text, QueryParameters(values: keys), .current)
    if others.isEmpty { return try !fetch(query).isEmpty }
    return try update(query, set: others, allowingUnknownCases: allowingUnknownCases) > 0
  }

  private static func place(of property: String, in schema: Schema) throws -> Int {
    if let place = schema.place(named: property) { return place }
    throw StoreError.schemaMismatch(
      model: schema.name, field: property,
      reason: "the model has no such property" + QueryResolver.near(property, in: schema))
  }

  /// The raw value of the case of an enum of texts that has a name; nil for other texts.
  private static func caseValue(of name: String, _ column: ColumnDefinition) -> StoredValue? {
    guard column.storage.kind == .string, column.storage.collection == nil else { return nil }
    return column.domain?.rawValue(ofCase: name, as: .string)
  }

  /// The value of a text that needs no parser; nil for others.
  private static func simpleValue(of text: String, as storage: StorageType) -> StoredValue? {
    if storage.collection != nil { return nil }
    switch storage.kind {
    case .string: return .string(text)
    case .int8, .int16, .int32, .int64: return Int64(text).map { StoredValue.int($0) }
    case .float, .double:
      let numbers = ["nan": Double.nan, "inf": .infinity, "-inf": -.infinity]
      return numbers[text].map { StoredValue.double($0) }
    default: return text == "nil" ? StoredValue.none : nil
    }
  }
}

extension ValueDomain {
  /// The raw value of the case that has a name; nil where that is a raw value itself.
  fileprivate func rawValue(ofCase name: String, as kind: StorageType.Kind) -> StoredValue? {
    if cases.contains(where: { $0.stored(as: kind) == .string(name) }) { return nil }
    return cases.first { $0.name == name }?.stored(as: kind)
  }
}

/// A value of an enum in JSON: the name of a case, or a raw value as a dump has it.
private struct EnumValue: DecodableWithConfiguration {
  struct Configuration {
    let domain: ValueDomain
    let storage: StorageType

    /// The same of an element.
    var element: Configuration {
      Configuration(domain: domain, storage: storage.element)
    }
  }

  let value: StoredValue

  init(from decoder: any Decoder, configuration: Configuration) throws {
    let storage = configuration.storage
    if try decoder.singleValueContainer().decodeNil() {
      value = try DumpedValue(from: decoder, configuration: storage).value
      return
    }
    switch storage.collection {
    case nil: value = try Self.single(decoder, configuration)
    case .array, .set:
      var (container, elements) = (try decoder.unkeyedContainer(), [StoredValue]())
      while !container.isAtEnd {
        elements.append(
          try container.decode(EnumValue.self, configuration: configuration.element).value)
      }
      value = storage.collection == .set ? storage.set(of: elements) : .list(elements)
    case .dictionary:
      let container = try decoder.container(keyedBy: DumpedName.self)
      value = storage.dictionary(
        of: try container.allKeys.map { name in
          let element = try container.decode(
            EnumValue.self, forKey: name, configuration: configuration.element)
          return (key: name.stringValue, value: element.value)
        })
    }
  }

  private static func single(
    _ decoder: any Decoder, _ configuration: Configuration
  ) throws -> StoredValue {
    let container = try decoder.singleValueContainer()
    let kind = configuration.storage.kind
    let name: String
    do { name = try container.decode(String.self) } catch DecodingError.typeMismatch {
      return try DumpedValue(from: decoder, configuration: configuration.storage).value
    }
    if let value = configuration.domain.rawValue(ofCase: name, as: kind) { return value }
    let names = configuration.domain.cases.map(\.name)
    guard kind == .string || names.isEmpty else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "there is no case \(name)" + QueryResolver.near(name, among: names))
    }
    return try DumpedValue(from: decoder, configuration: configuration.storage).value
  }
}

/// The values of an object in JSON, by the names of their properties.
private struct ImportedObject: DecodableWithConfiguration {
  struct Configuration {
    let schema: Schema
    /// The property of each name in the JSON that is another one.
    let names: [String: String]
  }

  var values: [String: StoredValue] = [:]

  init(from decoder: any Decoder, configuration: Configuration) throws {
    let schema = configuration.schema
    let object = try decoder.container(keyedBy: DumpedName.self)
    for key in object.allKeys {
      let name = configuration.names[key.stringValue] ?? key.stringValue
      if name.isEmpty, configuration.names[key.stringValue] != nil { continue }
      guard let place = schema.place(named: name) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: object,
          debugDescription: "The model has no such property\(QueryResolver.near(name, in: schema))."
        )
      }
      guard values[name] == nil else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: object, debugDescription: "\(name) is there twice.")
      }
      values[name] = try Self.value(of: key, object, schema.columns[place])
    }
    leaveOutStructs(of: schema)
  }

  private static func value(
    of key: DumpedName, _ object: KeyedDecodingContainer<DumpedName>, _ column: ColumnDefinition
  ) throws -> StoredValue {
    let storage = column.storage
    if let domain = column.domain, !domain.cases.isEmpty {
      return try object.decode(
        EnumValue.self, forKey: key,
        configuration: EnumValue.Configuration(
          domain: domain, storage: storage)
      ).value
    }
    do {
      return try object.decode(DumpedValue.self, forKey: key, configuration: storage).value
    } catch let error as DecodingError {
      guard storage.kind == .date, storage.collection == nil else { throw error }
      let moment = QueryMoment(calendar: .current, now: Date())
      guard let date = moment.date(try object.decode(String.self, forKey: key)) else {
        throw error
      }
      return date.stored
    }
  }

  /// Makes of the columns that tell whether structs are there what a statement has.
  private mutating func leaveOutStructs(of schema: Schema) {
    for column in schema.columns where column.storage == StorageType(.bool) {
      let inside = schema.columns.filter { $0.name.hasPrefix(column.name + ".") }
      if inside.isEmpty { continue }
      let isAbsent = values[column.name] == .bool(false)
      values[column.name] = isAbsent ? StoredValue.none : nil
      if isAbsent { for property in inside { values[property.name] = nil } }
    }
  }
}
