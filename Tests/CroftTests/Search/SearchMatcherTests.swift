import TestSupport
import Testing

@testable import Croft

/// A search matches what the laws say, and its plain twin.
@Suite struct SearchMatcherTests {
  @Test func searchesMatchAsTheirTwinDoes() {
    var random = SeededGenerator.forTest("SearchMatcherTests")
    var hits = 0
    for _ in 0..<6_000 {
      let text = random.searchedText()
      let query = random.search(in: text)
      let matches = TextSearch(query).matches(text)
      hits += matches ? 1 : 0
      let twin = NaiveSearch(query)
      #expect(matches == twin.matches(text), "seed \(random.seed): \(query) in \(text)")
      check(TextSearch(query), twin, in: text, random.seed)
    }
    #expect(hits > 2_000)
  }

  @Test func anyTextsAreSearched() {
    var random = SeededGenerator.forTest("SearchMatcherTests")
    for _ in 0..<4_000 {
      let utf8 = random.spelledText()
      let text = String(decoding: utf8, as: UTF8.self)
      let query =
        random.oneIn(2)
        ? random.search(in: text) : String(decoding: random.spelledText(), as: UTF8.self)
      let search = TextSearch(query, random.oneIn(2) ? .asTyped : .complete)
      let twin = NaiveSearch(search.query)
      let matcher = TextMatcher(TextPattern(search))
      let matches = utf8.withUnsafeBytes { matcher.matches($0) }
      #expect(matches == twin.matches(text), "seed \(random.seed): \(query) in \(utf8)")
      check(search, twin, in: text, random.seed)
      let excerpt = search.excerpt(of: text, characters: 1 + random.below(12))
      for range in excerpt.ranges { #expect(!excerpt.text[range].isEmpty) }
    }
  }

  /// Ranges ascend, are apart and not empty, and are those of the twin where characters fold one by one.
  private func check(_ search: TextSearch, _ twin: NaiveSearch, in text: String, _ seed: UInt64) {
    let ranges = search.ranges(in: text)
    let found = twin.occurrences(in: text)
    #expect(ranges.isEmpty == found.isEmpty, "seed \(seed): \(search.query) in \(text)")
    for (range, next) in zip(ranges, ranges.dropFirst()) {
      #expect(range.upperBound <= next.lowerBound, "seed \(seed): \(search.query) in \(text)")
    }
    for range in ranges {
      #expect(!text[range].isEmpty, "seed \(seed): \(search.query) in \(text)")
    }
    let folded = text.map { NaiveSearch.folded(String($0)) }
    // Once a mark between them is gone, 가 and a last consonant are one syllable of two characters, and so
    // are ᄀ and a syllable, which then are marked together.
    let bare = text.unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }
    guard folded.allSatisfy({ $0.unicodeScalars.count == 1 }),
      NaiveSearch.folded(text).unicodeScalars.elementsEqual(folded.flatMap(\.unicodeScalars)),
      String(String.UnicodeScalarView(bare)).count == text.count
    else { return }
    // The units' places are those of their scalars.
    var (places, place): ([Range<Int>], Int) = ([], 0)
    for scalar in folded.flatMap(\.unicodeScalars) {
      let kind = UnitClass.of(scalar.value)
      let continues = kind == .word && place > 0 && places.last?.upperBound == place
      let before = place > 0 ? folded[place - 1].unicodeScalars.first : nil
      if continues, before.map({ UnitClass.of($0.value) }) == .word {
        places[places.count - 1] = places[places.count - 1].lowerBound..<place + 1
      } else if kind == .word || kind == .character {
        places.append(place..<place + 1)
      }
      place += 1
    }
    var isFound = [Bool](repeating: false, count: text.count)
    for units in found {
      for place in places[units.lowerBound].lowerBound..<places[units.upperBound - 1].upperBound {
        isFound[place] = true
      }
    }
    var isMarked = [Bool](repeating: false, count: text.count)
    for (place, index) in text.indices.enumerated() {
      isMarked[place] = ranges.contains { $0.contains(index) }
    }
    #expect(isMarked == isFound, "seed \(seed): \(search.query) in \(text)")
  }

  // MARK: - The laws

