/// A search in texts, as people type it: words, parts of Korean words, beginnings and initials.
///
/// ```swift
/// let search = TextSearch("우유 sale* -쿠폰")
/// let items = try store.fetch(TodoItem.where { $0.title.matches(search) })
/// ```
///
/// All terms must hold. `a OR b` needs one of two, `-a` excludes, `"a b"` is a phrase, and `a*` finds all
/// that begins so. Case, accents and width make no difference. <doc:Search> says what is found.
public struct TextSearch: Hashable, Sendable {
  /// Whether more may be typed.
  public enum Input: Hashable, Sendable {
    /// The query is complete.
    case complete
    /// The last term is being typed: it also finds what more keys make of it.
    case asTyped
  }

  /// The query; of one that is being typed, with `*` on the last term.
  public let query: String

  /// How many terms a query of a store may have.
  public static let termsMax = 64

  /// Makes a search of a query; each text is one.
  ///
  /// A blank query matches every text, a term without letters, digits or emoji none.
  public init(_ query: String, _ input: Input = .complete) {
    self.query = input == .complete ? query : Self.opened(query)
  }

  /// A query with `*` on its last term.
  private static func opened(_ query: String) -> String {
    let scalars = query.unicodeScalars
    guard let last = scalars.lastIndex(where: { UnitClass.of($0.value) != .space }) else {
      return query
    }
    return String(scalars[...last]) + "*"
  }

  /// Whether a text matches.
  ///
  /// - Complexity: O(length of the text), for each term.
  public func matches(_ text: String) -> Bool {
    let matcher = TextMatcher(TextPattern(self))
    var text = text
    // Safety: the bytes are read while the text keeps them valid.
    return text.withUTF8 { unsafe matcher.matches(UnsafeRawBufferPointer($0)) }
  }
}

extension QueryColumn where Value: StoredText {
  /// Holds where the text matches a search; never for nil.
  ///
  /// ```swift
  /// let found = try store.fetch(TodoItem.where { $0.title.matches("우유 -쿠폰") })
  /// ```
  ///
  /// - Parameters:
  ///   - query: The search as people type it; see ``TextSearch``.
  ///   - input: Whether the last term is still being typed.
  public func matches(
    _ query: String, _ input: TextSearch.Input = .complete
  ) -> QueryCondition<M> {
    matches(TextSearch(query, input))
  }

  /// Holds where the text matches a search; never for nil.
  ///
  /// A query with more than ``TextSearch/termsMax`` terms throws ``StoreError/searchTooLong(model:)``.
  public func matches(_ search: TextSearch) -> QueryCondition<M> {
    QueryCondition(.text(path, TextPattern(search)))
  }
}

extension TextPattern {
  init(_ search: TextSearch) { self.init(kind: .matches, text: search.query, options: []) }

  /// Whether it is a search of more terms than a query of a store may have.
  var isTooLong: Bool {
    kind == .matches
      && SearchQuery(text).groups.reduce(0) { $0 + $1.count } > TextSearch.termsMax
  }
}
