/// A property of a model inside a condition.
///
/// `TodoItem.where { $0.priority >= .normal }` passes the closure the model itself as a
/// column; its properties are columns of their own, and comparing one makes a
/// ``QueryCondition``. Paths continue through references and structs: `$0.group.name == "Home"`.
/// Where a reference or a struct on the way is nil, so is the column after it.
///
/// `M` is the root of the condition: the query's model, or an ``ElementOf`` a collection.
@dynamicMemberLookup
public struct QueryColumn<M, Value>: Sendable {
  /// The key paths that led here; nil for the model itself.
  let builder: ColumnPathBuilder?

  init(_ builder: ColumnPathBuilder?) { self.builder = builder }

  /// The column of a stored property.
  ///
  /// - Precondition: The property is stored: a computed one has no column.
  public subscript<V: StorableProperty>(dynamicMember property: KeyPath<Value, V>) -> QueryColumn<
    M, V
  >
  where Value: Model {
    QueryColumn<M, V>(ColumnPathBuilder(property, behind: nil))
  }

  /// The column of a property of a struct.
  ///
  /// - Precondition: The property is stored.
  public subscript<V: StorableProperty>(dynamicMember property: KeyPath<Value, V>) -> QueryColumn<
    M, V
  >
  where Value: Embedded {
    QueryColumn<M, V>(builder?.inside(property))
  }

  /// The column of a property of a struct; nil where there is none.
  ///
  /// - Precondition: The property is stored.
  public subscript<E: Embedded, V: StorableProperty>(
    dynamicMember property: KeyPath<E, V>
  ) -> QueryColumn<M, V.Unwrapped?> where Value == E? {
    QueryColumn<M, V.Unwrapped?>(builder?.inside(property))
  }

  /// The column of a property of the object referred to.
  ///
  /// - Precondition: The property is stored.
  public subscript<Target: Model, V: StorableProperty>(
    dynamicMember property: KeyPath<Target, V>
  ) -> QueryColumn<M, V> where Value == Ref<Target> {
    QueryColumn<M, V>(ColumnPathBuilder(property, behind: builder))
  }

  /// The column of a property of the object referred to; nil where there is none.
  ///
  /// - Precondition: The property is stored.
  public subscript<Target: Model, V: StorableProperty>(
    dynamicMember property: KeyPath<Target, V>
  ) -> QueryColumn<M, V.Unwrapped?> where Value == Ref<Target>? {
    QueryColumn<M, V.Unwrapped?>(ColumnPathBuilder(property, behind: builder))
  }

  /// The path of the column, which a condition holds from then on.
  ///
  /// - Precondition: The column is a property, not the model itself.
  var path: ColumnPath { propertyBuilder.path }
}

/// The path of a column from the query's model, perhaps through references.
@usableFromInline
struct ColumnPath: Hashable, Sendable {
  /// The element of a collection, in a condition on it.
  static let element = ColumnPath(place: -1, name: "*")

  /// The columns of the references to follow, each in the model that the one before refers to.
  private(set) var links: [Int] = []
  /// The index of the column among those of the last model.
  let place: Int
  /// The path as the program writes it.
  let name: String
  /// The measure of the column's elements, or of the objects that refer to the row; nil for none.
  private(set) var measure: ColumnPath.Measure?
  /// The expression in whose place the path is, with columns of its own; nil for a column.
  private(set) var computed: ColumnPath.Computed?
  /// The searches whose relevance the path is; nil for a column.
  private(set) var relevance: ColumnPath.Relevance?

  /// The columns that are read: this one, or those of the expression.
  var columns: [ColumnPath] { computed?.expression.columns ?? [self] }

  /// The place where this is a column of the model itself; nil after a reference, for a measure, for
  /// an expression and for relevance.
  var ownPlace: Int? {
    links.isEmpty && measure == nil && computed == nil && relevance == nil ? place : nil
  }

