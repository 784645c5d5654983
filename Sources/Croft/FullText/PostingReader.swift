import LMDB

/// Finds the candidates of a search in the postings of an index.
struct PostingReader {
  let index: TextTree
  let head: TextIndexHead
  /// The properties that are searched.
  let properties: [Int]

  /// Units that follow each other in a text.
  typealias Sequence = SearchQuery.Term.Sequence

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
  func candidates(
    of sequence: Sequence, _ property: Int,
    _ transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> SearchCandidates {
    let parts = sequence.parts
    if let initials = sequence.initials {
      let found = try numbers(of: terms(of: initials, property), transaction)
      return initials.count <= PendingPostings.Sort.initialsMax
        ? SearchCandidates(exactly: found) : SearchCandidates(possible: found)
    }
    if parts.count == 1 {
      let found = try numbers(of: terms(of: parts[0].element, property), transaction)
      return sequence.startsWord
        ? SearchCandidates(possible: found) : SearchCandidates(exactly: found)
    }
    var possible = NumberSet.all
    var isCovered = false
    for (place, part) in parts.enumerated() where !possible.isEmpty {
      let next = place + 1 < parts.count ? parts[place + 1] : nil
      if let next, !next.isApart, let first = part.element.ranges, let second = next.element.ranges
      {
        let joined = try numbers(
          of: terms(of: first, second, hasSpace: false, property), transaction)
        let spaced = try numbers(
          of: terms(of: first, second, hasSpace: true, property), transaction)
        // Of a pair alone, white space is allowed from a word's start only.
        if parts.count == 2, !sequence.startsWord {
          return SearchCandidates(certain: joined, possible: joined.union(spaced))
        }
        possible = possible.intersection(joined.union(spaced))
        isCovered = true
      } else {
        // The pair before it tells of the unit already.
        if !isCovered {
          let own = try numbers(
            of: terms(of: part.element, before: next?.element, property), transaction)
          possible = possible.intersection(own)
        }
        isCovered = false
      }
    }
    return SearchCandidates(possible: possible)
  }
}

// MARK: - Lists of numbers

extension PostingReader {
  /// The terms in whose lists something is looked for: those of some ranges for which a test holds.
  struct Terms {
    let ranges: [TextTree.TermRange]
    var isTerm: (([UInt8]) -> Bool)?
  }

  /// The terms of a part of a search.
  func terms(of key: SearchKey, _ property: Int) -> Terms {
    switch key {
    case .unit(let element): terms(of: element, property)
    case .pair(let first, let second): terms(of: first, second, hasSpace: false, property)
    case .initials(let initials, _): terms(of: initials, property)
    }
  }

  private func terms(of initials: [UInt8], _ property: Int) -> Terms {
    let prefix = initials.prefix(PendingPostings.Sort.initialsMax)
    return Terms(ranges: [.prefix([PendingPostings.Sort.initials] + prefix, of: property)])
  }

  /// The terms of a unit.
  ///
  /// - Parameter next: The unit that follows it in each match; nil for any.
  private func terms(
    of element: SearchPattern.Element, before next: SearchPattern.Element? = nil, _ property: Int
  ) -> Terms {
    switch element {
    case .word(let bytes, let isPrefix):
      let term = [PendingPostings.Sort.word] + bytes
      return Terms(
        ranges: [isPrefix ? .prefix(term, of: property) : .term(term, of: property)])
    case .character(let ranges):
      if case .word = next, ranges.count == 1, ranges[0].count == 1 {
        // No character follows.
        let term = Self.term(ranges[0].lowerBound) + [PendingPostings.Sort.space]
        return Terms(ranges: [.term(term, of: property)])
      }
      return Terms(ranges: ranges.map { Self.terms(from: [], $0, property) })
    }
  }

  /// The terms of two characters that follow each other, with or without white space between them.
  private func terms(
    of first: [ClosedRange<UInt32>], _ second: [ClosedRange<UInt32>], hasSpace: Bool,
    _ property: Int
  ) -> Terms {
    let space = hasSpace ? [PendingPostings.Sort.space] : []
    if first.allSatisfy({ $0.count == 1 }) {
      return Terms(
        ranges: first.flatMap { first in
          second.map { Self.terms(from: Self.utf8(first.lowerBound) + space, $0, property) }
        })
    }
    // Too many first characters for a list each: those terms are read that begin with one of them.
    return Terms(ranges: first.map { Self.terms(from: [], $0, property) }) { term in
      var scalars = String(decoding: term, as: UTF8.self).unicodeScalars.dropFirst(2)
      if hasSpace, scalars.popFirst()?.value != UInt32(PendingPostings.Sort.space) { return false }
      guard let next = scalars.first?.value else { return false }
      return second.contains { $0.contains(next) }
    }
  }

  /// Passes the postings of some terms, by segments, terms and numbers.
  @inline(__always)
  func forEachPosting(
    of terms: Terms, _ transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (_ number: UInt32, _ count: UInt32) -> Void
  ) throws {
    try forEachList(of: terms, transaction) { first, list, numbers in
      // Of a damaged list the postings before the damage are used; all rows are tested again.
      _ = PostingBlock.forEach(in: list, from: first, of: numbers, body)
    }
  }

  /// Passes the lists of some terms, by segments, terms and numbers.
  ///
  /// - Parameter body: Takes the first number, the list, and the numbers that it may have.
  @inline(__always)
  private func forEachList(
    of terms: Terms, _ transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (_ first: UInt32, _ list: RawSpan, _ numbers: Range<UInt32>) -> Void
  ) throws {
    for segment in head.segments {
      for range in terms.ranges {
        try unsafe index.forEachList(of: range, in: segment, transaction) { term, first, list in
          // Safety: the term is copied while the block is borrowed.
          if let isTerm = terms.isTerm, unsafe !isTerm(Array(term)) { return }
          body(first, list, segment.numbers)
        }
      }
    }
  }

  /// The numbers of the rows that have some terms.
  private func numbers(
    of terms: Terms, _ transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> NumberSet {
    var (numbers, room): ([UInt32], [UInt32]) = ([], [])
    // The lists of one term are ascending as they are.
    var isAscending = true
    try forEachList(of: terms, transaction) { first, list, range in
      if let last = numbers.last, last >= first { isAscending = false }
      // A posting has a byte at least.
      if room.count < list.byteCount { room = Array(repeating: 0, count: list.byteCount) }
      let count = PostingBlock.readNumbers(of: list, from: first, of: range, to: &room)
      numbers += room[..<count]
    }
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
