/// A compiled search: groups of terms, of each of which one term must hold in a text.
struct SearchMatcher {
  struct Term {
    let patterns: [SearchPattern]
    let isExcluded: Bool

    func holds(in text: UnsafeRawBufferPointer) -> Bool {
      // Safety: the caller borrows the text for the call.
      for pattern in patterns where unsafe pattern.occurs(in: text) { return !isExcluded }
      return isExcluded
    }
  }

  /// The groups; none for a blank query, which holds everywhere.
  let groups: [[Term]]

  init(_ query: String) {
    groups = SearchQuery(query).groups.map { terms in
      terms.map { Term(patterns: $0.patterns, isExcluded: $0.isExcluded) }
    }
  }

  /// Whether a text matches that is folded for a search.
  func matches(folded text: UnsafeRawBufferPointer) -> Bool {
    // Safety: the caller borrows the text for the call.
    groups.allSatisfy { terms in terms.contains { unsafe $0.holds(in: text) } }
  }
}
