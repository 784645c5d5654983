import Testing
import TestSupport

@testable import TerminalText
@testable import TodoPrompt

@Suite struct TextWrappingTests {
  @Test(arguments: [
    ("one two three", 7, "one two\nthree"), ("  one two three", 8, "  one\n  two\n  three"),
    ("one", 3, "one"), ("", 5, ""), ("a\n\nb", 5, "a\n\nb"), ("abcdefgh", 3, "abc\ndef\ngh"),
    ("장보기 하기", 6, "장보기\n하기"), ("장보기", 5, "장보\n기"), ("ab 장보기", 4, "ab\n장보\n기"),
  ])
  func breaksBetweenWords(text: String, columns: Int, lines: String) {
    #expect(text.wrapped(to: columns) == lines)
  }

  @Test func aBrokenLineHangs() {
    #expect("key  one two three".wrapped(to: 12, hanging: 5) == "key one two\n     three")
  }

  /// Every line fits, and no character is lost, whatever the text.
  @Test func everyLineFitsAndNothingIsLost() {
    var generator = SeededGenerator()
    let pieces = ["a", "bc", "장", "보기", " ", "  ", "👨‍👩‍👧", "e\u{301}", "\n", "x"]
    for _ in 0..<500 {
      let count = Int.random(in: 0..<30, using: &generator)
      let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
      let columns = Int.random(in: 2...20, using: &generator)
      let wrapped = text.wrapped(to: columns)
      let comment: Comment = "\(text.debugDescription), \(columns), seed \(generator.seed)"
      func isBlank(_ character: Character) -> Bool { character.isWhitespace }
      for line in wrapped.split(separator: "\n") where !line.allSatisfy(isBlank) {
        #expect(String(line).displayWidth <= columns, comment)
      }
      #expect(wrapped.filter { !isBlank($0) } == text.filter { !isBlank($0) }, comment)
    }
  }

  /// What a terminal of 80 columns shows of help has no line that it would break itself.
  @Test(arguments: Grammar.commands.map { $0.name } + [""])
  func helpFits(verb: String) throws {
    for language in ["ko", "en"] {
      for columns in [80, 40, 20] {
        let terminal = try TestTerminal(columns: columns)
        let words = ["--lang", language, "help"] + (verb.isEmpty ? [] : [verb])
        let text = terminal.run(words).output
        #expect(!text.isEmpty)
        for line in text.split(separator: "\n") {
          #expect(String(line).displayWidth <= columns, "\(language): \(line)")
        }
      }
    }
  }
}
