import Testing

@testable import TodoPrompt

@Suite struct LineTokenizerTests {
  @Test(arguments: [
    ("", []),
    ("  add \t milk  ", ["add", "milk"]),
    (#"add "two  words" x"#, ["add", "two  words", "x"]),
    (#"add 'it "is" so'"#, ["add", #"it "is" so"#]),
    (#"add """#, ["add", ""]),
    ("add don't 19\" a\"b\"", ["add", "don't", "19\"", "a\"b\""]),
    (#"add "Work", shall"#, ["add", "Work,", "shall"]),
    (#"ls --db="my file""#, ["ls", "--db=my file"]),
    (#"add due:"next fri" @'집안 일' #"two words""#, ["add", "due:next fri", "@집안 일", "#two words"]),
    (#"add me@"x y" due:x"y z""#, ["add", "me@\"x", "y\"", "due:x\"y", "z\""]),
    (#"add x="y z""#, ["add", "x=\"y", "z\""]),
    (#"add two\ words \"x\" C:\temp \\n"#, ["add", "two words", "\"x\"", #"C:\temp"#, #"\n"#]),
    (#"add "a \"b\" \\ \n""#, ["add", #"a "b" \ \n"#]),
    (#"add 'a\'"#, ["add", #"a\"#]),
    ("add 보고서 쓰기", ["add", "보고서", "쓰기"]),
    ("\u{3000}add\u{3000}보고서\u{3000} 쓰기\u{3000}", ["add", "보고서", "쓰기"]),
    ("add \"한\u{3000}칸\" 〈〉", ["add", "한\u{3000}칸", "〈〉"]),
    ("\u{3000}# a comment", []),
    ("add \u{1112}\u{1161}\u{11AB} 👨‍👩‍👧", ["add", "\u{1112}\u{1161}\u{11AB}", "👨‍👩‍👧"]),
  ])
  func partsWords(line: String, words: [String]) {
    let parsed = LineTokenizer(line)
    #expect(parsed.words.map { Array($0.utf8) } == words.map { Array($0.utf8) })
    #expect(parsed.opening == nil)
  }

  @Test func aQuoteThatNeverClosesIsAnOrdinaryCharacterAndAsksForMore() {
    let line = LineTokenizer(#"add "two words --pri h"#)
    #expect(line.words == ["add", "\"two", "words", "--pri", "h"])
    #expect(line.opening == .quote)
    #expect(line.joining(#"add "two"#, with: #"words" !h"#) == #"add "two words" !h"#)
  }

  @Test func aBackslashAtTheEndJoinsTheNextLine() {
    let line = LineTokenizer(#"add milk and \"#)
    #expect(line.words == ["add", "milk", "and"])
    #expect(line.opening == .backslash)
    #expect(line.joining(#"add milk and \"#, with: "bread") == "add milk and bread")
    #expect(LineTokenizer(#"add \\"#).opening == nil)
  }

  @Test(arguments: [
    ("", true), ("  \t", true), ("# x", true), ("  #x", true), ("add #x", false),
    (##"# it "opens a quote"##, true), (#"# \"#, true), (#"\"#, false), (#""""#, false),
  ])
  func knowsLinesWithNothingToDo(line: String, isBlank: Bool) {
    #expect(LineTokenizer(line).isBlankOrComment == isBlank)
  }
}
