@testable import Croft

/// Searches texts as the laws of matching say, with arrays, recursion and the names of scalars.
struct NaiveSearch {
  /// A word or a character, and what a text has before it.
  struct Unit: Equatable {
    var scalars: [Unicode.Scalar]
    var isWord: Bool
    var gap: [Unicode.Scalar]

    /// The keys of a two-set keyboard that a syllable takes; empty for another unit.
    var keys: [Unicode.Scalar] {
      guard !isWord, (0xAC00...0xD7A3).contains(scalars[0].value) else { return [] }
      let letters = TextKey.canonicalDecomposition(of: String(scalars[0]))
      return letters.flatMap { jamo -> [Unicode.Scalar] in
        let letter = NaiveSearch.letter(of: jamo) ?? jamo
        return NaiveSearch.vowels[letter] ?? NaiveSearch.keys(of: letter)
      }
    }
    var isConsonant: Bool { !isWord && (0x3131...0x314E).contains(scalars[0].value) }
    var isLetter: Bool { !isWord && (0x3131...0x318E).contains(scalars[0].value) }
    /// The part of a word that counts.
    var word: [Unicode.Scalar] {
      var (bytes, count) = (0, 0)
      for scalar in scalars {
        bytes += String(scalar).utf8.count
        if bytes > 64 { break }
        count += 1
      }
      return Array(scalars.prefix(count))
    }
  }

  struct Term {
    var units: [Unit]
    var isExcluded: Bool
    var isOpen: Bool
  }

  private(set) var groups: [[Term]] = []

  /// The vowels of two keys.
  private static let vowels: [Unicode.Scalar: [Unicode.Scalar]] = [
    "ㅘ": ["ㅗ", "ㅏ"], "ㅙ": ["ㅗ", "ㅐ"], "ㅚ": ["ㅗ", "ㅣ"], "ㅝ": ["ㅜ", "ㅓ"],
    "ㅞ": ["ㅜ", "ㅔ"], "ㅟ": ["ㅜ", "ㅣ"], "ㅢ": ["ㅡ", "ㅣ"],
  ]

  func matches(_ text: String) -> Bool { matches([Self.units(of: text)]) }

  /// Whether several texts together match, each term in one of them.
  func matches(_ texts: [[Unit]]) -> Bool {
    groups.allSatisfy { terms in
      terms.contains { term in
        texts.contains { !Self.occurrences(of: term, in: $0).isEmpty } != term.isExcluded
      }
    }
  }

  /// The units of all occurrences of the terms that are not excluded.
  func occurrences(in text: String) -> [Range<Int>] {
    let units = Self.units(of: text)
    return groups.joined().filter { !$0.isExcluded }.flatMap {
      Self.occurrences(of: $0, in: units)
    }
  }
}

// MARK: - Queries

extension NaiveSearch {
  init(_ query: String) {
    let quotes: [Unicode.Scalar] = ["\"", "\u{201C}", "\u{201D}"]
    var words: [(text: String, quoted: Bool, minus: Bool, star: Bool)] = []
    let scalars = Array(query.unicodeScalars)
    var at = 0
    func isSpace(_ at: Int) -> Bool { DerivedClasses.unitClass(of: scalars[at]) == .space }
    while at < scalars.count {
      if isSpace(at) {
        at += 1
        continue
      }
      var word = (text: "", quoted: false, minus: false, star: false)
      if scalars[at] == "-" {
        word.minus = true
        at += 1
      }
      if at < scalars.count, quotes.contains(scalars[at]) {
        word.quoted = true
        at += 1
        while at < scalars.count, !quotes.contains(scalars[at]) {
          word.text.unicodeScalars.append(scalars[at])
          at += 1
        }
        at += 1
        while at < scalars.count, scalars[at] == "*" {
          word.star = true
          at += 1
        }
      } else {
        while at < scalars.count, !isSpace(at) {
          word.text.unicodeScalars.append(scalars[at])
          at += 1
        }
      }
      if word.text.unicodeScalars.last == "*" { word.star = true }
      words.append(word)
    }
    var joins = false
    for (place, word) in words.enumerated() {
      let isOr = word.text == "OR" && !word.quoted && !word.minus && !word.star
      if isOr, !joins, !groups.isEmpty, place + 1 < words.count {
        joins = true
        continue
      }
      let term = Term(
        units: Self.units(of: word.text), isExcluded: word.minus, isOpen: word.star)
      if joins { groups[groups.count - 1].append(term) } else { groups.append([term]) }
      joins = false
    }
  }
}

// MARK: - Matching