  /// The path with the searches of a query, where it is that of relevance.
  func resolving(_ relevance: ColumnPath.Relevance) -> ColumnPath {
    if self.relevance == nil { return self }
    var path = self
    path.relevance = relevance
    return path
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
  /// The path of an expression's value.
  init(computing expression: ColumnExpression, _ storage: StorageType) {
    self.init(
      place: Self.element.place, name: expression.name,
      computed: ColumnPath.Computed(expression: expression, storage: storage))
  }

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
  private var field: String
  /// Its place among the model's columns, where that is known.
  private var place: Int?
  /// The finished path of a measure or of an element; nil for a property.
  private var finished: ColumnPath?

  /// A model's property, after a reference or in the query's own model.
  init<M: Model, V>(_ property: KeyPath<M, V>, behind link: ColumnPathBuilder?) {
    guard let property = M._schema.property(at: property) else {
      preconditionFailure(
        "\(property) is no stored property of \(M.self): a query can only use stored ones.")
    }
    (field, place) = property
    schema = M._schema.erased
    let path = link?.path
    links = path.map { $0.links + [$0.place] } ?? []
    prefix = path.map { $0.name + "." } ?? ""
  }

  /// A finished path: that of a measure or of an element.
  init(_ path: ColumnPath, _ schema: Schema) {
    links = path.links
    prefix = ""
    self.schema = schema
    field = path.name
    finished = path
  }

  func measured(_ measure: ColumnPath.Measure) -> ColumnPathBuilder {
    ColumnPathBuilder(path.measured(measure), schema)
  }

  /// The element of a collection, as a condition on it names it.
  init(elementOf collection: ColumnPathBuilder) { self.init(.element, collection.schema) }

  /// A property of the struct that the path ends in.
  func inside<E: Embedded, V>(_ property: KeyPath<E, V>) -> ColumnPathBuilder {
    inside(E.name(of: property))
  }

  /// A property, by its name, of the struct that the path ends in.
  private func inside(_ name: String) -> ColumnPathBuilder {
    var inner = self
    inner.field += "." + name
    (inner.place, inner.finished) = (nil, nil)
    return inner
  }

  /// The condition that the struct at the path's end equals another one, property by property.
  func equals(_ value: any Embedded) -> ConditionTree {
    type(of: value).properties.reduce(.constant(true)) { tree, property in
      .both(tree, inside(property.name).equals(value[keyPath: property.path] as Any))
    }
  }

  private func equals(_ value: Any) -> ConditionTree {
    switch value {
    case let value as any EmbeddedOptional:
      let isThere = ConditionTree.compare(path, .equal, .bool(true))
      return value.embedded.map { .both(isThere, equals($0)) } ?? .not(isThere)
    case let value as any Embedded: return equals(value)
    case let value as any Storable: return .comparing(path, .equal, value)
    default: preconditionFailure("\(type(of: value)) is no type of a stored property.")
    }
  }

  /// The finished path.
  ///
  /// - Precondition: The path ends in a column: not in a struct, nor in a column of JSON.
  var path: ColumnPath {
    if let finished { return finished }
    guard let place = place ?? schema.place(named: field) else {
      preconditionFailure("\(schema.name).\(field) is a struct: compare a property of it.")
    }
    schema.refuseJSON(at: place)
    return ColumnPath(links: links, place: place, name: prefix + field)
  }
}

extension Schema {
  /// Traps where a column holds JSON, whose bytes are not those of the property's own type.
  ///
  /// - Precondition: The property is not marked with `@Coded`.
  func refuseJSON(at place: Int) {
    precondition(
      columns[place].storage.kind != .coded,
      "\(name).\(columns[place].name) is stored as JSON, which only whole objects are read from and "
        + "written to: fetch or update those, or leave out @Coded.")
  }
}

/// A column by which the objects of a model refer to a row.
@usableFromInline
struct ReferringColumn: Hashable, Sendable {
  let schema: Schema
  /// The index of the column among those of `schema`.
  let column: Int

