/// The words of one script or language that titles are made of, and what is searched for in them.
///
/// All of it is in normalisation form C: every letter with its marks is one scalar.
package struct Vocabulary: Sendable {
  /// The words, small.
  let words: [String]
  /// What titles are searched for: a word of the list, two of them, and one that is in no title.
  let searched: [String]
  /// The same with case and diacritics folded.
  let searchedFolded: [String]

  /// Titles of two to four words, each of them small, capitalised or in capitals.
  package func titles(_ count: Int) -> [String] {
    var random = SplitMix64(seed: Dataset.seed)
    return (0..<count).map { _ in
      let length = 2 + random.below(3)
      return (0..<length).map { _ in word(&random) }.joined(separator: " ")
    }
  }

  private func word(_ random: inout SplitMix64) -> String {
    let word = words[random.below(words.count)]
    return switch random.below(4) {
    case 0: word.uppercased()
    case 1: word.prefix(1).uppercased() + word.dropFirst()
    default: word
    }
  }

  /// English words.
  package static let ascii = Vocabulary(
    words: [
      "river", "garden", "winter", "letter", "mountain", "silver", "window", "summer", "forest",
      "island", "shadow", "morning", "harbour", "village", "station", "market", "bridge", "castle",
      "journey", "evening", "old", "small", "quiet", "lost", "golden", "night", "stone",
      "house", "road", "sea", "song",
    ],
    searched: ["forest", "old harbour", "elephant"],
    searchedFolded: ["FOREST", "Old Harbour", "Elephant"])

  /// Korean words, which have neither case nor marks.
  package static let korean = Vocabulary(
    words: [
      "강물", "정원", "겨울", "편지", "산길", "은빛", "창문", "여름", "숲속", "섬마을", "그림자", "아침", "항구",
      "마을", "기차역", "시장", "다리", "성벽", "여행", "저녁", "푸른", "오래된", "작은", "조용한", "잃어버린", "황금",
      "밤하늘", "돌담", "고향집", "바닷길", "바다", "노래",
    ],
    searched: ["숲속", "오래된 항구", "코끼리"],
    searchedFolded: ["숲속", "오래된 항구", "코끼리"])

  /// French words, about half of them with marks.
  package static let french = Vocabulary(
    words: [
      "rivière", "jardin", "hiver", "lettre", "montagne", "argenté", "fenêtre", "été", "forêt",
      "île", "ombre", "matinée", "port", "village", "gare", "marché", "pont", "château", "voyage",
      "soirée", "vieux", "âgé", "léger", "façade", "perdu", "doré", "nuit", "pierre", "maison",
      "chaussée", "mer", "mélodie",
    ],
    searched: ["forêt", "vieux château", "éléphant"],
    searchedFolded: ["FORET", "Vieux Chateau", "Elephant"])
}
