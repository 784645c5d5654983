/// A unit, a pair of characters or some initials: a part of a term of which an index has a list.
///
/// The rarity of a term is that of its rarest part.
enum SearchKey {
  case unit(SearchPattern.Element)
  /// Two characters that are written together.
  case pair([ClosedRange<UInt32>], [ClosedRange<UInt32>])
  /// The first consonants from a word's start, and the parts of the search that they are.
  case initials([UInt8], [SearchPattern.Part])

  /// What a text has that has the part.
  var pattern: SearchPattern {
    switch self {
    case .unit(let element): SearchPattern([(element, isApart: false)], startsWord: false)
    case .pair(let first, let second):
      SearchPattern(
        [(.character(first), isApart: false), (.character(second), isApart: false)],
        startsWord: false, overlooksSpaces: false)
    case .initials(_, let parts): SearchPattern(parts, startsWord: true)
    }
  }
}

extension SearchQuery.Term.Sequence {
  /// The parts of the sequence of which an index has lists.
  var keys: [SearchKey] {
    let most = PendingPostings.Sort.initialsMax
    if let initials {
      return [.initials(Array(initials.prefix(most)), Array(parts.prefix(most)))]
    }
    var keys: [SearchKey] = []
    var isCovered = false
    for (place, part) in parts.enumerated() {
      let next = place + 1 < parts.count ? parts[place + 1] : nil
      if let next, !next.isApart, let first = part.element.ranges, let second = next.element.ranges
      {
        keys.append(.pair(first, second))
        isCovered = true
      } else {
        // The pair before it has the unit already.
        if !isCovered { keys.append(.unit(part.element)) }
        isCovered = false
      }
    }
    return keys
  }

  /// The first consonants, where the units are consonants alone that are written together.
  var initials: [UInt8]? {
    if !startsWord { return nil }
    var initials: [UInt8] = []
    for part in parts {
      guard !part.isApart, let first = part.element.ranges?.first,
        let initial = Hangul.initial(of: first.lowerBound), first.count == 1
      else { return nil }
      initials.append(initial)
    }
    return initials
  }
}