  /// The path as the program writes it.
  var name: String { "\(schema.name).\(schema.columns[column].name)" }
}

extension ColumnPath {
  /// An expression and the type of its value.
  struct Computed: Hashable, Sendable {
    let expression: ColumnExpression
    let storage: StorageType
  }

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

extension QueryColumn where Value: Storable {
  /// Holds where the property equals the value; texts are equal by canonical equivalence.
  ///
  /// As in Swift, no number equals NaN, NaN included.
  public static func == (column: Self, value: Value) -> QueryCondition<M> {
    QueryCondition(.comparing(column.path, .equal, value))
  }

  /// Holds exactly where `==` does not; `!= v` therefore also holds for nil.
  public static func != (column: Self, value: Value) -> QueryCondition<M> {
    QueryCondition(.negation(of: (column == value).tree))
  }

  /// Holds where the property is one of the values.
  ///
  /// - Parameter values: The values; nil may be among those for an optional property.
  /// - Complexity: O(1) for each row, however many values there are.
  public func `in`(_ values: some Sequence<Value>) -> QueryCondition<M> {
    QueryCondition(.within(path, values.filter { !$0.isPastRange }.map(\.stored)))
  }
}

extension QueryColumn where Value: Embedded {
  /// Holds where the properties of a struct equal those of another; texts are equal as in Swift.
  ///
  /// - Precondition: None of them is marked with `@Coded`.
  public static func == (column: Self, value: Value) -> QueryCondition<M> {
    QueryCondition(column.propertyBuilder.equals(value))
  }

  /// Holds exactly where `==` does not.
  public static func != (column: Self, value: Value) -> QueryCondition<M> {
    QueryCondition(.negation(of: (column == value).tree))
  }
}

extension QueryColumn where Value: OptionalStorable, Value.Unwrapped: Embedded {
  /// Holds where the properties of a struct equal those of another, or where both are nil.
  ///
  /// - Precondition: None of them is marked with `@Coded`.
  public static func == (column: Self, value: Value.Unwrapped?) -> QueryCondition<M> {
    guard let value else { return column.isNil }
    return !column.isNil && QueryCondition<M>(column.propertyBuilder.equals(value))
  }

  /// Holds exactly where `==` does not.
  public static func != (column: Self, value: Value.Unwrapped?) -> QueryCondition<M> {
    QueryCondition(.negation(of: (column == value).tree))
  }
}

extension QueryColumn {
  /// What builds the path to the property, which may be a struct.
  ///
  /// - Precondition: The column is a property, not the model itself.
  fileprivate var propertyBuilder: ColumnPathBuilder {
    guard let builder else {
      preconditionFailure("A condition compares a property of \(Value.self), not the model itself.")
    }
    return builder
  }
}

extension QueryColumn where Value: StorableProperty {
  /// Holds where the property refers to an object.
  public static func == <Target: Model>(column: Self, object: Target) -> QueryCondition<M>
  where Value.Unwrapped == Ref<Target> {
    QueryCondition(.comparing(column.path, .equal, Ref(object)))
  }

  /// Holds where the property refers to another object, or to none.
  public static func != <Target: Model>(column: Self, object: Target) -> QueryCondition<M>
  where Value.Unwrapped == Ref<Target> {
    QueryCondition(.negation(of: (column == object).tree))
  }

  /// Holds where the property refers to one of some objects.
  public func `in`<Target: Model>(_ objects: some Sequence<Target>) -> QueryCondition<M>
  where Value.Unwrapped == Ref<Target> {
    QueryCondition(.within(path, objects.map { Ref($0) }.filter { !$0.isPastRange }.map(\.stored)))
  }
}

extension QueryColumn where Value: OrderedStorable {
  /// Holds where the property is less than the value; never for nil.
  public static func < (column: Self, value: Value) -> QueryCondition<M> {
    QueryCondition(.comparing(column.path, .less, value))
  }

  /// Holds where the property is at most the value; never for nil.
  public static func <= (column: Self, value: Value) -> QueryCondition<M> {
    QueryCondition(.comparing(column.path, .lessOrEqual, value))
  }

