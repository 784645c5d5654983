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

  /// A struct among the properties, whose own properties can be indexed.
  public subscript<E: Embedded>(dynamicMember property: KeyPath<M, E>) -> EmbeddedIndexRoot<E> {
    EmbeddedIndexRoot(part: IndexPart(property: property))
  }

  /// A struct that may be absent; its properties then count as nil.
  public subscript<E: Embedded>(dynamicMember property: KeyPath<M, E?>) -> EmbeddedIndexRoot<E> {
    EmbeddedIndexRoot(part: IndexPart(property: property))
  }
}

/// A struct among a model's properties, on a key path in `#Index` and `#Unique`.
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

  /// A struct inside the struct that may be absent.
  public subscript<F: Embedded>(dynamicMember property: KeyPath<E, F?>) -> EmbeddedIndexRoot<F> {
    EmbeddedIndexRoot<F>(part: part.appending(E.name(of: property)))
  }
}

/// One column of an index, on a key path in `#Index` and `#Unique`.
public struct IndexPart {
  let property: AnyKeyPath
  /// The names of properties inside the property.
  private(set) var path: [String] = []
  private(set) var options = IndexOptions()

  fileprivate init(property: AnyKeyPath) { self.property = property }

  /// The same property, greatest values first.
  public var descending: IndexPart {
    var part = self
    part.options.isDescending = true
    return part
  }

  /// The same property, its texts entered with their case folded.
  public var caseFolded: IndexPart {
    var part = self
    part.options.isCaseFolded = true
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
