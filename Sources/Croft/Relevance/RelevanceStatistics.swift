/// What is counted of all objects, before it is rounded.
struct RelevanceCounts: Equatable {
  var rows = 0
  /// The units of each text, as ``TextLength`` rounds them.
  var units: [UInt64]
  /// How many rows have each key, by terms and their sequences.
  var keys: [[[Int]]]

  /// That of no rows.
  init(_ terms: RelevanceTerms) {
    units = terms.texts.map { _ in 0 }
    keys = terms.terms.map { $0.sequences.map { $0.keys.map { _ in 0 } } }
  }
}

/// What the relevance of each object depends on beside its own texts.
struct RelevanceStatistics: Equatable {
  /// The code of the mean length of each text.
  let means: [UInt8]
  /// How rare each term is.
  let rarities: [UInt32]

  init(_ counts: RelevanceCounts) {
    means = counts.units.map { units in
      TextLength.code(ofMean: Double(units) / Double(max(counts.rows, 1)))
    }
    rarities = counts.keys.map { sequences in
      let count = sequences.reduce(0) { $0 + ($1.min() ?? 0) }
      return RelevanceLaw.rarity(of: count, among: counts.rows)
    }
  }
}