  /// Holds where the property is greater than the value; never for nil.
  public static func > (column: Self, value: Value) -> QueryCondition<M> {
    QueryCondition(.comparing(column.path, .greater, value))
  }

  /// Holds where the property is at least the value; never for nil.
  public static func >= (column: Self, value: Value) -> QueryCondition<M> {
    QueryCondition(.comparing(column.path, .greaterOrEqual, value))
  }

  /// Holds where the property is between two values, both included; never for nil.
  public func between(_ lower: Value, _ upper: Value) -> QueryCondition<M> {
    self >= lower && self <= upper
  }
}

extension QueryColumn where Value: OrderedStorable, Value.Unwrapped: OrderedStorable & Comparable {
  /// Holds where the property is in a range, both ends included; never for nil.
  ///
  /// - Parameter range: The range, which an index reads as such.
  public func `in`(_ range: ClosedRange<Value.Unwrapped>) -> QueryCondition<M> {
    QueryCondition(
      .both(
        .comparing(path, .greaterOrEqual, range.lowerBound),
        .comparing(path, .lessOrEqual, range.upperBound)))
  }

  /// Holds where the property is in a range, its end excluded; never for nil.
  public func `in`(_ range: Range<Value.Unwrapped>) -> QueryCondition<M> {
    QueryCondition(
      .both(
        .comparing(path, .greaterOrEqual, range.lowerBound),
        .comparing(path, .less, range.upperBound)))
  }
}

extension QueryColumn where Value: OptionalStorable {
  /// Holds where an optional property has no value.
  public var isNil: QueryCondition<M> {
    // A struct has a column of its own that holds whether it is there.
    Value.Unwrapped.self is any Embedded.Type
      ? QueryCondition(.not(.compare(path, .equal, .bool(true)))) : QueryCondition(.isNil(path))
  }
}

extension QueryColumn where Value: Storable {
  /// Holds where two properties of an object are equal; nil equals nil.
  ///
  /// The other one is of the same type or its optional.
  public static func == <Other: Storable>(left: Self, right: QueryColumn<M, Other>)
    -> QueryCondition<M>
  where Other.Unwrapped == Value.Unwrapped {
    QueryCondition(.columns(left.path, .equal, right.path))
  }

  /// Holds exactly where `==` does not.
  public static func != <Other: Storable>(left: Self, right: QueryColumn<M, Other>)
    -> QueryCondition<M>
  where Other.Unwrapped == Value.Unwrapped {
    QueryCondition(.not(.columns(left.path, .equal, right.path)))
  }
}

extension QueryColumn where Value: OrderedStorable {
  /// Holds where one property is less than another; never where one of them is nil.
  public static func < <Other: OrderedStorable>(left: Self, right: QueryColumn<M, Other>)
    -> QueryCondition<M>
  where Other.Unwrapped == Value.Unwrapped {
    QueryCondition(.columns(left.path, .less, right.path))
  }

  /// Holds where one property is at most another; never where one of them is nil.
  public static func <= <Other: OrderedStorable>(left: Self, right: QueryColumn<M, Other>)
    -> QueryCondition<M>
  where Other.Unwrapped == Value.Unwrapped {
    QueryCondition(.columns(left.path, .lessOrEqual, right.path))
  }

  /// Holds where one property is greater than another; never where one of them is nil.
  public static func > <Other: OrderedStorable>(left: Self, right: QueryColumn<M, Other>)
    -> QueryCondition<M>
  where Other.Unwrapped == Value.Unwrapped {
    QueryCondition(.columns(left.path, .greater, right.path))
  }

  /// Holds where one property is at least another; never where one of them is nil.
  public static func >= <Other: OrderedStorable>(left: Self, right: QueryColumn<M, Other>)
    -> QueryCondition<M>
  where Other.Unwrapped == Value.Unwrapped {
    QueryCondition(.columns(left.path, .greaterOrEqual, right.path))
  }
}

// Texts are compared as bytes of UTF-8 in normalisation form C, as the keys of an index are.
