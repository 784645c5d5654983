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
