import Testing
import TestSupport

@testable import TerminalText
@testable import LineEditing

@Suite struct EditorScreenTests {
  /// What a terminal must show: each character in the next room for it.
  private static func naive(
    _ prompt: String, _ text: String, before: String, columns: Int
  ) -> (rows: [String], row: Int, column: Int) {
    var rows = [""]
    var column = 0
    var place = (0, 0)
    func put(_ character: Character) {
      if character == "\n" {
        rows.append("")
        column = 0
        return
      }
      let isLoneMark = character.unicodeScalars.first?.displayWidth == 0
      let isTooWide = isLoneMark || character.displayWidth > columns
      let width = isTooWide ? 1 : character.displayWidth
      if column + width > columns {
        rows.append("")
        column = 0
      }
      rows[rows.count - 1].append(isTooWide ? "?" : character)
      column += width
      if column == columns {
        rows.append("")
        column = 0
      }
    }
    prompt.forEach { put($0) }
    before.forEach { put($0) }
    place = (rows.count - 1, column)
    text.dropFirst(before.count).forEach { put($0) }
    rows = rows.map { row in
      var row = row
      while row.hasSuffix(" ") { row.removeLast() }
      return row
    }
    while rows.last == "" { rows.removeLast() }
    return (rows, place.0, place.1)
  }

  private static let letters: [Unicode.Scalar] = [
    "a", "b", " ", "가", "힣", "👩", "\u{200D}", "🇰", "🇷", "e", "\u{301}", "ㄱ", "❤", "\u{FE0F}",
  ]
  private static let keys: [Key] = [
    .left, .right, .home, .end, .wordLeft, .wordRight, .backspace, .delete, .control("K"),
    .control("U"), .control("W"), .control("Y"), .control("T"), .meta("d"), .meta("\u{7F}"),
    .control("_"), .paste("넷\nfive 여섯"), .up, .down,
  ]

  @Test(arguments: 1...40)
  func randomEditsAreShownAsTheyAre(columns: Int) {
    var generator = SeededGenerator(seed: UInt64(columns))
    for prompt in ["todo> ", "집> ", ""] {
      var editor = LineEditor(history: ["add 우유 사기", "ls\nrm 가나다라마바사"])
      var screen = EditorScreen()
      var terminal = TestScreen(columns: columns)
      let view = LineView(prompt: prompt, columns: columns, rows: 1000, usesColor: false)
      terminal.write(screen.draw(view.layout(of: editor)))
      for step in 0..<120 {
        let key: Key =
          Int.random(in: 0..<3, using: &generator) > 0
          ? .text(Self.letters.randomElement(using: &generator) ?? "a")
          : Self.keys.randomElement(using: &generator) ?? .left
        _ = editor.handle(key)
        terminal.write(screen.draw(view.layout(of: editor)))
        let expected = Self.naive(
          prompt, editor.text, before: editor.buffer.before, columns: columns)
        #expect(terminal.text == expected.rows, "step \(step), \(key)")
        #expect(terminal.row == expected.row && terminal.column == expected.column)
        #expect(terminal.violations == 0)
        if terminal.text != expected.rows { return }
      }
    }
  }

  /// A Korean line that exactly fills the row was shown as `Xadd` beside the prompt after ^A and a
  /// letter: the editor before this one was one row off.
  @Test func aKoreanLineThatFillsTheRowKeepsItsPlace() {
    var editor = LineEditor("add " + String(repeating: "가", count: 15))
    var screen = EditorScreen()
    var terminal = TestScreen(columns: 40)
    let view = LineView(prompt: "todo> ", columns: 40, rows: 24, usesColor: false)
    terminal.write(screen.draw(view.layout(of: editor)))
    #expect(terminal.row == 1 && terminal.column == 0)
    for key in [Key.control("A"), .text("X")] {
      _ = editor.handle(key)
      terminal.write(screen.draw(view.layout(of: editor)))
    }
    #expect(terminal.text == ["todo> Xadd " + String(repeating: "가", count: 14), "가"])
    #expect(terminal.row == 0 && terminal.column == 7)
  }

  @Test func theRowBelowIsTheNextOne() {
    for count in [0, 1, 4, 5, 9] {
      let editor = LineEditor(String(repeating: "x", count: count))
      var screen = EditorScreen()
      var terminal = TestScreen(columns: 5)
      let view = LineView(prompt: ">", columns: 5, rows: 9, usesColor: false)
      terminal.write(screen.draw(view.layout(of: editor, isFinished: true)) + screen.leave())
      #expect(terminal.column == 0)
      #expect(terminal.row == terminal.text.count, "\(count)")
    }
  }

  @Test(arguments: 3...39)
  func aNarrowerTerminalHasNoRestsOfTheLine(columns: Int) {
    var editor = LineEditor("add 가나다라 one two three 마바사아 자차카타파하 the end")
    for _ in 0..<(columns % 30) { _ = editor.handle(.left) }
    var screen = EditorScreen()
    var terminal = TestScreen(columns: 40)
    terminal.write("before\r\n")
    func view(_ columns: Int) -> LineView {
      LineView(prompt: "todo> ", columns: columns, rows: 100, usesColor: false)
    }
    terminal.write(screen.draw(view(40).layout(of: editor)))
    terminal.narrow(to: columns)
    let old = terminal.text[0] == "before" ? 1 : (6 + columns - 1) / columns
    terminal.write(screen.erase(columns: columns))
    terminal.write(screen.draw(view(columns).layout(of: editor)))
    let expected = Self.naive(
      "todo> ", editor.text, before: editor.buffer.before, columns: columns)
    #expect(Array(terminal.text.dropFirst(old)) == expected.rows)
    #expect(terminal.row == old + expected.row && terminal.column == expected.column)
  }

  @Test func aLineThatIsLongerThanTheScreenShowsTheCursor() {
    var editor = LineEditor(String(repeating: "가나", count: 200))
    let view = LineView(prompt: "> ", columns: 10, rows: 4, usesColor: false)
    for _ in 0..<400 {
      let layout = view.layout(of: editor)
      #expect(layout.rows.count <= 4)
      #expect(layout.cursorRow < layout.rows.count)
      _ = editor.handle(.left)
    }
    #expect(view.layout(of: editor).cursorRow == 0)
  }

  @Test func coloursAreWrittenAroundTheirWords() {
    var screen = EditorScreen()
    let view = LineView(
      prompt: "> ", columns: 40, rows: 4, usesColor: true,
      styles: { $0.map { $0 == "가" ? .green : $0 == "b" ? .bold : nil } })
    let text = screen.draw(view.layout(of: LineEditor("a 가가 b")))
    #expect(text.contains("> a \u{1B}[32m가가\u{1B}[0m \u{1B}[1mb\u{1B}[0m"))
  }

  @Test func aSuggestionIsGreyAndOnlyWithColour() {
    for usesColor in [true, false] {
      var editor = LineEditor(history: ["add 우유 !h"], suggests: usesColor)
      for scalar in "add".unicodeScalars { _ = editor.handle(.text(scalar)) }
      var screen = EditorScreen()
      let view = LineView(prompt: "> ", columns: 40, rows: 4, usesColor: usesColor)
      let text = screen.draw(view.layout(of: editor))
      #expect(text.contains("\u{1B}[2m 우유 !h\u{1B}[0m") == usesColor)
      #expect(text.hasSuffix("\r\u{1B}[5C"))
    }
  }
}
