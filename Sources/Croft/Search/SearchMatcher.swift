/// A compiled search: groups of terms, of each of which one term must hold in a text.
struct SearchMatcher {
  struct Term {
    let patterns: [SearchPattern]
    let isExcluded: Bool

    func occurs(in text: UnsafeRawBufferPointer) -> Bool {
      // Safety: the caller borrows the text for the call.
      if let known = unsafe occurs(inUnfolded: text) { return known }
      return unsafe TextFolding.withFolded(text, .forSearch) { unsafe occurs(inFolded: $0) }
    }

    fileprivate func occurs(inFolded text: UnsafeRawBufferPointer) -> Bool {
      // Safety: the caller borrows the text for the call.
      patterns.contains { unsafe $0.occurs(in: text) }
    }

    /// Whether the term occurs in a text before it is folded; nil where only the folded text tells.
    fileprivate func occurs(inUnfolded text: UnsafeRawBufferPointer) -> Bool? {
      var isKnown = true
      for pattern in patterns {
        // Safety: the caller borrows the text for the call.
        switch unsafe pattern.occurs(inUnfolded: text) {
        case true?: return true
        case false?: break
        case nil: isKnown = false
        }
      }
      return isKnown ? false : nil
    }
  }

  /// The groups; none for a blank query, which holds everywhere.
  let groups: [[Term]]

  init(_ query: String) {
    groups = SearchQuery(query).groups.map { terms in
      terms.map { Term(patterns: $0.patterns, isExcluded: $0.isExcluded) }
    }
  }

  /// The term of a search that has one; nil for another search.
  var onlyTerm: Term? { groups.count == 1 && groups[0].count == 1 ? groups[0][0] : nil }

  /// Whether a text matches.
  func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    // Safety: the caller borrows the text for the call.
    if let known = unsafe matches(unfolded: text) { return known }
    return unsafe TextFolding.withFolded(text, .forSearch) { text in
      groups.allSatisfy { terms in
        terms.contains { unsafe $0.occurs(inFolded: text) != $0.isExcluded }
      }
    }
  }

  /// Whether a text matches, as it is known before the text is folded; nil where it is not.
  private func matches(unfolded text: UnsafeRawBufferPointer) -> Bool? {
    var areAllKnown = true
    for terms in groups {
      var (holds, isKnown) = (false, true)
      for term in terms where !holds {
        // Safety: the caller borrows the text for the call.
        let occurs = unsafe term.occurs(inUnfolded: text)
        if let occurs { holds = occurs != term.isExcluded } else { isKnown = false }
      }
      if holds { continue }
      if isKnown { return false }
      areAllKnown = false
    }
    return areAllKnown ? true : nil
  }

  /// Notes which terms of each group occur in one of several texts.
  func find(in text: UnsafeRawBufferPointer, _ found: inout [[Bool]]) {
    var areAllKnown = true
    for (group, terms) in groups.enumerated() {
      for (place, term) in terms.enumerated() where !found[group][place] {
        // Safety: the caller borrows the text for the call.
        let occurs = unsafe term.occurs(inUnfolded: text)
        found[group][place] = occurs ?? false
        if occurs == nil { areAllKnown = false }
      }
    }
    if areAllKnown { return }
    unsafe TextFolding.withFolded(text, .forSearch) { unsafe find(inFolded: $0, &found) }
  }

  private func find(inFolded text: UnsafeRawBufferPointer, _ found: inout [[Bool]]) {
    for (group, terms) in groups.enumerated() {
      for (place, term) in terms.enumerated() where !found[group][place] {
        // Safety: the caller borrows the text for the call.
        found[group][place] = unsafe term.occurs(inFolded: text)
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
