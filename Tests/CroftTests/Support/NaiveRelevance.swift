import Foundation

@testable import Croft

/// The relevance of objects as its laws say, with logarithms and arrays.
struct NaiveRelevance {
  /// The texts of an object, by property.
  typealias Texts = [[[NaiveSearch.Unit]]]

  /// What a unit of a text must be, and whether the query has something before it.
  private struct Wanted {
    let isApart: Bool
    let fits: (NaiveSearch.Unit) -> Bool
    var isCharacter = true
  }

  private let terms: [NaiveSearch.Term]
  private let weights: [Int]
  /// The mean length of each property, and how rare each term is, in quarters of an octave.
  private let means: [Int]
  private let rarities: [Int]

  init(_ query: String, weights: [Int], _ objects: [Texts]) {
    terms = NaiveSearch(query).groups.joined().filter { !$0.isExcluded }
    self.weights = weights
    let all = max(objects.count, 1)
    means = weights.indices.map { property in
      let sum = objects.reduce(0.0) { sum, texts in
        let units = texts[property].joined().count
        return units == 0 ? sum : sum + exp2(Double(Self.quarters(Double(units))) / 4).rounded()
      }
      return Self.quarters(max(sum / Double(all), 1))
    }
    rarities = terms.map { term in
      let count = Self.sequences(of: term).reduce(0) { sum, sequence in
        let counts = Self.parts(of: sequence, term).map { part in
          objects.count { texts in texts.joined().contains(where: part) }
        }
        return sum + (counts.min() ?? 0)
      }
      return 1 + Self.quarters(Double(all) / Double(min(max(count, 1), all)))
    }
  }

  func score(of texts: Texts) -> Int {
    var score = 0
    for (term, rarity) in zip(terms, rarities) {
      var shares = 0
      for (property, texts) in texts.enumerated() {
        var (count, occurs) = (0, false)
        for text in texts {
          let found = NaiveSearch.occurrences(of: term, in: text)
          occurs = occurs || !found.isEmpty
          count += found.count { range in
            range.dropFirst().allSatisfy { place in
              let ordinal = place - range.lowerBound
              return text[place].gap.isEmpty
                || ordinal < term.units.count && !term.units[ordinal].gap.isEmpty
            }
          }
        }
        guard occurs else { continue }
        let length = Self.quarters(Double(texts.joined().count))
        let norm = (64 * (1 + 3 * exp2(Double(length - means[property]) / 4))).rounded()
        shares += weights[property] * max(count, 1) * 65_536 / Int(norm)
      }
      score += rarity * 4_096 * shares / (shares + 307)
    }
    return score
  }

  private static func quarters(_ number: Double) -> Int { Int((4 * log2(number)).rounded()) }

  // MARK: - The parts of a term

  /// The units that follow each other where a term holds: two ways where a syllable is being typed.
  private static func sequences(of term: NaiveSearch.Term) -> [[Wanted]] {
    let units = term.units
    guard let last = units.last else { return [] }
    let start = units.dropLast().enumerated().map { wanted($1, isApart: $0 > 0 && !$1.gap.isEmpty) }
    let isApart = units.count > 1 && !last.gap.isEmpty
    guard term.isOpen else { return [start + [wanted(last, isApart: isApart)]] }
    if last.isWord {
      let word = last.word
      return [
        start
          + [
            Wanted(
              isApart: isApart, fits: { $0.isWord && $0.word.starts(with: word) },
              isCharacter: false)
          ]
      ]
    }
    let keys = last.keys
    guard let moved = keys.last else { return [start + [wanted(last, isApart: isApart)]] }
    var sequences = [start + [Wanted(isApart: isApart) { $0.keys.starts(with: keys) }]]
    if hasFinal(last) {
      let rest = Array(keys.dropLast())
      sequences.append(
        start + [
          Wanted(isApart: isApart) { $0.keys == rest },
          Wanted(isApart: false) { $0.keys.first == moved },
        ])
    }
    return sequences
  }

  private static func hasFinal(_ unit: NaiveSearch.Unit) -> Bool {
    TextKey.canonicalDecomposition(of: String(unit.scalars[0])).count == 3
  }

  private static func wanted(_ unit: NaiveSearch.Unit, isApart: Bool) -> Wanted {
    let (scalars, word) = (unit.scalars, unit.word)
    if unit.isWord {
      return Wanted(isApart: isApart, fits: { $0.isWord && $0.word == word }, isCharacter: false)
    }
    let isConsonant = unit.isConsonant
    return Wanted(isApart: isApart) {
      !$0.isWord && ($0.scalars == scalars || isConsonant && $0.keys.first == scalars[0])
    }
  }

  /// The tests of which a text passes some: of units, pairs of characters, or initials.
  private static func parts(
    of sequence: [Wanted], _ term: NaiveSearch.Term
  ) -> [([NaiveSearch.Unit]) -> Bool] {
    if term.units.allSatisfy(\.isConsonant), !sequence.contains(where: \.isApart) {
      let initials = NaiveSearch.Term(
        units: Array(term.units.prefix(4)), isExcluded: false, isOpen: false)
      return [{ !NaiveSearch.occurrences(of: initials, in: $0).isEmpty }]
    }
    var parts: [([NaiveSearch.Unit]) -> Bool] = []
    var isCovered = false
    for (place, part) in sequence.enumerated() {
      if place + 1 < sequence.count, part.isCharacter, sequence[place + 1].isCharacter,
        !sequence[place + 1].isApart
      {
        let next = sequence[place + 1]
        parts.append { text in
          text.indices.dropLast().contains {
            part.fits(text[$0]) && next.fits(text[$0 + 1]) && text[$0 + 1].gap.isEmpty
          }
        }
        isCovered = true
      } else {
        if !isCovered { parts.append { $0.contains(where: part.fits) } }
        isCovered = false
      }
    }
    return parts
  }
}
