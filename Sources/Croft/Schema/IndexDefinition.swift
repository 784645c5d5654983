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
  public subscript<V: IndexableStorable>(dynamicMember property: KeyPath<M, V>) -> IndexPart {
    IndexPart(property: property)
  }

  /// An embedded struct, whose properties can be indexed; if it is nil, they count as nil.
  public subscript<V: StorableProperty>(
    dynamicMember property: KeyPath<M, V>
  ) -> EmbeddedIndexRoot<V.Unwrapped> where V.Unwrapped: Embedded {
    EmbeddedIndexRoot(part: IndexPart(property: property))
  }
}

/// An embedded struct on a key path in `#Index` and `#Unique`.
@dynamicMemberLookup
public struct EmbeddedIndexRoot<E: Embedded> {
  fileprivate let part: IndexPart

  /// A property of the struct, smallest values first.
  public subscript<V: IndexableStorable>(dynamicMember property: KeyPath<E, V>) -> IndexPart {
    part.appending(E.name(inIndexOf: property))
  }

  /// A struct inside the struct, which may be optional.
  public subscript<V: StorableProperty>(
    dynamicMember property: KeyPath<E, V>
  ) -> EmbeddedIndexRoot<V.Unwrapped> where V.Unwrapped: Embedded {
    EmbeddedIndexRoot<V.Unwrapped>(part: part.appending(E.name(inIndexOf: property)))
  }
}

extension Embedded {
  /// The name of a property; of a computed one its key path, which no column has as a name.
  static func name(inIndexOf property: PartialKeyPath<Self>) -> String {
    _fields.names[property] ?? "\(property)"
  }
}

/// One column of an index, on a key path in `#Index` and `#Unique`.
public struct IndexPart {
  let property: AnyKeyPath
  /// The names of properties inside the property.
  private(set) var path: [String] = []
  private(set) var options: Set<IndexOption> = []

  init(property: AnyKeyPath) { self.property = property }

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

  func appending(_ name: String) -> IndexPart {
    var part = self
    part.path.append(name)
    return part
  }
}

/// An index over several columns, as the macro describes it.
public struct _Index<M: Model> {
  let parts: [IndexPart]
  let isUnique: Bool
  /// Whether it is for searches in the texts of the properties.
  let isText: Bool
  /// The order of an index on expressions; nil for one on properties.
  let order: (@Sendable (QueryColumn<M, M>) -> [SortKey])?
  /// How much a term counts in each of the texts; empty for another index.
  private(set) var weights: [Int] = []

  /// Describes one list of `#Index` or `#Unique`.
  public init(_ columns: [KeyPath<IndexRoot<M>, IndexPart>], isUnique: Bool = false) {
    parts = columns.map { IndexRoot<M>()[keyPath: $0] }
    self.isUnique = isUnique
    isText = false
    order = nil
  }

  /// Describes a `#FullText`.
  public init(searching texts: [KeyPath<TextIndexRoot<M>, TextIndexPart>]) {
    let texts = texts.map { TextIndexRoot<M>()[keyPath: $0] }
    parts = texts.map(\.part)
    isUnique = false
    isText = true
    order = nil
    weights = texts.map(\.weight)
  }

  /// Describes an `#Index` on expressions.
  public init(_ order: @escaping @Sendable (QueryColumn<M, M>) -> [SortKey]) {
    parts = []
    isUnique = false
    isText = false
    self.order = order
  }
}

/// An index that a program declares.
struct IndexDefinition: Sendable, Hashable {
  var columns: [IndexColumn]
  /// Whether no two objects may have the same values; nil clashes with nothing.
  var isUnique = false
  /// Whether it has the words and characters of texts, for searches.
  var isText = false

  /// Whether both are the same index; the types that expressions have may differ.
  func isSame(as other: Self) -> Bool {
    isUnique == other.isUnique && isText == other.isText && columns.count == other.columns.count
      && zip(columns, other.columns).allSatisfy { $0.isSame(as: $1) }
  }
}

/// One column of an index.
///
/// A column that holds a collection gives an entry for each of its elements.
struct IndexColumn: Sendable, Hashable {
  /// What an index enters.
  enum Source: Sendable, Hashable {
    /// The values of a column, by its place in the declaration.
    case column(Int)
    /// The values of an expression over the object's own columns; nil comes before all.
    case expression(ColumnPath.Computed)
  }

  var source: Source
  /// Whether greater values come first.
  var isDescending = false
  var isCaseFolded = false

  init(_ source: Source, isDescending: Bool = false, isCaseFolded: Bool = false) {
    self.source = source
    self.isDescending = isDescending
    self.isCaseFolded = isCaseFolded
  }

  init(place: Int) { self.init(.column(place)) }

  /// Whether both enter the same, in the same order; the types that expressions have may differ.
  func isSame(as other: Self) -> Bool {
    guard isDescending == other.isDescending, isCaseFolded == other.isCaseFolded else {
      return false
    }
    return switch (source, other.source) {
    case (.column(let place), .column(let otherPlace)): place == otherPlace
    case (.expression(let one), .expression(let another)): one.expression == another.expression
    case (.column, .expression), (.expression, .column): false
    }
  }

  /// The places of the columns that are read.
  var places: [Int] {
    switch source {
    case .column(let place): [place]
    case .expression(let computed): computed.expression.columns.map(\.place)
    }
  }

