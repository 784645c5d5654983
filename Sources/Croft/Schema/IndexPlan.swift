/// Gathers a model's indexes: each once, and one for every column that holds references.
final class IndexPlan {
  private let model: String
  private let columns: [ColumnDefinition]
  private var indexes: [IndexDefinition] = []

  init(model: String, columns: [ColumnDefinition]) {
    self.model = model
    self.columns = columns
  }

  /// Adds an index over columns, unless there is the same already.
  ///
  /// - Precondition: The columns exist and have an order; at most one of them is a collection, and
  ///   there are no more of them than fit into a key.
  func add(_ names: [String], _ options: [IndexOptions], isUnique: Bool) {
    precondition(!names.isEmpty, "An index of \(model) names no property.")
    let parts = zip(names, options).map { name, options in
      guard let place = columns.firstIndex(where: { $0.name == name }) else {
        preconditionFailure(
          "An index of \(model) names \(name), which is no stored property with an order.")
      }
      return IndexColumn(
        place: place, isDescending: options.isDescending, isCaseFolded: options.isCaseFolded)
    }
    let collections = parts.filter { columns[$0.place].storage.collection != nil }
    precondition(
      collections.count < 2,
      "An index of \(model) names two collections, \(names.joined(separator: ", ")): an object would "
        + "have an entry for every pair of their elements. Declare an index for each.")
    precondition(
      parts.count <= KeyCode.mostColumns,
      "An index of \(model) names \(parts.count) properties, and at most \(KeyCode.mostColumns) fit "
        + "into a key. Leave out the last ones: they only order what is equal in all others.")
    precondition(
      !columns.contains { $0.storage.kind == .compound }
        || KeyCode.fits(parts.map { columns[$0.place].storage }),
      "An index of \(model) over \(names.joined(separator: ", ")) could have entries of more than "
        + "\(KeyCode.longestKey) bytes: leave out a reference to a compound key.")
    let index = IndexDefinition(columns: parts, isUnique: isUnique)
    if !indexes.contains(index) { indexes.append(index) }
  }

  /// All indexes; a reference without one of its own gets it.
  var finished: [IndexDefinition] {
    for (place, column) in columns.enumerated() where column.reference != nil {
      let own = IndexColumn(place: place)
      if !indexes.contains(where: { $0.columns == [own] }) {
        indexes.append(IndexDefinition(columns: [own]))
      }
    }
    return indexes
  }
}
