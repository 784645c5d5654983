/// A compiled search: groups of terms, of each of which one term must hold in a text.
struct SearchMatcher {
  struct Term {
    let patterns: [SearchPattern]
    let isExcluded: Bool

    func occurs(in text: UnsafeRawBufferPointer) -> Bool {
      // Safety: the caller borrows the text for the call.
      patterns.contains { unsafe $0.occurs(in: text) }
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
    groups.allSatisfy { terms in
      terms.contains { unsafe $0.occurs(in: text) != $0.isExcluded }
    }
  }

  /// Notes which terms of each group occur in one of several texts, which is folded for a search.
  func find(in text: UnsafeRawBufferPointer, _ found: inout [[Bool]]) {
    for (group, terms) in groups.enumerated() {
      for (place, term) in terms.enumerated() where !found[group][place] {
        // Safety: the caller borrows the text for the call.
        found[group][place] = unsafe term.occurs(in: text)
      }
    }
  }

  /// Whether texts match together, by the terms that occur in any of them.
  func holds(where found: [[Bool]]) -> Bool {
    zip(groups, found).allSatisfy { terms, found in
      zip(terms, found).contains { $0.isExcluded != $1 }
    }
  }
}
