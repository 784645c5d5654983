@testable import Croft

extension NaiveSearch {
  /// The terms of a text in an index, and how often it has each, as the article of the format says.
  static func terms(of text: String) -> [[UInt8]: UInt32] {
    let units = units(of: text)
    var terms: [[UInt8]: UInt32] = [:]
    func note(_ sort: String, _ parts: [Unicode.Scalar]) {
      var term = sort
      for part in parts { term.unicodeScalars.append(part) }
      terms[Array(term.utf8), default: 0] += 1
    }
    /// Whether nothing or white space alone is before a unit.
    func isJoined(_ place: Int) -> Bool {
      units[place].gap.allSatisfy { DerivedClasses.unitClass(of: $0) == .space }
    }
    for (place, unit) in units.enumerated() {
      if unit.isWord {
        note("w", unit.word)
      } else if place + 1 < units.count, !units[place + 1].isWord, isJoined(place + 1) {
        let space: [Unicode.Scalar] = units[place + 1].gap.isEmpty ? [] : [" "]
        note("s", unit.scalars + space + units[place + 1].scalars)
      } else {
        note("s", unit.scalars + [" "])
      }
      if unit.isWord || !startsWord(place, units) { continue }
      var initials: [Unicode.Scalar] = []
      var next = place
      while next < units.count, initials.count < 4, next == place || isJoined(next),
        let initial = initial(of: units[next])
      {
        initials.append(initial)
        next += 1
      }
      if !initials.isEmpty { note("i", initials) }
    }
    return terms
  }

  /// A letter for the consonant that begins a unit: A for ㄱ, and so on.
  private static func initial(of unit: Unit) -> Unicode.Scalar? {
    let consonants = Array("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ".unicodeScalars)
    guard !unit.isWord, let first = unit.keys.first ?? unit.scalars.first,
      let ordinal = consonants.firstIndex(of: first)
    else { return nil }
    return Unicode.Scalar(UInt8(ascii: "A") + UInt8(ordinal))
  }
}
