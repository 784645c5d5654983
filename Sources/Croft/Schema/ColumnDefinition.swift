/// One stored property of a model, as the macro describes it.
public struct _Column<M: Model> {
  let path: PartialKeyPath<M>
  let name: String
  /// The key paths and names of the property and, if it is a struct, of the properties inside it.
  let names: [(path: AnyKeyPath, name: String)]
  private let columns: _PropertyColumns
  /// The options of the index on this property; nil without one.
  var index: Set<IndexOption>?
  private var isKey = false
  private var keyRestoresValue = false
  private var aliases: [String] = []
  private var rule: DeleteRule?

  fileprivate init<V: StorableProperty>(
    _ path: PartialKeyPath<M>, _ name: String, _ type: V.Type, _ value: (@Sendable () -> V)?
  ) {
    self.path = path
    self.name = name
    names = ModelPropertyNames.inside(path, name, V.self)
    columns = V._columns(named: name, default: value)
  }

  fileprivate func isKey(restoresValue: Bool) -> Self {
    var column = self
    column.isKey = true
    column.keyRestoresValue = restoresValue
    return column
  }

  fileprivate func indexed(_ options: [IndexOption]) -> Self {
    var column = self
    column.index = Set(options)
    return column
  }

  /// Declares the property's former names.
  public func renamed(from names: String...) -> Self {
    var column = self
    column.aliases = names
    return column
  }

  /// Declares the rule for the object when one that it refers to is deleted.
  ///
  /// A store refuses the model where the property holds no reference.
  public func onDelete(_ rule: DeleteRule) -> Self {
    var column = self
    column.rule = rule
    return column
  }

  /// The property's columns with their keys, references and former names.
  func definitions() -> [ColumnDefinition] {
    var schemas = columns.columns.map { column, type in
      var schema = column
      schema.isKey = isKey
      schema.keyRestoresValue = keyRestoresValue
      schema.reference = ForeignKeyDefinition(type, onDelete: rule)
      if rule == .nullify, schema.reference?.isRequired == true {
        schema.mistake = ModelMistake(
          "\(column.name) must refer to an object, so it cannot be nullified; make it optional, or "
            + "choose .cascade or .deny")
      }
      schema.addAliases(aliases, inPlaceOf: name)
      return schema
    }
    if rule != nil, let first = schemas.indices.first,
      schemas.allSatisfy({ $0.reference == nil })
    {
      schemas[first].mistake = ModelMistake(
        "\(name) is marked with @Relation and holds no reference; make it a Ref")
    }
    return schemas
  }
}

/// Describes a stored property; an error here names a property whose type cannot be stored.
public func _column<M: Model, V: StorableProperty>(
  _ path: KeyPath<M, V>, _ name: String, default value: (@Sendable () -> V)? = nil
) -> _Column<M> {
  _Column(path, name, V.self, value)
}

/// Compiles where a property's type can be stored; never called.
public func _requireStorable<Root, V: StorableProperty>(_ property: KeyPath<Root, V>) {}

/// Not available: the property's type cannot be stored.
@_disfavoredOverload
@available(
  *, unavailable,
  message:
    "this type cannot be stored: make a struct @Embedded and an enum a StoredEnum, or mark the property @Coded to store it as JSON, or @Transient to leave it out"
)
public func _requireStorable<Root, V>(_ property: KeyPath<Root, V>) {}

/// Not available: an object does not hold another one.
@_disfavoredOverload
@available(
  *, unavailable,
  message: "an object refers to another one by its key: write Ref<Author> for Author"
)
public func _requireStorable<Root, V: Model>(_ property: KeyPath<Root, V>) {}

/// Not available: an object does not hold another one.
@_disfavoredOverload
@available(
  *, unavailable,
  message: "an object refers to another one by its key: write Ref<Author>? for Author?"
)
public func _requireStorable<Root, V: Model>(_ property: KeyPath<Root, V?>) {}

/// Not available: an object does not hold others.
@_disfavoredOverload
@available(
  *, unavailable,
  message:
    "an object refers to others by their keys: write [Ref<Book>] for [Book], or let each Book refer to this object and ask for its referrers"
)
public func _requireStorable<Root, V: Model>(_ property: KeyPath<Root, [V]>) {}

