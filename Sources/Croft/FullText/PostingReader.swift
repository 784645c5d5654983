import LMDB

/// Finds the candidates of a search in the postings of an index.
struct PostingReader {
  let index: TextTree
  let head: TextIndexHead
  /// The properties that are searched.
  let properties: [Int]

  /// A term of a search in one property, for as long as its transaction is borrowed.
  private typealias Sequence = SearchQuery.Term.Sequence

  func candidates(
    of query: SearchQuery, _ transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> SearchCandidates {
    var all = SearchCandidates.all
    for group in query.groups {
      var candidates = SearchCandidates.none
      for term in group {
        let found = try self.candidates(of: term, transaction)
        candidates = candidates.union(term.isExcluded ? found.complement : found)
      }
      all = all.intersection(candidates)
      if all.possible.isEmpty { break }
    }
    return all
  }

  private func candidates(
    of term: SearchQuery.Term, _ transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> SearchCandidates {
    var all = SearchCandidates.none
    for sequence in term.sequences {
      for property in properties {
        all = all.union(try candidates(of: sequence, property, transaction))
      }
    }
    return all
  }

  /// The candidates of units that follow each other in a text of a property.
  private func candidates(
    of sequence: Sequence, _ property: Int,
    _ transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> SearchCandidates {
    let parts = sequence.parts
    if sequence.startsWord, let initials = Self.initials(of: parts) {
      let prefix =
        [PendingPostings.Sort.initials] + initials.prefix(PendingPostings.Sort.initialsMax)
      let found = try numbers(.prefix(prefix, of: property), transaction)
      return initials.count <= PendingPostings.Sort.initialsMax
        ? SearchCandidates(exactly: found) : SearchCandidates(possible: found)
    }
    if parts.count == 1 {
      let found = try numbers(of: parts[0].element, property, before: nil, transaction)
      return sequence.startsWord
        ? SearchCandidates(possible: found) : SearchCandidates(exactly: found)
    }
    var possible = NumberSet.all
    var isCovered = false
    for (place, part) in parts.enumerated() where !possible.isEmpty {
      let next = place + 1 < parts.count ? parts[place + 1] : nil
      if let next, !next.isApart, let first = part.element.ranges, let second = next.element.ranges
      {
        let pair = Pair(first: first, second: second)
        let joined = try numbers(of: pair, hasSpace: false, property, transaction)
        let spaced = try numbers(of: pair, hasSpace: true, property, transaction)
        // Of a pair alone, white space is allowed from a word's start only.
        if parts.count == 2, !sequence.startsWord {
          return SearchCandidates(certain: joined, possible: joined.union(spaced))
        }
        possible = possible.intersection(joined.union(spaced))
        isCovered = true
      } else {
        // The pair before it tells of the unit already.
        if !isCovered {
          let own = try numbers(of: part.element, property, before: next?.element, transaction)
          possible = possible.intersection(own)
        }
        isCovered = false
      }
    }
    return SearchCandidates(possible: possible)
  }

  /// The first consonants, where the units are consonants alone that are written together.
  private static func initials(of parts: [SearchPattern.Part]) -> [UInt8]? {
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

// MARK: - Lists of numbers

extension PostingReader {
  /// Two characters that follow each other.
  private struct Pair {
    let first: [ClosedRange<UInt32>]
    let second: [ClosedRange<UInt32>]
  }

  /// The rows with a unit.
  ///
  /// - Parameter next: The unit that follows it in each match; nil for any.
  private func numbers(
    of element: SearchPattern.Element, _ property: Int, before next: SearchPattern.Element?,
    _ transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> NumberSet {
    switch element {
    case .word(let bytes, let isPrefix):
      let term = [PendingPostings.Sort.word] + bytes
      return try numbers(
        isPrefix ? .prefix(term, of: property) : .term(term, of: property), transaction)
    case .character(let ranges):
      if case .word = next, ranges.count == 1, ranges[0].count == 1 {
        // No character follows.
        let term = Self.term(ranges[0].lowerBound) + [PendingPostings.Sort.space]
        return try numbers(.term(term, of: property), transaction)
      }
      let terms = ranges.map { Self.terms(from: [], $0, property) }
      return try numbers(of: terms, transaction)
    }
  }

  /// The rows with a pair of characters, with or without white space between them.
  private func numbers(
    of pair: Pair, hasSpace: Bool, _ property: Int,
    _ transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> NumberSet {
    let space = hasSpace ? [PendingPostings.Sort.space] : []
    if pair.first.allSatisfy({ $0.count == 1 }) {
      let terms = pair.first.flatMap { first in
        pair.second.map {
          Self.terms(from: Self.utf8(first.lowerBound) + space, $0, property)
        }
      }
      return try numbers(of: terms, transaction)
    }
    // Too many first characters for a list each: those terms are read that begin with one of them.
    let terms = pair.first.map { Self.terms(from: [], $0, property) }
    return try numbers(of: terms, transaction) { term in
      var scalars = String(decoding: term, as: UTF8.self).unicodeScalars.dropFirst(2)
      if hasSpace, scalars.popFirst()?.value != UInt32(PendingPostings.Sort.space) { return false }
      guard let second = scalars.first?.value else { return false }
      return pair.second.contains { $0.contains(second) }
    }
  }

  private func numbers(
    _ terms: TextTree.TermRange, _ transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> NumberSet {
    try numbers(of: [terms], transaction)
  }

  /// The numbers of the rows that have some terms.
  private func numbers(
    of ranges: [TextTree.TermRange], _ transaction: borrowing some LMDB.Transaction & ~Copyable,
    where isTerm: (([UInt8]) -> Bool)? = nil
  ) throws -> NumberSet {
    var numbers: [UInt32] = []
    for segment in head.segments {
      for range in ranges {
        try unsafe index.forEachBlock(of: range, in: segment, transaction) { term, first, block in
          // Safety: the term is copied while the block is borrowed.
          if let isTerm, unsafe !isTerm(Array(term)) { return }
          // Of a damaged block the postings before the damage are used; all rows are tested again.
          _ = PostingBlock.forEach(in: block, from: first, of: segment.numbers) { number, _ in
            numbers.append(number)
          }
        }
      }
    }
    // The list of one term is ascending as it is.
    let isAscending = zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
    return isAscending
      ? NumberSet(numbers) : NumberSet(unordered: numbers, below: head.nextNumber)
  }

  /// The term of a character, without what follows.
  private static func term(_ character: UInt32) -> [UInt8] {
    [PendingPostings.Sort.characters] + utf8(character)
  }

  /// The terms of characters that continue, after some bytes, with a character of a range.
  private static func terms(
    from start: [UInt8], _ range: ClosedRange<UInt32>, _ property: Int
  ) -> TextTree.TermRange {
    let prefix = [PendingPostings.Sort.characters] + start
    return TextTree.TermRange(
      property: property, lower: prefix + utf8(range.lowerBound),
      upper: KeyRange.end(ofPrefix: prefix + utf8(range.upperBound)))
  }

  private static func utf8(_ character: UInt32) -> [UInt8] {
    Unicode.Scalar(character).map { Array(String($0).utf8) } ?? []
  }
}

extension SearchPattern.Element {
  /// The characters that match; nil for a word.
  var ranges: [ClosedRange<UInt32>]? {
    if case .character(let ranges) = self { ranges } else { nil }
  }
}
