/// An option of an index, in `@Indexed`.
public enum IndexOption: Hashable, Sendable {
  /// No two objects may have the same value; nil clashes with nothing.
  case unique
  /// Greater values come first.
  case descending
  /// Texts are entered with their case folded, for conditions that ignore it.
  case caseFolded
}

/// The root of the key paths in `#Index` and `#Unique`.
///
/// ```swift
/// #Index<Song>([\.artist.caseFolded, \.plays.descending])
/// ```
@dynamicMemberLookup
public struct IndexRoot<M: Model>: Sendable {
  init() {}

  /// A property, smallest values first.
  public subscript<V: Indexable>(dynamicMember property: KeyPath<M, V>) -> IndexPart {
    IndexPart(property: property)
  }

  /// An embedded struct, whose properties can be indexed.
  public subscript<E: Embedded>(dynamicMember property: KeyPath<M, E>) -> EmbeddedIndexRoot<E> {
    EmbeddedIndexRoot(part: IndexPart(property: property))
  }

  /// An optional struct; if it is nil, its properties count as nil.
  public subscript<E: Embedded>(dynamicMember property: KeyPath<M, E?>) -> EmbeddedIndexRoot<E> {
    EmbeddedIndexRoot(part: IndexPart(property: property))
  }
}

/// An embedded struct on a key path in `#Index` and `#Unique`.
@dynamicMemberLookup
public struct EmbeddedIndexRoot<E: Embedded> {
  fileprivate let part: IndexPart

  /// A property of the struct, smallest values first.
  public subscript<V: Indexable>(dynamicMember property: KeyPath<E, V>) -> IndexPart {
    part.appending(E.name(of: property))
  }

  /// A struct inside the struct.
  public subscript<F: Embedded>(dynamicMember property: KeyPath<E, F>) -> EmbeddedIndexRoot<F> {
    EmbeddedIndexRoot<F>(part: part.appending(E.name(of: property)))
  }

  /// An optional struct inside the struct.
  public subscript<F: Embedded>(dynamicMember property: KeyPath<E, F?>) -> EmbeddedIndexRoot<F> {
    EmbeddedIndexRoot<F>(part: part.appending(E.name(of: property)))
  }
}

/// One column of an index, on a key path in `#Index` and `#Unique`.
public struct IndexPart {
  let property: AnyKeyPath
  /// The names of properties inside the property.
  private(set) var path: [String] = []
  private(set) var options: Set<IndexOption> = []

  fileprivate init(property: AnyKeyPath) { self.property = property }

  /// The same property, greatest values first.
  public var descending: IndexPart {
    var part = self
    part.options.insert(.descending)
    return part
  }

  /// The same property, its texts entered with their case folded.
  public var caseFolded: IndexPart {
    var part = self
    part.options.insert(.caseFolded)
    return part
  }

  fileprivate func appending(_ name: String) -> IndexPart {
    var part = self
    part.path.append(name)
    return part
  }
}

/// An index over several columns, as the macro describes it.
public struct _Index<M: Model> {
  let parts: [IndexPart]
  let isUnique: Bool

  /// Describes one list of `#Index` or `#Unique`.
  public init(_ columns: [KeyPath<IndexRoot<M>, IndexPart>], isUnique: Bool = false) {
    parts = columns.map { IndexRoot<M>()[keyPath: $0] }
    self.isUnique = isUnique
  }
}

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

extension IndexDefinition {
  /// An index over some columns of a model.
  ///
  /// - Parameters:
  ///   - names: The columns' names.
  ///   - options: The options of each of them.
  ///   - isUnique: Whether no two objects may have the same values.
  ///   - model: The model's name.
  ///   - columns: All columns of the model.
  /// - Precondition: The columns exist and have an order; at most one of them is a collection, and
  ///   their key codes fit into one key.
  init(
    over names: [String], _ options: [Set<IndexOption>], isUnique: Bool, of model: String,
    _ columns: [ColumnDefinition]
  ) {
    precondition(!names.isEmpty, "An index of \(model) names no property.")
    let parts = zip(names, options).map { name, options in
      guard let place = columns.firstIndex(where: { $0.name == name }) else {
        preconditionFailure(
          "An index of \(model) names \(name), which is no stored property with an order.")
      }
      return IndexColumn(
        place: place, isDescending: options.contains(.descending),
        isCaseFolded: options.contains(.caseFolded))
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
    self.init(columns: parts, isUnique: isUnique)
  }
}

extension [IndexDefinition] {
  /// Adds an index unless there is the same one already.
  mutating func add(_ index: IndexDefinition) {
    if !contains(index) { append(index) }
  }

  /// Adds an index for each column of references that has none of its own.
  mutating func addForeignKeys(of columns: [ColumnDefinition]) {
    for (place, column) in columns.enumerated() where column.reference != nil {
      let own = IndexColumn(place: place)
      if !contains(where: { $0.columns == [own] }) { append(IndexDefinition(columns: [own])) }
    }
  }
}
