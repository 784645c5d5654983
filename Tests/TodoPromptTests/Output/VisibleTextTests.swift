import Testing

@testable import TodoPrompt

@Suite struct VisibleTextTests {
  @Test func whatWouldDriveATerminalIsWrittenOut() {
    #expect("\u{1B}]0;owned\u{7}".visible == "\\u{1b}]0;owned\\u{7}")
    #expect("a\nb\tc\rd".visible == "a\\nb\\tc\\u{d}d")
    #expect("\u{9B}31m\u{202E}x".visible == "\\u{9b}31m\\u{202e}x")
    #expect("\u{61C}1".visible == "\\u{61c}1")
    #expect("a\nb\u{1B}".visibleLines == "a\nb\\u{1b}")
  }

  @Test(arguments: ["", "plain", "보고서", "\u{1112}\u{1161}\u{11AB}", "👨‍👩‍👧 🇰🇷 é", "back\\slash"])
  func everythingElseStays(text: String) {
    #expect(Array(text.visible.unicodeScalars) == Array(text.unicodeScalars))
  }
}
