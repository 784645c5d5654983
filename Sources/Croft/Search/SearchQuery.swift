/// A search as it is written: groups of terms, of each of which one term must hold.
struct SearchQuery {
  struct Term {
    /// The text between the spaces or quotation marks.
    var text: String
    /// Whether the term holds where its text is not found.
    var isExcluded = false
    /// Whether the last unit may have more after it.
    var isOpen = false
    /// Whether it was written in quotation marks.
    var isQuoted = false
  }

  private(set) var groups: [[Term]] = []

  /// The query without the groups that hold where some text is not found.
  var withoutExclusions: SearchQuery {
    var query = self
    query.groups.removeAll { $0.contains(where: \.isExcluded) }
    return query
  }

  /// Reads a query; each text is one.
  init(_ query: String) {
    var reader = Reader(rest: query.unicodeScalars[...])
    var joins = false
    var term = reader.next()
    while let current = term {
      term = reader.next()
      // Where no term is on one of its sides, OR is a word like others.
      if current.isOr, !joins, !groups.isEmpty, term != nil {
        joins = true
        continue
      }
      if joins { groups[groups.count - 1].append(current) } else { groups.append([current]) }
      joins = false
    }
  }

  /// Reads the terms of a query, the one after the other.
  private struct Reader {
    var rest: Substring.UnicodeScalarView

    private static let quotes: Set<Unicode.Scalar> = ["\"", "\u{201C}", "\u{201D}"]

    mutating func next() -> Term? {
      rest = rest.drop(while: Self.isSpace)
      guard let first = rest.first else { return nil }
      var term = Term(text: "")
      if first == "-" {
        term.isExcluded = true
        rest.removeFirst()
      }
      if let mark = rest.first, Self.quotes.contains(mark) {
        rest.removeFirst()
        term.isQuoted = true
        term.text = take { !Self.quotes.contains($0) }
        if !rest.isEmpty { rest.removeFirst() }
        if !take(while: { $0 == "*" }).isEmpty { term.isOpen = true }
      } else {
        term.text = take { !Self.isSpace($0) }
      }
      if term.text.hasSuffix("*") { term.isOpen = true }
      return term
    }

    private mutating func take(while isTaken: (Unicode.Scalar) -> Bool) -> String {
      let end = rest.firstIndex { !isTaken($0) } ?? rest.endIndex
      defer { rest = rest[end...] }
      return String(rest[..<end])
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
      UnitClass.of(scalar.value) == .space
    }
  }
}

extension SearchQuery.Term {
  fileprivate var isOr: Bool { text == "OR" && !isQuoted && !isExcluded }

  /// Units that follow each other in a text, one after the other.
  struct Sequence {
    let parts: [SearchPattern.Part]
    /// Whether the first one must be where a word starts.
    let startsWord: Bool
  }

  /// What a text is looked through for: one of some patterns; none where the term has no units.
  var patterns: [SearchPattern] {
    sequences.map { SearchPattern($0.parts, startsWord: $0.startsWord) }
  }

  /// The sequences of units of which a text must have one; none where the term has no units.
  var sequences: [Sequence] {
    var folded = TextFolding.folded(text, .forSearch)
    let parts = folded.withUTF8 { utf8 in
      // Safety: the bytes are read while they are borrowed.
      unsafe Self.parts(of: UnsafeRawBufferPointer(utf8))
    }
    guard let last = parts.last else { return [] }
    let areConsonants = parts.allSatisfy { $0.element.isConsonant }
    if isOpen {
      return last.element.opened.map { elements in
        let end = elements.enumerated().map { ($1, isApart: $0 == 0 && last.isApart) }
        return Sequence(parts: parts.dropLast() + end, startsWord: areConsonants)
      }
    }
    return [Sequence(parts: parts, startsWord: areConsonants)]
  }

  private static func parts(of text: UnsafeRawBufferPointer) -> [SearchPattern.Part] {
    var units = unsafe SearchUnits(text)
    var parts: [SearchPattern.Part] = []
    while let unit = units.next() {
      let element =
        // Safety: the bytes of a unit are in the text.
        unit.character == 0
        ? unsafe SearchPattern.Element.word(
          Array(UnsafeRawBufferPointer(rebasing: text[unit.bytes]).longestWord), isPrefix: false)
        : SearchPattern.Element(unit.character)
      parts.append((element, isApart: unit.gap != .none && !parts.isEmpty))
    }
    return parts
  }
}

extension SearchPattern.Element {
  /// A character, and for a consonant alone each syllable that it begins.
  fileprivate init(_ character: UInt32) {
    var ranges = [character...character]
    if Hangul.consonants.contains(character), let scalar = Unicode.Scalar(character),
      let first = Hangul.first.firstIndex(of: String(scalar))
    {
      ranges.append(Hangul.syllables(beginningWith: first))
    }
    self = .character(ranges)
  }

  fileprivate var isConsonant: Bool {
    guard case .character(let ranges) = self else { return false }
    return Hangul.consonants.contains(ranges[0].lowerBound)
  }

  /// What more keys make of the unit: each of these sequences of elements.
  ///
  /// A consonant that ends a syllable begins the next one when a vowel follows it: 웅 becomes 우유.
  fileprivate var opened: [[SearchPattern.Element]] {
    switch self {
    case .word(let bytes, _): return [[.word(bytes, isPrefix: true)]]
    case .character(let ranges):
      guard let (first, middle, last) = Hangul.letters(of: ranges[0].lowerBound), ranges.count == 1
      else { return [[self]] }
      if last == 0 {
        let vowels = Hangul.middle.indices.filter {
          Hangul.middle[$0].hasPrefix(Hangul.middle[middle])
        }
        return [
          [
            .character(
              vowels.map {
                Hangul.syllable(first, $0, 0)...Hangul.syllable(first, $0, Hangul.last.count - 1)
              })
          ]
        ]
      }
      var keys = Hangul.last[last]
      let longer = Hangul.last.indices.filter { Hangul.last[$0].hasPrefix(keys) }
      let moved = String(keys.removeLast())
      guard let rest = Hangul.last.firstIndex(of: keys),
        let next = Hangul.first.firstIndex(of: moved)
      else { return [[self]] }
      let ending = longer.map { Hangul.syllable(first, middle, $0) }
      let syllable = Hangul.syllable(first, middle, rest)
      return [
        [.character(ending.map { $0...$0 })],
        [.character([syllable...syllable]), .character([Hangul.syllables(beginningWith: next)])],
      ]
    }
  }
}
