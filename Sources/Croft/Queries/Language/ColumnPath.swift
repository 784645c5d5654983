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
