/// The root of the key paths in `#FullText`: texts, optional ones, and arrays and sets of texts.
///
/// ```swift
/// #FullText<Article>([\.title, \.body, \.author.name, \.tags])
/// ```
@dynamicMemberLookup
public struct TextIndexRoot<M: Model>: Sendable {
  init() {}

  /// A text; where it is nil there is nothing to find.
  public subscript<V: StoredText>(dynamicMember property: KeyPath<M, V>) -> TextIndexPart {
    TextIndexPart(part: IndexPart(property: property))
  }

  /// An array of texts, each of which is searched by itself.
  public subscript<V: StoredText & OrderedStorable>(
    dynamicMember property: KeyPath<M, [V]>
  ) -> TextIndexPart { TextIndexPart(part: IndexPart(property: property)) }

  /// A set of texts, each of which is searched by itself.
  public subscript<V: StoredText & OrderedStorable>(
    dynamicMember property: KeyPath<M, Set<V>>
  ) -> TextIndexPart { TextIndexPart(part: IndexPart(property: property)) }

  /// An embedded struct, whose texts can be searched; if it is nil, there is nothing to find.
  public subscript<V: StorableProperty>(
    dynamicMember property: KeyPath<M, V>
  ) -> EmbeddedTextIndexRoot<V.Unwrapped> where V.Unwrapped: Embedded {
    EmbeddedTextIndexRoot(part: IndexPart(property: property))
  }
}

/// An embedded struct on a key path in `#FullText`.
@dynamicMemberLookup
public struct EmbeddedTextIndexRoot<E: Embedded> {
  fileprivate let part: IndexPart

  /// A text of the struct.
  public subscript<V: StoredText>(dynamicMember property: KeyPath<E, V>) -> TextIndexPart {
    TextIndexPart(part: part.appending(E.name(inIndexOf: property)))
  }

  /// An array of texts of the struct.
  public subscript<V: StoredText & OrderedStorable>(
    dynamicMember property: KeyPath<E, [V]>
  ) -> TextIndexPart { TextIndexPart(part: part.appending(E.name(inIndexOf: property))) }

  /// A set of texts of the struct.
  public subscript<V: StoredText & OrderedStorable>(
    dynamicMember property: KeyPath<E, Set<V>>
  ) -> TextIndexPart { TextIndexPart(part: part.appending(E.name(inIndexOf: property))) }

  /// A struct inside the struct, which may be optional.
  public subscript<V: StorableProperty>(
    dynamicMember property: KeyPath<E, V>
  ) -> EmbeddedTextIndexRoot<V.Unwrapped> where V.Unwrapped: Embedded {
    EmbeddedTextIndexRoot<V.Unwrapped>(part: part.appending(E.name(inIndexOf: property)))
  }
}

/// One property of an index for searches, on a key path in `#FullText`.
public struct TextIndexPart {
  /// The property, as other indexes describe it.
  let part: IndexPart
  /// How much a term in it counts for the relevance.
  private(set) var weight = 1

  /// The weights that a property may have.
  static let weights = 1...1_000

  /// The same property, in which a term counts as much for the relevance as that many in another one.
  ///
  /// ```swift
  /// #FullText<Article>([\.title[weight: 4], \.body])
  /// ```
  ///
  /// - Parameter weight: From 1, which a property has without this, to 1,000. A store refuses a model with
  ///   another one when it is opened. It is not in the file: another weight rebuilds no index.
  public subscript(weight weight: Int) -> TextIndexPart {
    var part = self
    part.weight = weight
    return part
  }
}
