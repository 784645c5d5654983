/// The terms of the searches by which objects are ordered, and the texts that they are looked for in.
struct RelevanceTerms {
  /// A property that is searched.
  struct Text {
    let column: ColumnLayout
    /// How much an occurrence in it counts.
    let weight: Int
  }

  struct Term {
    /// The ordinals of its texts.
    let texts: [Int]
    let sequences: [Sequence]
  }

  /// Units that follow each other in a text, of which a term has one or two.
  struct Sequence {
    let source: SearchQuery.Term.Sequence
    let pattern: SearchPattern
    /// The pattern without white space that the query does not have.
    let together: SearchPattern
    let keys: [(key: SearchKey, pattern: SearchPattern)]

    init(_ source: SearchQuery.Term.Sequence) {
      self.source = source
      pattern = SearchPattern(source.parts, startsWord: source.startsWord)
      together = SearchPattern(
        source.parts, startsWord: source.startsWord, overlooksSpaces: false)
      keys = source.keys.map { ($0, $0.pattern) }
    }
  }

  /// Each property once.
  let texts: [Text]
  /// The terms that are not excluded.
  let terms: [Term]
  private let layout: RecordLayout

  init(_ relevance: ColumnPath.Relevance, _ table: Table) {
    var places: [Int] = []
    for place in relevance.searches.flatMap(\.places) where !places.contains(place) {
      places.append(place)
    }
    let layout = table.layout
    self.layout = layout
    texts = places.map {
      Text(column: layout.columns[$0], weight: table.schema.textWeights[$0] ?? 1)
    }
    terms = relevance.searches.flatMap { search in
      SearchQuery(search.query).groups.joined().filter { !$0.isExcluded }.map { term in
        Term(
          texts: search.places.compactMap(places.firstIndex(of:)),
          sequences: term.sequences.map(Sequence.init))
      }
    }
  }
}

// MARK: - Reading rows

extension RelevanceTerms {
  /// Passes the texts of a row, folded for a search, with their ordinals.
  ///
  /// - Parameter body: Returns how many units a text has; nil where it did not read all of them.
  /// - Returns: The codes of their lengths.
  private func forEachText(
    of row: RecordView, _ body: (UnsafeRawBufferPointer, Int) -> Int?
  ) throws -> [UInt8] {
    var units = texts.map { _ in 0 }
    try unsafe texts.map(\.column).forEachText(of: row, layout) { text, ordinal in
      unsafe TextFolding.withFolded(text, .forSearch) { folded in
        // Safety: the folded text is read while it is borrowed.
        if let count = unsafe body(folded, ordinal) {
          units[ordinal] += count
          return
        }
        var reader = unsafe SearchUnits(folded)
        while reader.next() != nil { units[ordinal] += 1 }
      }
    }
    return units.map(TextLength.code)
  }

  /// How well a row matches.
  ///
  /// - Complexity: O(length of its texts), for each term.
  func score(of row: RecordView, by statistics: RelevanceStatistics) throws -> UInt32 {
    let width = texts.count
    // For each term and text how often it occurs, and whether it does.
    var counts = [Int](repeating: 0, count: terms.count * width)
    var occurs = [Bool](repeating: false, count: terms.count * width)
    let lengths = try unsafe forEachText(of: row) { text, ordinal in
      var units: Int?
      for (place, term) in terms.enumerated() where term.texts.contains(ordinal) {
        for sequence in term.sequences {
          let count = unsafe sequence.together.occurrences(in: text, units: &units)
          counts[place * width + ordinal] += count
          if count > 0 {
            occurs[place * width + ordinal] = true
          } else if !occurs[place * width + ordinal] {
            occurs[place * width + ordinal] = unsafe sequence.pattern.occurs(in: text)
          }
        }
      }
      return units
    }
    var score: UInt32 = 0
    for place in terms.indices {
      var shares: UInt64 = 0
      for ordinal in texts.indices where occurs[place * width + ordinal] {
        shares += RelevanceLaw.shares(
          weight: texts[ordinal].weight, occurrences: max(1, counts[place * width + ordinal]),
          length: lengths[ordinal], mean: statistics.means[ordinal])
      }
      score = score.addingSaturating(
        RelevanceLaw.score(rarity: statistics.rarities[place], shares: shares))
    }
    return score
  }

  /// Adds a row to what is counted of all rows.
  func count(_ row: RecordView, in counts: inout RelevanceCounts) throws {
    var has = terms.map { $0.sequences.map { $0.keys.map { _ in false } } }
    let lengths = try unsafe forEachText(of: row) { text, ordinal in
      for (place, term) in terms.enumerated() where term.texts.contains(ordinal) {
        for (own, sequence) in term.sequences.enumerated() {
          for (key, part) in sequence.keys.enumerated() where !has[place][own][key] {
            has[place][own][key] = unsafe part.pattern.occurs(in: text)
          }
        }
      }
      return nil
    }
    counts.rows += 1
    for (ordinal, length) in lengths.enumerated() {
      counts.units[ordinal] += TextLength.units(of: length)
    }
    for place in has.indices {
      for own in has[place].indices {
        for key in has[place][own].indices where has[place][own][key] {
          counts.keys[place][own][key] += 1
        }
      }
    }
  }
}
