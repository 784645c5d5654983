import Testing
import TestSupport

@testable import Croft

@Suite struct TextKeyCaseFoldingTests {
  @Test(arguments: [
    ["STRASSE", "strasse", "straße", "STRAẞE", "Straße"],
    ["ΟΔΟΣ", "οδος", "οδοσ"], ["É", "é", "E\u{301}", "e\u{301}"], ["K", "k", "\u{212A}"],
    ["İ", "i\u{307}", "I\u{307}"], ["ﬀ", "FF", "ff"], ["ŉ", "ʼN", "ʼn"], ["ᾳ", "ΑΙ", "αι"],
    ["Ꮳ", "ꮳ"], ["", ""],
  ])
  func textsThatDifferInCaseAreOne(texts: [String]) {
    #expect(Set(texts.map { TextKey.caseFolded($0) }).count == 1)
  }

  @Test func textsThatDifferInMoreStayApart() {
    let texts = ["i", "ı", "ss", "s", "e", "é", "한", "한\u{3131}", "a", "ä", "å"]
    #expect(Set(texts.map { TextKey.caseFolded($0) }).count == texts.count)
  }

  @Test func foldingTwiceIsFoldingOnce() {
    var random = SeededGenerator.forTest("TextKeyCaseFoldingTests")
    for _ in 0..<2_000 {
      let text = random.text(longest: 6)
      let folded = TextKey.caseFolded(text)
      #expect(TextKey.caseFolded(folded).utf8.elementsEqual(folded.utf8), "\(random.seed): \(text)")
      #expect(TextKey.caseFolded(TextKey.canonicalComposition(of: text)) == folded)
    }
  }
}
