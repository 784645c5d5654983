import Testing

@Suite("SwiftLexer")
struct SwiftLexerTests {
  @Test(arguments: [
    ("a // b", "a     "),
    ("a /* b /* c */ d */ e", "a                   e"),
    (#"f("a") // "b""#, #"f(" ")       "#),
    (#"f("\"") + g"#, #"f("  ") + g"#),
    (#"f("\(g("h"))i") + j"#, #"f(" (g(" "))  ") + j"#),
    (##"f(#"a" \n \#(g)"#, b)"##, ##"f(#"        (g)"#, b)"##),
    ("#if DEBUG", "#if DEBUG"),
    ("x = \"open\ny = 1", "x = \"    \ny = 1"),
    ("\"\"\"\n a\"b \\(c)\n \"\"\" d", "\"\"\"\n     (c)\n \"\"\" d"),
  ])
  func onlyCodeIsLeft(source: String, code: String) {
    #expect(SwiftLexer.code(of: source).utf8.count == source.utf8.count)
    #expect(
      SwiftLexer.code(of: source).split(separator: " ") == code.split(separator: " "))
  }

  @Test func textOfAnyScriptKeepsItsLines() {
    let source = "/// 할일을 입력해주세요!\nlet a = \"높음\" // ✓\nlet b = 1\n"
    let code = SwiftLexer.code(of: source)
    #expect(code.split(separator: "\n", omittingEmptySubsequences: false).count == 4)
    #expect(code.contains("let b = 1"))
    #expect(!code.contains("높음"))
  }
}
