import Testing

@testable import Croft

/// A search as a value: what is typed, where it is found, and excerpts.
@Suite struct TextSearchTests {
  @Test(arguments: [
    ("mil", "mil*"), ("우유 자 ", "우유 자*"), ("", ""), (" \n ", " \n "), ("a*", "a**"),
    ("\"red ca", "\"red ca*"),
    ("\"red ca\" ", "\"red ca\"*"),
  ])
  func theLastTermIsOpenWhileItIsTyped(_ typed: String, _ query: String) {
    #expect(TextSearch(typed, .asTyped).query == query)
    #expect(TextSearch(typed).query == typed)
  }

  @Test func whatIsTypedFindsWhatItLeadsTo() {
    #expect(TextSearch("red ca", .asTyped).matches("red cars"))
    #expect(!TextSearch("re car", .asTyped).matches("red cars"))
    #expect(TextSearch("\"red ca", .asTyped).matches("red cars"))
    #expect(TextSearch("\"red ca\"", .asTyped).matches("red cars"))
    #expect(TextSearch("우유 -", .asTyped).matches("우유"))
    #expect(TextSearch("a OR b", .asTyped).matches("bread"))
    #expect(TextSearch("", .asTyped).matches("a"))
    #expect(TextSearch("a*", .asTyped).matches("abc"))
  }

  private func marked(_ query: String, _ text: String) -> String {
    var (line, read) = ("", text.startIndex)
    for range in TextSearch(query).ranges(in: text) {
      line += text[read..<range.lowerBound] + "[" + text[range] + "]"
      read = range.upperBound
    }
    return line + text[read...]
  }

  @Test(arguments: [
    ("우유", "바나나우유를 사고 우유", "바나나[우유]를 사고 [우유]"), ("장보기", "내일 장 보기를", "내일 [장 보기]를"),
    ("ㅇㅇ", "우유와 아이", "[우유]와 [아이]"), ("sal*", "Sales, salt, a sal", "[Sales], [salt], a [sal]"),
    ("\"red car\"", "A red, Car.", "A [red, Car]."), ("우유 빵", "우유만", "[우유]만"),
    ("우유 -빵", "우유와 빵", "[우유]와 빵"),
    ("아아", "아아아", "[아아아]"), ("가나 나다", "가나다", "[가나다]"), ("우유", "우유우유", "[우유][우유]"),
    ("cafe", "un cafe\u{301} noir", "un [cafe\u{301}] noir"),
    ("한국", "\u{1112}\u{1161}\u{11AB}국어", "[\u{1112}\u{1161}\u{11AB}국]어"),
    ("👩", "👨‍👩‍👧!", "[👨‍👩‍👧]!"), ("❤", "나❤️너", "나[❤️]너"), ("ガ", "ｶﾞｽ", "[ｶﾞ]ｽ"), ("ㄱ", "ㄳ", "[ㄳ]"),
    ("ab", "a\u{AD}b c", "[a\u{AD}b] c"), ("ss", "ß", "[ß]"), ("a OR b", "b a", "[b] [a]"),
    ("", "a", "a"),
    ("!!", "!!", "!!"), ("웅*", "우유 웅덩이", "[우유] [웅]덩이"),
  ])
  func rangesAreThoseOfTheText(_ query: String, _ text: String, _ wanted: String) {
    #expect(marked(query, text) == wanted)
  }

  @Test(arguments: [
    ("우유", "바나나우유를 사고", 20, "바나나[우유]를 사고"),
    ("우유", "아침에는 바나나우유를 한 병 사고 빵을 산다", 12, "…바나나[우유]를 한 병…"),
    ("b", "a b c", 1, "…[b]…"), ("none", "The first line\nis long", 10, "The first …"),
    ("end", "one two three end", 9, "…three [end]"),
    ("one", "one\ttwo\n\nthree", 9, "[one] two  …"),
    ("\"a b c d\"", "x a b c d y", 3, "…[a b]…"),
    ("x y", "x 1 2 3 4 5 6 7 8 y x 9", 5, "…[y] [x] …"),
    ("a", "", 5, ""), ("👩", "👨‍👩‍👧👨‍👩‍👧", 1, "[👨‍👩‍👧]…"),
  ])
  func anExcerptHasMostOfWhatIsFound(
    _ query: String, _ text: String, _ count: Int, _ wanted: String
  ) {
    let excerpt = TextSearch(query).excerpt(of: text, characters: count)
    var (line, read) = ("", excerpt.text.startIndex)
    for range in excerpt.ranges {
      line += excerpt.text[read..<range.lowerBound] + "[" + excerpt.text[range] + "]"
      read = range.upperBound
    }
    #expect(line + excerpt.text[read...] == wanted)
  }

  @Test func anExcerptOfNoCharactersIsAMistake() async {
    await #expect(processExitsWith: .failure) {
      _ = TextSearch("a").excerpt(of: "a", characters: 0)
    }
  }
}