extension NaiveSearch {
  static func occurrences(of term: Term, in text: [Unit]) -> Set<Range<Int>> {
    if term.units.isEmpty { return [] }
    var found: Set<Range<Int>> = []
    let areConsonants = term.units.allSatisfy(\.isConsonant)
    for start in text.indices {
      let startsWord = startsWord(start, text)
      if areConsonants, !startsWord { continue }
      /// Whether a unit may follow the one before it, as the query has them.
      func joins(_ place: Int, _ isApart: Bool) -> Bool {
        if place == start || isApart || text[place].gap.isEmpty { return true }
        return startsWord && !text[place].isWord && !text[place - 1].isWord
          && text[place].gap.allSatisfy { DerivedClasses.unitClass(of: $0) == .space }
      }
      var place = start
      var fits = true
      for (ordinal, wanted) in term.units.enumerated() {
        let isLast = ordinal == term.units.count - 1
        fits =
          fits && place < text.count && joins(place, ordinal > 0 && !wanted.gap.isEmpty)
        if !fits { break }
        let own = text[place]
        if isLast, term.isOpen, !wanted.keys.isEmpty {
          // Two syllables, of which the first is a part of what was typed.
          if place + 1 < text.count, joins(place + 1, false), !text[place + 1].keys.isEmpty,
            !own.keys.isEmpty, own.keys.count < wanted.keys.count,
            (own.keys + text[place + 1].keys).starts(with: wanted.keys)
          {
            found.insert(start..<place + 2)
          }
          fits = own.keys.starts(with: wanted.keys)
        } else if wanted.isWord {
          fits =
            own.isWord
            && (isLast && term.isOpen
              ? own.word.starts(with: wanted.word) : own.word == wanted.word)
        } else {
          fits =
            !own.isWord
            && (own.scalars == wanted.scalars
              || wanted.isConsonant && own.keys.first == wanted.scalars[0])
        }
        place += 1
      }
      if fits { found.insert(start..<place) }
    }
    return found
  }

  static func startsWord(_ place: Int, _ text: [Unit]) -> Bool {
    if text[place].isWord || place == 0 || !text[place].gap.isEmpty { return true }
    return text[place - 1].isWord || text[place - 1].isLetter != text[place].isLetter
  }
}

// MARK: - Units

extension NaiveSearch {
  static func units(of text: String) -> [Unit] {
    var units: [Unit] = []
    var gap: [Unicode.Scalar] = []
    for scalar in folded(text).unicodeScalars {
      switch DerivedClasses.unitClass(of: scalar) ?? .separator {
      case .separator, .space: gap.append(scalar)
      case .word:
        if gap.isEmpty, units.last?.isWord == true {
          units[units.count - 1].scalars.append(scalar)
        } else {
          units.append(Unit(scalars: [scalar], isWord: true, gap: gap))
        }
        gap = []
      case .character:
        units.append(Unit(scalars: [scalar], isWord: false, gap: gap))
        gap = []
      }
    }
    if !units.isEmpty { units[0].gap = [] }
    return units
  }

  static func folded(_ text: String) -> String {
    var plain = ""
    for scalar in text.unicodeScalars where !isInvisible(scalar) {
      plain.unicodeScalars.append(usualWidth(of: scalar))
    }
    let composed = NaiveFolding.folded(plain, [.caseInsensitive, .diacriticInsensitive])
    var letters = ""
    for scalar in String(decoding: composed, as: UTF8.self).unicodeScalars {
      for key in keys(of: letter(of: scalar) ?? scalar) { letters.unicodeScalars.append(key) }
    }
    return letters
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    return properties.isVariationSelector || properties.isJoinControl || properties.isBidiControl
      || properties.isEmojiModifier || [0xAD, 0x640, 0x2060, 0xFEFF].contains(scalar.value)
  }

  /// The scalars of CJK by their names.
  private static let named: [String: Unicode.Scalar] = {
    var named: [String: Unicode.Scalar] = ["": " "]
    for scalar in (UInt32(0x3000)...0x31FF).compactMap(Unicode.Scalar.init) {
      named[scalar.properties.name ?? ""] = scalar
    }
    return named
  }()

  private static func usualWidth(of scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard (0xFF01...0xFFDC).contains(scalar.value), !(0xFF61...0xFF65).contains(scalar.value),
      let name = scalar.properties.name
    else {
      return scalar
    }
    if name.hasPrefix("FULLWIDTH"), let usual = Unicode.Scalar(scalar.value - 0xFEE0),
      usual.properties.isAlphabetic || usual.properties.numericType != nil
    {
      return usual
    }
    guard name.hasPrefix("HALFWIDTH ") else { return scalar }
    let usual = String(name.dropFirst("HALFWIDTH ".count))
    let mark = usual.replacing("KATAKANA ", with: "COMBINING KATAKANA-HIRAGANA ")
    return named[usual.hasSuffix("VOICED SOUND MARK") ? mark : usual] ?? scalar
  }

  /// The letter of a jamo of today's Hangul.
  static func letter(of jamo: Unicode.Scalar) -> Unicode.Scalar? {
    switch jamo.value {
    case 0x1100...0x1112, 0x1161...0x1175, 0x11A8...0x11C2: break
    default: return nil
    }
    guard let name = jamo.properties.name?.split(separator: " ").last else { return nil }
    return named["HANGUL LETTER \(name)"]
  }

  /// The keys that write a letter: two for ㄳ, and for a vowel inside a syllable such as ㅘ.
  static func keys(of letter: Unicode.Scalar) -> [Unicode.Scalar] {
    guard (0x3131...0x314E).contains(letter.value),
      let name = letter.properties.name?.split(separator: " ").last
    else { return [letter] }
    return name.split(separator: "-").compactMap { named["HANGUL LETTER \($0)"] }
  }
}
