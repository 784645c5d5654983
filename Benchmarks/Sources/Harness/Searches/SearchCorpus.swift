import Foundation

/// Texts that are searched, of words that a seed makes: half of them Korean, a quarter English, the rest mixed.
package enum SearchCorpus: String, Sendable, CaseIterable {
  /// Three to eight words each.
  case titles
  /// Sixty to five hundred words each; a fifth as many as titles.
  case notes

  /// The texts for a number of objects, which are the same in every run.
  package func texts(_ size: Int) -> [String] {
    var random = SplitMix64(seed: Dataset.seed)
    let words = SearchWords()
    let count = self == .titles ? size : max(1, size / 5)
    return (0..<count).map { ordinal in
      let length = self == .titles ? 3 + random.below(6) : 60 + random.below(441)
      return (0..<length).map { _ in
        let isKorean =
          switch ordinal % 4 {
          case 0, 1: true
          case 2: false
          default: random.below(2) == 0
          }
        return isKorean ? words.koreanWord(&random) : words.englishWord(&random)
      }.joined(separator: " ")
    }
  }
}

/// The words of the texts, the most frequent ones first.
struct SearchWords {
  let english: [String]
  /// Korean nouns of two and three syllables.
  let korean: [String]

  private static let count = 8_000
  private static let particles = ["을", "를", "이", "가", "은", "는", "에", "에서", "으로", "와", "도", "의"]

  init() {
    var random = SplitMix64(seed: Dataset.seed ^ 1)
    english = Self.words { Self.englishWord(&random) }
    korean = Self.words { Self.koreanNoun(&random) }
  }

  private static func words(_ make: () -> String) -> [String] {
    var (words, seen): ([String], Set<String>) = ([], [])
    while words.count < count {
      let word = make()
      if seen.insert(word).inserted { words.append(word) }
    }
    return words
  }

  private static func englishWord(_ random: inout SplitMix64) -> String {
    let (first, middle, last) = ("bcdfghklmnprstvw", "aeiou", "lnrst")
    return (0..<2 + random.below(2)).map { _ in
      "\(pick(first, &random))\(pick(middle, &random))"
        + (random.below(2) == 0 ? "\(pick(last, &random))" : "")
    }.joined()
  }

  private static func koreanNoun(_ random: inout SplitMix64) -> String {
    var noun = ""
    for _ in 0..<2 + random.below(2) {
      let initial = pick([0, 2, 3, 5, 6, 7, 9, 11, 12, 14, 16, 17, 18], &random)
      let vowel = pick([0, 1, 4, 5, 6, 8, 13, 18, 20], &random)
      let final = random.below(5) < 3 ? 0 : pick([1, 4, 8, 16, 17, 21], &random)
      guard let syllable = Unicode.Scalar(0xAC00 + UInt32((initial * 21 + vowel) * 28 + final))
      else { continue }
      noun.unicodeScalars.append(syllable)
    }
    return noun
  }

  private static func pick<C: Collection>(_ choices: C, _ random: inout SplitMix64) -> C.Element {
    choices[choices.index(choices.startIndex, offsetBy: random.below(choices.count))]
  }

  /// A word by Zipf's law: the second is half as frequent as the first, and so on.
  private static func pickByRank(_ words: [String], _ random: inout SplitMix64) -> String {
    let part = Double(random.below(1 << 30)) / Double(1 << 30)
    return words[min(words.count - 1, Int(exp2(part * log2(Double(words.count + 1)))) - 1)]
  }

  func englishWord(_ random: inout SplitMix64) -> String {
    Self.pickByRank(english, &random)
  }

  /// A noun, sometimes a compound of two, and often with a particle.
  func koreanWord(_ random: inout SplitMix64) -> String {
    var word = Self.pickByRank(korean, &random)
    if random.below(6) == 0 { word += Self.pickByRank(korean, &random) }
    if random.below(3) > 0 { word += Self.pick(Self.particles, &random) }
    return word
  }
}
