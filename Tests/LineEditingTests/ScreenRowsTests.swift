import TestSupport
import Testing

@testable import LineEditing

@Suite struct ScreenRowsTests {
  /// A terminal shows the rows after each drawing, whatever they were before.
  @Test func theTerminalShowsTheRows() {
    var generator = SeededGenerator()
    let texts = ["", "a", "우유 사기", "milk and bread", "\u{1B}[1mbold\u{1B}[0m", "한", "👨‍👩‍👧 x"]
    for _ in 0..<200 {
      let height = Int.random(in: 1...8, using: &generator)
      var screen = TestScreen(columns: 20, height: height)
      var rows = ScreenRows()
      for _ in 0..<10 {
        let wanted = (0..<Int.random(in: 0...height, using: &generator)).map { _ in
          texts.randomElement(using: &generator) ?? ""
        }
        if Bool.random(using: &generator) { rows.forget() }
        screen.write(rows.draw(wanted))
        var plain = wanted.map {
          $0.replacing("\u{1B}[1m", with: "").replacing("\u{1B}[0m", with: "")
        }
        while plain.last == "" { plain.removeLast() }
        #expect(screen.text == plain, "seed \(generator.seed)")
        #expect(screen.violations == 0)
      }
    }
  }

  @Test func whatIsTheSameIsNotWrittenAgain() {
    var rows = ScreenRows()
    _ = rows.draw(["one", "two", "three"])
    #expect(rows.draw(["one", "two", "three"]) == "")
    #expect(rows.draw(["one", "2", "three"]) == "\u{1B}[2;1H2\u{1B}[K")
    #expect(rows.draw(["one"]) == "\u{1B}[2;1H\u{1B}[K\u{1B}[3;1H\u{1B}[K")
  }
}