/// Not available: a struct in a list has no columns.
@_disfavoredOverload
@available(
  *, unavailable,
  message:
    "structs in a list have no columns: mark the property @Coded to store the list as JSON, or make the struct a @Model that refers to this one"
)
public func _requireStorable<Root, V: Embedded>(_ property: KeyPath<Root, [V]>) {}

/// Compiles where a property's type can be indexed; never called.
public func _requireIndexable<Root, V: IndexableStorable>(_ property: KeyPath<Root, V>) {}

/// Not available: the property's type cannot be indexed.
@_disfavoredOverload
@available(
  *, unavailable,
  message:
    "this type cannot be indexed: index values with an order, such as numbers, texts, dates and references, or collections of those; of a struct index its properties with #Index"
)
public func _requireIndexable<Root, V>(_ property: KeyPath<Root, V>) {}

/// Compiles where a property's type can be a primary key; never called.
public func _requireKey<Root, V: StorableKey>(_ property: KeyPath<Root, V>) {}

/// Not available: the property's type cannot be a primary key.
@_disfavoredOverload
@available(
  *, unavailable,
  message:
    "this type cannot be a primary key: use an integer, a String, UUID, Date, Data, Ref, or an enum that is a StoredEnum"
)
public func _requireKey<Root, V>(_ property: KeyPath<Root, V>) {}

/// Describes a property that cannot be indexed; ``_requireIndexable(_:)`` reports the error.
@_disfavoredOverload
public func _indexedColumn<M: Model, V>(
  _ path: KeyPath<M, V>, _ name: String, _ options: IndexOption...,
  default value: (@Sendable () -> V)? = nil
) -> _Column<M> {
  preconditionFailure("\(name) cannot be indexed.")
}

/// Describes a property that cannot be stored; ``_requireStorable(_:)`` reports the error.
@_disfavoredOverload
public func _column<M: Model, V>(
  _ path: KeyPath<M, V>, _ name: String, default value: (@Sendable () -> V)? = nil
) -> _Column<M> {
  preconditionFailure("\(name) cannot be stored.")
}

/// Describes a stored property with an index; its type needs an order.
public func _indexedColumn<M: Model, V: IndexableStorable>(
  _ path: KeyPath<M, V>, _ name: String, _ options: IndexOption...,
  default value: (@Sendable () -> V)? = nil
) -> _Column<M> {
  _Column(path, name, V.self, value).indexed(options)
}

/// Describes the primary key, or a part of it; its type must be one that keys can have.
public func _keyColumn<M: Model, V: StorableKey>(
  _ path: KeyPath<M, V>, _ name: String, default value: (@Sendable () -> V)? = nil
) -> _Column<M> {
  _Column(path, name, V.self, value).isKey(restoresValue: V.keyRestoresValue)
}

/// Describes a part of a compound primary key; rows store it besides the key.
public func _keyPartColumn<M: Model, V: StorableKey>(
  _ path: KeyPath<M, V>, _ name: String, default value: (@Sendable () -> V)? = nil
) -> _Column<M> {
  _Column(path, name, V.self, value).isKey(restoresValue: false)
}

/// Describes a property that is stored as JSON.
public func _codedColumn<M: Model, V: Codable & Sendable>(
  _ path: KeyPath<M, V>, _ name: String, default value: (@Sendable () -> V)? = nil
) -> _Column<M> {
  _Column(path, name, _Coded<V>.self, derive(from: value) { _Coded($0, name) })
}

/// One stored property without its Swift type.
struct ColumnDefinition: Sendable {
  let name: String
  let storage: StorageType
  var isKey = false
  /// For the primary key: its code alone gives the value back.
  var keyRestoresValue = false
  /// Names that the column had before; a stored field with such a name is this column.
  var aliases: [String] = []
  /// The parts of the name that were renamed: the property's own, then those of the structs around
  /// it, the innermost first.
  private(set) var renames: [ColumnDefinition.PartRename] = []
  /// The model that the property refers to, if it holds references.
  var reference: ForeignKeyDefinition?
  /// What is wrong with the property's declaration, so that no store can have it.
  var mistake: ModelMistake?
  /// The property's type, or that in its optional; nil for a column of a model that the program does not declare.
  var type: (any Storable.Type)?
  /// What the catalog has of a column of such a model.
  var stored: Stored?
  /// Writes the property's default as the row's next value; nil where it has none.
  var storeDefault: (@Sendable (inout _RecordEncoder) -> Void)?