  /// Whether it enters the values at the end of a path.
  func isOver(_ path: ColumnPath) -> Bool {
    switch source {
    case .column(let place): path.ownPlace == place
    case .expression(let computed): path.computed?.expression == computed.expression
    }
  }
}

extension Schema {
  /// The column that an index enters, or one of an expression's values.
  func definition(of column: IndexColumn) -> ColumnDefinition {
    switch column.source {
    case .column(let place): columns[place]
    case .expression(let computed):
      ColumnDefinition(name: computed.expression.name, storage: computed.storage.optional)
    }
  }
}

extension IndexDefinition {
  /// An index over some columns of a model.
  ///
  /// - Parameter options: The options of each of them.
  /// - Throws: ``ModelMistake`` unless the columns exist, have an order and letter case where it is
  ///   folded, at most one of them is a collection, and their key codes fit into one key.
  init(
    over names: [String], _ options: [Set<IndexOption>], isUnique: Bool,
    _ columns: [ColumnDefinition]
  ) throws(ModelMistake) {
    if names.isEmpty { throw ModelMistake("an index names no property; list key paths") }
    var parts: [IndexColumn] = []
    for (name, options) in zip(names, options) {
      guard let place = columns.firstIndex(where: { $0.name == name }) else {
        throw ModelMistake(
          "an index names \(name), which is not a stored property with an order; name one that is")
      }
      if options.contains(.caseFolded), columns[place].storage.kind != .string {
        throw ModelMistake(
          "an index folds the case of \(name), which holds no text; leave out .caseFolded")
      }
      parts.append(
        IndexColumn(
          .column(place), isDescending: options.contains(.descending),
          isCaseFolded: options.contains(.caseFolded)))
    }
    let storages = parts.flatMap(\.places).map { columns[$0].storage }
    if storages.count(where: { $0.collection != nil }) > 1 {
      throw ModelMistake(
        "an index names two collections, \(names.joined(separator: ", ")), so an object would have an "
          + "entry for every pair of their elements; declare an index for each")
    }
    try Self.checkCount(parts.count, of: "properties")
    if columns.contains(where: { $0.storage.kind == .compound }), !KeyCode.fits(storages) {
      throw ModelMistake(
        "an index over \(names.joined(separator: ", ")) could have entries of more than "
          + "\(KeyCode.longestKey) bytes; leave out a reference to a compound key")
    }
    self.init(columns: parts, isUnique: isUnique)
  }

  /// An index for searches in some texts of a model.
  ///
  /// - Throws: ``ModelMistake`` unless the columns are texts or arrays or sets of texts, each once.
  init(searching names: [String], _ columns: [ColumnDefinition]) throws(ModelMistake) {
    if names.isEmpty {
      throw ModelMistake("an index for searches names no property; list key paths")
    }
    var parts: [IndexColumn] = []
    for name in names {
      guard let place = columns.firstIndex(where: { $0.name == name }),
        columns[place].storage.kind == .string, columns[place].reference == nil,
        columns[place].storage.collection != .dictionary
      else {
        throw ModelMistake(
          "an index for searches names \(name), which is not a stored text or a collection of texts; "
            + "name one that is")
      }
      if parts.contains(IndexColumn(place: place)) {
        throw ModelMistake("an index for searches names \(name) twice; leave out one")
      }
      parts.append(IndexColumn(place: place))
    }
    try Self.checkCount(parts.count, of: "properties")
    self.init(columns: parts, isText: true)
  }

  /// An index in the order that expressions give.
  ///
  /// - Throws: ``ModelMistake`` unless the expressions read columns of the model itself, and no
  ///   collections, and are not nested too deeply.
  init(in order: [SortKey]) throws(ModelMistake) {
    if order.isEmpty { throw ModelMistake("an index names no expression; list some") }
    try Self.checkCount(order.count, of: "expressions")
    if order.contains(where: { $0.path.computed?.expression == .tooDeep }) {
      throw ModelMistake(
        "an index is over an expression that is nested more than \(ColumnExpression.deepest) deep; store "
          + "a part of it in a property")
    }
    for key in order where key.path.columns.contains(where: { $0.ownPlace == nil }) {
      throw ModelMistake(
        "an index over \(key.path.name) reads other objects or a collection, whose changes its entries "
          + "could not follow; name single values of the model alone")
    }
    self.init(
      columns: order.map { key in
        let source = key.path.computed.map { IndexColumn.Source.expression($0) }
        return IndexColumn(source ?? .column(key.path.place), isDescending: key.isDescending)
      })
  }

  private static func checkCount(_ count: Int, of kind: String) throws(ModelMistake) {
    guard count > KeyCode.mostColumns else { return }
    throw ModelMistake(
      "an index names \(count) \(kind), and at most \(KeyCode.mostColumns) fit into a key; leave out "
        + "the last ones, which only order what is equal in all others")
  }
}

extension [IndexDefinition] {
  mutating func add(_ index: IndexDefinition) {
    if !contains(index) { append(index) }
  }

  /// Adds an index for each column of references that has none of its own.
  mutating func addForeignKeys(of columns: [ColumnDefinition]) {
    for (place, column) in columns.enumerated() where column.reference != nil {
      let own = IndexColumn(place: place)
      if !contains(where: { $0.columns == [own] && !$0.isText }) {
        append(IndexDefinition(columns: [own]))
      }
    }
  }
}