  @Test(arguments: [
    // Parts of words in Hangul, whole words in Latin.
    ("우유", "바나나우유를", true), ("바나나", "바나나우유를", true), ("ilk", "Milk", false),
    ("MILK", "milk!", true),
    ("resume", "Résumé", true), ("résumé", "RESUME", true), ("아이폰", "iPhone을", false),
    ("iphone", "iPhone을", true), ("iphone을", "iPhone을", true), ("3월", "3월 1일", true),
    ("월", "3월", true),
    // All terms must hold, in any order.
    ("우유 빵", "빵과 우유", true), ("우유 빵", "우유", false), ("장 보기", "장보기", true),
    // Spaces that the text has and the query has not, from a word's start only.
    ("장보기", "장 보기를", true), ("장보기", "내일 장  보기", true), ("과일", "사과 일", false), ("과일", "과 일", true),
    ("장보기", "장, 보기", false), ("장보기", "시장 보기", false), ("redcar", "red car", false),
    ("iphone을", "iphone 을", false), ("ㅋㅋ", "ㅋ ㅋ", true),
    // What the query separates.
    ("\"red car\"", "a red, car", true), ("\"red car\"", "car red", false),
    ("e-mail", "E Mail", true),
    ("e-mail", "email", false), ("\"장 보기\"", "장보기", true), ("\"장 보기\"", "장을 보기", false),
    ("“red car”", "red car", true), ("\"red", "red car", true), ("\"red ca*\"", "red cars", true),
    ("\"red ca\"*", "red cars", true), ("\"red ca\"", "red cars", false),
    // Beginnings.
    ("mil*", "milk", true), ("mil*", "a mil", true), ("ilk*", "milk", false), ("자*", "잫", true),
    ("자*", "재", false), ("고*", "과일", true), ("고*", "괘", true), ("과*", "고", false),
    ("웅*", "우유", true),
    ("웅*", "웅덩이", true), ("웅*", "우산", false), ("웅", "우유", false), ("닭*", "달걀", true),
    ("달*", "닭", true),
    ("닭*", "달라", false), ("갔*", "가싸", true), ("각*", "갃", true), ("각*", "가까", false),
    ("간*", "가 나", true),
    ("*", "a", false), ("m*k", "milk", false), ("m*k", "m k", true),
    // Initials, from a word's start.
    ("ㅇㅇ", "우유", true), ("ㅇ", "바나나우유", false), ("우ㅇ", "바나나우유", true), ("ㅂㄴㄴㅇㅇ", "바나나 우유", true),
    ("ㄴㅇ", "바나나우유", false), ("ㅋㅋ", "재밌다ㅋㅋ", true), ("ㅈㅁㄷ", "재밌다ㅋㅋ", true), ("ㅋ", "크다", true),
    ("ㄳ", "감사", true), ("ㄱㅅ", "ㄳ합니다", true), ("ㄳ", "ㄱㅅ", true), ("ㅇ유", "바나나우유", true),
    ("ㄲ", "가", false),
    ("\u{1100}\u{1109}", "감사", true), ("ﾡﾵ", "감사", true),
    // Forms.
    ("한", "\u{1112}\u{1161}\u{11AB}", true), ("\u{1112}\u{1161}\u{11AB}", "한국", true),
    ("ABC", "ａｂｃ", true), ("ガ", "ｶﾞ", true), ("か", "カ", false), ("👍", "좋아👍🏽요", true),
    ("👍🏽", "👍", true),
    ("❤", "❤️", true), ("👩", "👨‍👩‍👧", true), ("محمد", "محـــمد", true), ("東京", "東京都", true),
    ("京都", "東京都", true),
    ("あ\u{0}い", "あ い", true), ("a\u{0}b", "a b", true), ("ไทย", "ประเทศไทย", true),
    // Exclusion and alternatives.
    ("우유 -빵", "우유", true), ("우유 -빵", "우유와 빵", false), ("-우유", "빵", true),
    ("-\"red car\"", "red car", false),
    ("우유 OR 빵", "빵", true), ("우유 OR 빵", "물", false), ("물 우유 OR 빵", "물과 빵", true),
    ("물 우유 OR 빵", "빵", false), ("a OR b OR c", "c", true), ("a OR -b", "c", true),
    ("OR a", "a", false),
    ("OR a", "a or b", true), ("a OR", "a or", true), ("a OR", "a", false), ("a or b", "b", false),
    ("\"OR\"", "or", true), ("a OR OR", "or", true),
    // Terms without units, and queries without terms.
    ("!!!", "!!!", false), ("-!!!", "a", true), ("", "", true), (" \n", "a", true),
    ("-", "a", true),
    ("\"\"", "a", false), ("a -", "a", true),
  ])
  func aSearchHolds(_ query: String, in text: String, _ holds: Bool) {
    #expect(TextSearch(query).matches(text) == holds)
    #expect(NaiveSearch(query).matches(text) == holds)
  }

