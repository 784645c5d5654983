/// A property of a model inside a condition.
///
/// `TodoItem.where { $0.priority >= .normal }` passes the closure the model itself as a
/// column; its properties are columns of their own, and comparing one makes a
/// ``Condition``. Paths go on through references and structs: `$0.group.name == "Home"`.
/// Where a reference or a struct on the way is nil, so is the column behind it.
///
/// `M` is the root of the condition: the query's model, or an ``ElementOf`` a collection.
@dynamicMemberLookup
public struct Column<M, Value>: Sendable {
  /// The key paths that led here; nil for the model itself.
  let builder: ColumnPathBuilder?

  init(_ builder: ColumnPathBuilder?) { self.builder = builder }

  /// The column of a stored property.
  ///
  /// - Precondition: The property is stored: a computed one has no column.
  public subscript<V: StorableProperty>(dynamicMember property: KeyPath<Value, V>) -> Column<M, V>
  where Value: Model {
    Column<M, V>(ColumnPathBuilder(property, behind: nil))
  }

  /// The column of a property of a struct.
  ///
  /// - Precondition: The property is stored.
  public subscript<V: StorableProperty>(dynamicMember property: KeyPath<Value, V>) -> Column<M, V>
  where Value: Embedded {
    Column<M, V>(builder?.inside(property))
  }

  /// The column of a property of a struct; nil where there is none.
  ///
  /// - Precondition: The property is stored.
  public subscript<E: Embedded, V: StorableProperty>(
    dynamicMember property: KeyPath<E, V>
  ) -> Column<M, V.Unwrapped?> where Value == E? {
    Column<M, V.Unwrapped?>(builder?.inside(property))
  }

  /// The column of a property of the object referred to.
  ///
  /// - Precondition: The property is stored.
  public subscript<Target: Model, V: StorableProperty>(
    dynamicMember property: KeyPath<Target, V>
  ) -> Column<M, V> where Value == Ref<Target> {
    Column<M, V>(ColumnPathBuilder(property, behind: builder))
  }

  /// The column of a property of the object referred to; nil where there is none.
  ///
  /// - Precondition: The property is stored.
  public subscript<Target: Model, V: StorableProperty>(
    dynamicMember property: KeyPath<Target, V>
  ) -> Column<M, V.Unwrapped?> where Value == Ref<Target>? {
    Column<M, V.Unwrapped?>(ColumnPathBuilder(property, behind: builder))
  }

  /// The path of the column, which a condition holds from then on.
  ///
  /// - Precondition: The column is a property, not the model itself.
  var path: ColumnPath {
    guard let builder else {
      preconditionFailure("A condition compares a property of \(Value.self), not the model itself.")
    }
    return builder.path
  }
}

/// The path of a column from the query's model, perhaps through references.
@usableFromInline
struct ColumnPath: Hashable, Sendable {
  /// The element of a collection, in a condition on it.
  static let element = ColumnPath(place: -1, name: "*")

  /// The columns of the references to follow, each in the model that the one before refers to.
  let links: [Int]
  /// The index of the column among those of the last model.
  let place: Int
  /// The path as the program writes it.
  let name: String
  /// The measure of the column's elements, or of the objects that refer to the row; nil for none.
  let measure: ColumnPath.Measure?

  init(links: [Int] = [], place: Int, name: String, measure: ColumnPath.Measure? = nil) {
    self.links = links
    self.place = place
    self.name = name
    self.measure = measure
  }

  /// Whether this is a column of the model itself.
  func isColumn(_ place: Int) -> Bool {
    links.isEmpty && self.place == place && measure == nil
  }

  /// The path of a measure of the column's elements.
  func measured(_ measure: ColumnPath.Measure) -> ColumnPath {
    ColumnPath(
      links: links, place: place, name: "\(name).\(measure.kind.rawValue)", measure: measure)
  }

  /// The rest of the path, from the object that the first reference names.
  var behindLink: ColumnPath {
    ColumnPath(links: Array(links.dropFirst()), place: place, name: name, measure: measure)
  }
}

extension ColumnPath {
  /// The path of a stored property of the query's own model.
  init<M: Model, V>(_ property: KeyPath<M, V>) {
    self = ColumnPathBuilder(property, behind: nil).path
  }
}

/// Builds the path of a column from the key paths of a condition's closure or of an order.
///
/// On its way a path may end in a struct, which has no column of its own. After the closure has
/// returned only the finished ``ColumnPath`` remains.
struct ColumnPathBuilder: Sendable {
  /// The columns with the references that were followed.
  private let links: [Int]
  /// The path as the program writes it, up to the last model.
  private let prefix: String
  /// The model that has the property.
  private let schema: Schema
  /// The property's name in that model, with dots inside structs.
  private let field: String
  /// The finished path of a measure or of an element; nil for a property.
  private let finished: ColumnPath?

  /// A model's property, behind a reference or in the query's own model.
  init<M: Model, V>(_ property: KeyPath<M, V>, behind link: ColumnPathBuilder?) {
    guard let field = M._schema.name(of: property) else {
      preconditionFailure(
        "\(property) is no stored property of \(M.self): a query can only use stored ones.")
    }
    self.field = field
    finished = nil
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

  private init(_ outer: ColumnPathBuilder, field: String) {
    links = outer.links
    prefix = outer.prefix
    schema = outer.schema
    self.field = field
    finished = nil
  }

  /// A finished path: that of a measure or of an element.
  init(_ path: ColumnPath, _ schema: Schema) {
    links = path.links
    prefix = ""
    self.schema = schema
    field = path.name
    finished = path
  }

  /// A measure of the collection's elements.
  func measured(_ measure: ColumnPath.Measure) -> ColumnPathBuilder {
    ColumnPathBuilder(path.measured(measure), schema)
  }

  /// The element of a collection, as a condition on it names it.
  init(elementOf collection: ColumnPathBuilder) { self.init(.element, collection.schema) }

  /// A property of the struct that the path ends in.
  func inside<E: Embedded, V>(_ property: KeyPath<E, V>) -> ColumnPathBuilder {
    ColumnPathBuilder(self, field: field + "." + E.name(of: property))
  }

  /// The finished path.
  ///
  /// - Precondition: The path ends in a column: not in a struct, nor in a column of JSON.
  var path: ColumnPath {
    if let finished { return finished }
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
      "\(schema.name).\(name) is stored as JSON, which only whole objects are read from and "
        + "written to: fetch or update those, or leave out @Coded.")
  }
}

/// A column by which the objects of a model refer to a row.
@usableFromInline
struct ReferringColumn: Hashable, Sendable {
  let schema: Schema
  /// The index of the column among those of `schema`.
  let column: Int

  @usableFromInline static func == (left: ReferringColumn, right: ReferringColumn) -> Bool {
    left.schema === right.schema && left.column == right.column
  }

  @usableFromInline func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(schema))
    hasher.combine(column)
  }

  /// The path as the program writes it.
  var name: String { "\(schema.name).\(schema.columns[column].name)" }
}

extension ColumnPath {
  /// A value made of several others, such as their count or sum.
  struct Measure: Hashable, Sendable {
    enum Kind: String, Hashable, Sendable {
      case count, sum, min, max, average
    }

    let kind: Kind
    /// By which column the measured objects refer to the row; nil for the elements of a collection.
    var source: ReferringColumn?
  }
}
