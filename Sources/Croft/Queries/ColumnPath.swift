/// Where a condition or an order finds a value: a column, perhaps behind references.
@usableFromInline
struct ColumnPath: Hashable, Sendable {
  /// The columns with the references to follow first, each in the model where the last one led.
  let links: [Int]
  /// The column's place in the declaration of the last model.
  let place: Int
  /// The path as the program writes it.
  let name: String

  init(links: [Int] = [], place: Int, name: String) {
    self.links = links
    self.place = place
    self.name = name
  }

  /// Whether this is a column of the model itself.
  func isColumn(_ place: Int) -> Bool { links.isEmpty && self.place == place }

  /// The same column, of the object that a reference at another path names.
  func behind(_ link: ColumnPath?) -> ColumnPath {
    guard let link else { return self }
    return ColumnPath(
      links: link.links + [link.place], place: place, name: link.name + "." + name)
  }

  /// The path as the object behind the first reference sees it.
  var behindLink: ColumnPath {
    ColumnPath(links: Array(links.dropFirst()), place: place, name: name)
  }
}

extension ColumnPath {
  /// The place of a stored property.
  init<M: Model, V>(_ property: KeyPath<M, V>) {
    guard let place = M._schema.column(at: property) else {
      preconditionFailure(
        "\(property) is no stored property of \(M.self): a query can only use stored ones.")
    }
    self.init(place: place, name: M._schema.shape.columns[place].name)
  }
}