  /// Whether the row leaves the column out because the key holds it.
  var isOnlyInKey: Bool { isKey && keyRestoresValue }
  /// Which values the property can have; nil where a catalog does not tell.
  var domain: ValueDomain? { type?._domain.values ?? stored?.domain }

  /// What the catalog has of a column, as writes without its type need it.
  ///
  /// Definitions are copied for each query, and one reference costs less than its parts.
  final class Stored: Sendable {
    let domain: ValueDomain?
    /// The domains of other programs that declared the column.
    let formerDomains: [ValueDomain]
    /// The default that the column had when it entered the file.
    let defaultValue: FieldValue?

    init(_ domain: ValueDomain?, formerDomains: [ValueDomain], defaultValue: FieldValue?) {
      (self.domain, self.formerDomains, self.defaultValue) = (domain, formerDomains, defaultValue)
    }
  }

  /// A part of a column's name that was renamed.
  struct PartRename: Sendable {
    /// The present name up to the end of the part.
    let name: String
    /// The former names up to the end of the part.
    let formers: [String]
  }

  /// Adds the names that the column had under former names of its property or a struct around it.
  mutating func addAliases(_ names: [String], inPlaceOf name: String) {
    guard !names.isEmpty else { return }
    let known = [self.name] + aliases
    aliases += names.flatMap { old in known.map { old + $0.dropFirst(name.count) } }
    renames.append(ColumnDefinition.PartRename(name: name, formers: names))
  }

  /// The name of the column with former names for some of its parts.
  ///
  /// - Parameter choices: For each of ``renames`` a former name's number from 1 on; 0 for the present.
  func name(_ choices: [Int]) -> String {
    zip(renames, choices).reduce(name) { name, part in
      let (rename, choice) = part
      return choice == 0 ? name : rename.formers[choice - 1] + name.dropFirst(rename.name.count)
    }
  }

  /// Evaluates the default and encodes it as in a row; nil if there is none, or if it is nil.
  func evaluateDefault(of schema: Schema) -> [UInt8]? {
    guard let storeDefault else { return nil }
    let layout = RecordLayout(
      schema: schema, columns: [ColumnDefinition(name: name, storage: storage)], keyWidth: nil,
      id: 1)
    var encoder = _RecordEncoder()
    encoder.begin(layout)
    storeDefault(&encoder)
    // Safety: `begin` made the bitmap, and the default filled in the one column.
    let row = unsafe encoder.row.bytes
    if storage.isOptional, unsafe row[4] & 1 == 0 { return nil }
    let width = storage.width
    let start = width > 0 ? layout.fixedStart : encoder.variableStart
    return unsafe [UInt8](row[start..<(width > 0 ? start + width : row.count)])
  }
}

/// The target of a column's references, as a program declares it.
struct ForeignKeyDefinition: Sendable {
  /// The model referred to; a closure, because two models may refer to each other.
  let target: @Sendable () -> Schema
  /// The rule for the object when one that it refers to is deleted.
  var onDelete: DeleteRule
  /// Whether the property must refer to an object, so that it cannot be nullified.
  var isRequired: Bool
}

extension ForeignKeyDefinition {
  /// The foreign key of a property; nil for a type that holds no references.
  ///
  /// - Parameter onDelete: The rule that the program declares; without one, optional references and
  ///   collections nullify, and required references deny.
  init?(_ type: Any.Type, onDelete: DeleteRule?) {
    guard let type = type as? any RefProperty.Type else { return nil }
    self.init(
      target: type.target, onDelete: onDelete ?? (type.isRequired ? .deny : .nullify),
      isRequired: type.isRequired)
  }
}

/// The columns of one property, each with the type of its values.
public struct _PropertyColumns: Sendable {
  var columns: [(schema: ColumnDefinition, type: any Sendable.Type)]
}
