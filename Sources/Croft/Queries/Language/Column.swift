/// A property of a model inside a condition.
///
/// `TodoItem.where { $0.priority >= .normal }` hands the closure the model itself as a
/// column; its properties are columns of their own, and comparing one makes a
/// ``Condition``. Paths go on through references and structs: `$0.group.name == "Home"`.
/// Where a reference or a struct on the way is nil, so is the column behind it.
///
/// `M` is what the condition speaks of: the query's model, or an ``ElementOf`` what it goes through.
@dynamicMemberLookup
public struct Column<M, Value>: Sendable {
  /// The property's place; nil for the model itself.
  let spot: ColumnSpot?

  init(_ spot: ColumnSpot?) { self.spot = spot }

  /// The column of a stored property.
  ///
  /// - Precondition: The property is stored: a computed one has no column.
  public subscript<V: StorableProperty>(dynamicMember property: KeyPath<Value, V>) -> Column<M, V>
  where Value: Model {
    Column<M, V>(ColumnSpot(property, behind: nil))
  }

  /// The column of a property of a struct.
  ///
  /// - Precondition: The property is stored.
  public subscript<V: StorableProperty>(dynamicMember property: KeyPath<Value, V>) -> Column<M, V>
  where Value: Embedded {
    Column<M, V>(spot?.inside(property))
  }

  /// The column of a property of a struct; nil where there is none.
  ///
  /// - Precondition: The property is stored.
  public subscript<E: Embedded, V: StorableProperty>(
    dynamicMember property: KeyPath<E, V>
  ) -> Column<M, V.Unwrapped?> where Value == E? {
    Column<M, V.Unwrapped?>(spot?.inside(property))
  }

  /// The column of a property of the object referred to.
  ///
  /// - Precondition: The property is stored.
  public subscript<Target: Model, V: StorableProperty>(
    dynamicMember property: KeyPath<Target, V>
  ) -> Column<M, V> where Value == Ref<Target> {
    Column<M, V>(ColumnSpot(property, behind: spot))
  }

  /// The column of a property of the object referred to; nil where there is none.
  ///
  /// - Precondition: The property is stored.
  public subscript<Target: Model, V: StorableProperty>(
    dynamicMember property: KeyPath<Target, V>
  ) -> Column<M, V.Unwrapped?> where Value == Ref<Target>? {
    Column<M, V.Unwrapped?>(ColumnSpot(property, behind: spot))
  }

  /// The place of a column that conditions are made of.
  var place: ColumnPath {
    guard let spot else {
      preconditionFailure("A condition compares a property of \(Value.self), not the model itself.")
    }
    return spot.path
  }
}

/// Where a path stands so far: a property of a model, perhaps inside structs, behind references.
struct ColumnSpot: Sendable {
  /// The columns with the references that were followed.
  let links: [Int]
  /// The path as the program writes it, up to the model at hand.
  let prefix: String
  /// The model that has the property.
  let schema: Schema
  /// The property's name in that model, with dots inside structs.
  let field: String
  /// What was measured, whose path is complete.
  private let measured: ColumnPath?

  /// A model's property, behind the reference at another spot.
  init<M: Model, V>(_ property: KeyPath<M, V>, behind link: ColumnSpot?) {
    guard let field = M._schema.name(of: property) else {
      preconditionFailure(
        "\(property) is no stored property of \(M.self): a query can only use stored ones.")
    }
    self.field = field
    measured = nil
    schema = M._schema.erased
    guard let link else {
      links = []
      prefix = ""
      return
    }
    let path = link.path
    links = path.links + [path.place]
    prefix = path.name + "."
  }

  private init(_ outer: ColumnSpot, field: String) {
    links = outer.links
    prefix = outer.prefix
    schema = outer.schema
    self.field = field
    measured = nil
  }

  /// What is measured at a path.
  init(_ path: ColumnPath, _ schema: Schema) {
    links = path.links
    prefix = ""
    self.schema = schema
    field = path.name
    measured = path
  }

  /// What is made of the elements that stand here.
  func measured(_ measure: Measure) -> ColumnSpot { ColumnSpot(path.measured(measure), schema) }

  /// The element of a collection, as the conditions on it see it.
  init(elementOf collection: ColumnSpot) {
    links = []
    prefix = ""
    schema = collection.schema
    field = ColumnPath.elementName
    measured = nil
  }

  /// A property of the struct that stands here.
  func inside<E: Embedded, V>(_ property: KeyPath<E, V>) -> ColumnSpot {
    ColumnSpot(self, field: field + "." + E.name(of: property))
  }

  /// The column that stands here.
  var path: ColumnPath {
    if let measured { return measured }
    if field == ColumnPath.elementName { return .element }
    guard let place = schema.place(named: field) else {
      preconditionFailure("\(schema.name).\(field) is a struct: compare a property of it.")
    }
    schema.columns[place].refuseJSON(in: schema)
    return ColumnPath(links: links, place: place, name: prefix + field)
  }
}

extension ColumnDefinition {
  /// Traps where the column holds JSON, whose bytes are not those of the property's own type.
  ///
  /// - Precondition: The property is not marked with `@Coded`.
  func refuseJSON(in schema: Schema) {
    precondition(
      storage.kind != .coded,
      "\(schema.name).\(name) is stored as JSON, which only whole objects are read from and written "
        + "to: fetch or update those, or leave out @Coded.")
  }
}

/// Where a condition or an order finds a value: a column, perhaps behind references.
@usableFromInline
struct ColumnPath: Hashable, Sendable {
  static let elementName = "*"
  /// The element of a collection, in the condition on it.
  static let element = ColumnPath(place: -1, name: elementName)

  /// The columns with the references to follow first, each in the model where the last one led.
  let links: [Int]
  /// The column's place in the declaration of the last model.
  let place: Int
  /// The path as the program writes it.
  let name: String
  /// What is made of the column's elements, or of the objects that refer to the row.
  let measure: Measure?

  init(links: [Int] = [], place: Int, name: String, measure: Measure? = nil) {
    self.links = links
    self.place = place
    self.name = name
    self.measure = measure
  }

  /// Whether this is a column of the model itself.
  func isColumn(_ place: Int) -> Bool {
    links.isEmpty && self.place == place && measure == nil
  }

  /// What is made of the elements here.
  func measured(_ measure: Measure) -> ColumnPath {
    ColumnPath(
      links: links, place: place, name: "\(name).\(measure.kind.rawValue)", measure: measure)
  }

  /// The path as the object behind the first reference sees it.
  var behindLink: ColumnPath {
    ColumnPath(links: Array(links.dropFirst()), place: place, name: name, measure: measure)
  }
}

extension ColumnPath {
  /// The place of a stored property.
  init<M: Model, V>(_ property: KeyPath<M, V>) {
    self = ColumnSpot(property, behind: nil).path
  }
}

/// What is made of several values.
struct Measure: Hashable, Sendable {
  enum Kind: String, Hashable, Sendable {
    case count, sum, min, max, average
  }

  let kind: Kind
  /// The objects whose columns are measured; nil for the elements of a collection.
  var source: InverseLink?
}

/// The objects of a model that refer to a row by one of their columns.
@usableFromInline
struct InverseLink: Hashable, Sendable {
  let schema: Schema
  /// The column that refers, in the declaration of `schema`.
  let column: Int

  @usableFromInline static func == (left: InverseLink, right: InverseLink) -> Bool {
    left.schema === right.schema && left.column == right.column
  }

  @usableFromInline func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(schema))
    hasher.combine(column)
  }

  /// The path as the program writes it.
  var name: String { "\(schema.name).\(schema.columns[column].name)" }
}
