/// An index that a program declares.
struct IndexDefinition: Sendable, Hashable {
  var columns: [IndexColumn]
  /// Whether no two objects may have the same values; nil clashes with nothing.
  var isUnique = false
}

/// One column of an index.
///
/// A column that holds a collection gives an entry for each of its elements.
struct IndexColumn: Sendable, Hashable {
  /// The column's place in the declaration.
  var place: Int
  /// Whether greater values come first.
  var isDescending = false
  /// Whether texts are entered with their case folded.
  var isCaseFolded = false
}