  @Test func eachStateOfAKeyboardFindsTheWord() {
    var random = SeededGenerator.forTest("TypedKeys")
    let words = [
      "우유", "장보기", "웅덩이", "과일", "닭갈비", "없애다", "괜찮아", "의자", "뷁", "많이", "까치", "갔다", "값어치", "꽈배기",
      "화요일", "월요일", "훑어보기", "앉은뱅이",
    ]
    for word in words + (0..<200).map({ _ in random.hangulWord() }) {
      for text in [word, "내일 \(word)를 사다", "\(word)와 3", "a\(word)"] {
        for state in TypedKeys.states(of: word) {
          let found = TextSearch(state, .asTyped).matches(text)
          #expect(found, "seed \(random.seed): \(state) on the way to \(word) in \(text)")
        }
      }
    }
    #expect(TypedKeys.states(of: "우유") == ["ㅇ", "우", "웅", "우유"])
    #expect(TypedKeys.states(of: "닭이") == ["ㄷ", "다", "달", "닭", "닭ㅇ", "닭이"])
    #expect(TypedKeys.states(of: "과") == ["ㄱ", "고", "과"])
  }

  @Test(arguments: [62, 63, 64, 65, 66, 67, 200])
  func ofALongWordTheFirstBytesCount(_ count: Int) {
    let word = String(repeating: "a", count: count - 1)
    let isSame = count > 64
    #expect(TextSearch(word + "b").matches(word + "c") == isSame)
    #expect(TextSearch(word + "b*").matches(word + "cde") == isSame)
    // A scalar of several bytes counts whole or not at all.
    let isCut = word.utf8.count + 2 > 64
    #expect(TextSearch(word + "б").matches(word + "д") == isCut)
    #expect(TextSearch(word + "б").matches(word) == isCut)
  }

  @Test(arguments: [1, 2, 63, 64, 65, 127, 128, 129, 200])
  func aPatternMayHaveAnyLength(_ count: Int) {
    var random = SeededGenerator.forTest("SearchMatcherTests")
    let phrase = (0..<count).map { _ in random.pick(["가", "나", "a", "b"]) }
    let text = phrase.joined(separator: " ")
    let search = TextSearch("\"\(text)\"")
    let place = text.index(text.startIndex, offsetBy: 2 * random.below(count))
    let other = text[..<place] + "다" + text[place...].dropFirst()
    #expect(search.matches("가 \(text) 나"), "seed \(random.seed)")
    #expect(!search.matches(String(other)), "seed \(random.seed)")
    let around = "x \(text), y"
    #expect(search.ranges(in: around).map { String(around[$0]) } == [text])
    // Written together, and with spaces in the text: from a word's start.
    let glued = (0..<count).map { _ in random.pick(["가", "나"]) }.joined()
    let spaced = glued.map { String($0) }.joined(separator: " ")
    #expect(TextSearch(glued).matches("나 \(spaced)"), "seed \(random.seed)")
    #expect(TextSearch(glued).matches("다\(spaced)") == (count == 1), "seed \(random.seed)")
    #expect(TextSearch(glued).matches("다\(glued)"), "seed \(random.seed)")
  }

  /// A search that began again after each failed match would take hours.
  @Test func longTextsThatNearlyMatchAreReadOnce() {
    let text = String(repeating: "가", count: 350_000)
    let nearly = TextSearch(String(repeating: "가", count: 640) + "나")
    #expect(!nearly.matches(text))
    #expect(nearly.matches(text + "나"))
    let spaces = String(repeating: "가" + String(repeating: " ", count: 60), count: 16_000)
    #expect(!TextSearch("가가가가가나").matches(spaces))
    #expect(TextSearch("가가가").ranges(in: String(text.prefix(40_000))).count == 1)
    let word = String(repeating: "é", count: 500_000)
    #expect(!TextSearch("e").matches(word))
    #expect(TextSearch("e*").matches(word))
  }

  /// The distance to the far match was counted again for each of the near ones.
  @Test func anExcerptOfATextWithADistantMatchIsMadeInOnePass() {
    let near = String(repeating: "가 ", count: 5_000)
    let text = near + String(repeating: "나", count: 1_000_000) + " 가"
    let excerpt = TextSearch("가").excerpt(of: text, characters: 10_000)
    #expect(excerpt.ranges.count == 5_000)
    #expect(excerpt.text == near + "…")
  }
}

extension SeededGenerator {
  fileprivate mutating func hangulWord() -> String {
    (0..<1 + below(4)).map { _ in
      String(Unicode.Scalar(0xAC00 + UInt32(below(11_172))) ?? "가")
    }.joined()
  }
}
