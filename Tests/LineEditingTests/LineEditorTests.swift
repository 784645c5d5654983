import Testing

@testable import LineEditing

@Suite struct LineEditorTests {
  /// The line after keys, with `|` at the cursor.
  private func line(
    _ text: String = "", _ keys: Key..., history: [String] = [], suggests: Bool = false
  ) -> String {
    var editor = LineEditor(text, history: history, suggests: suggests)
    for key in keys { _ = editor.handle(key) }
    return editor.buffer.before + "|" + editor.buffer.after
  }

  @Test func movesAndErasesByCharacters() {
    #expect(line("가나", .left) == "가|나")
    #expect(line("a👩‍👩‍👧🇰🇷", .left, .left) == "a|👩‍👩‍👧🇰🇷")
    #expect(line("a👩‍👩‍👧", .backspace) == "a|")
    #expect(line("abc", .home, .delete, .right) == "b|c")
    #expect(line("abc", .control("A"), .control("D"), .control("E")) == "bc|")
    #expect(line("e", .text("\u{301}"), .backspace) == "|")
  }

  @Test func movesAndKillsByWords() {
    #expect(line("add 우유 사기", .meta("b")) == "add 우유 |사기")
    #expect(line("add 우유 사기", .wordLeft, .wordLeft, .wordRight) == "add 우유| 사기")
    #expect(line("add due:fri", .control("W")) == "add |")
    #expect(line("add due:fri", .meta("\u{7F}")) == "add due:|")
    #expect(line("add x", .home, .meta("d")) == "| x")
    #expect(line("add x", .home, .right, .control("K")) == "a|")
    #expect(line("add x", .left, .control("U")) == "|x")
  }

  @Test func killsInARowAreOneAndAreYanked() {
    #expect(line("one two", .control("W"), .control("W"), .control("Y")) == "one two|")
    #expect(line("one two", .control("W"), .home, .control("Y")) == "two|one ")
  }

  @Test func transposesAndUndoes() {
    #expect(line("ab", .control("T")) == "ba|")
    #expect(line("가나다", .left, .control("T")) == "가다나|")
    #expect(line("a", .control("T")) == "a|")
    #expect(line("x", .text("a"), .text("b"), .control("_")) == "x|")
    #expect(line("x", .control("U"), .control("_")) == "x|")
  }

  @Test func controlDEndsOnlyAnEmptyLine() {
    var editor = LineEditor()
    #expect(editor.handle(.control("D")) == .end)
    editor = LineEditor("x")
    #expect(editor.handle(.control("D")) == .bell)
    #expect(editor.handle(.control("C")) == .interrupt(hadText: true))
    editor = LineEditor("x")
    _ = editor.handle(.backspace)
    #expect(editor.handle(.control("C")) == .interrupt(hadText: false))
  }

  @Test func goesBackInTheHistoryAndForwardToTheDraft() {
    let history = ["one", "two"]
    #expect(line("", .up, history: history) == "two|")
    #expect(line("", .up, .up, .up, history: history) == "one|")
    #expect(line("", .up, .control("P"), .down, .control("N"), history: history) == "|")
  }

  /// Up showed the newest line whatever had been typed.
  @Test func upFindsLinesThatBeginWithWhatWasTyped() {
    let history = ["add milk", "ls", "add bread", "help"]
    #expect(line("add", .up, history: history) == "add bread|")
    #expect(line("add", .up, .up, history: history) == "add milk|")
    #expect(line("add", .up, .up, .up, history: history) == "add milk|")
    #expect(line("add", .up, .up, .down, history: history) == "add bread|")
    #expect(line("add", .up, .up, .down, .down, history: history) == "add|")
    #expect(line("x", .up, history: history) == "x|")
  }

  /// A text that nobody typed, such as an item at `edit>`, begins no line that Up looks for.
  @Test func upReplacesAGivenTextByAnyLineOfTheHistory() {
    var editor = LineEditor("milk !high", isGiven: true, history: ["milk !h due:tomorow"])
    _ = editor.handle(.up)
    #expect(editor.text == "milk !h due:tomorow")
    _ = editor.handle(.down)
    #expect(editor.text == "milk !high")
  }

  @Test func controlXAndControlEOpenTheEditor() {
    var editor = LineEditor("add")
    #expect(editor.handle(.control("X")) == .redraw)
    #expect(editor.handle(.control("E")) == .openEditor)
    editor.replace(with: "add milk")
    #expect(editor.text == "add milk")
    #expect(editor.handle(.control("_")) == .redraw && editor.text == "add")
    _ = editor.handle(.control("X"))
    #expect(editor.handle(.text("x")) == .bell && editor.text == "add")
  }

  @Test func aPasteIsTextUntilEnter() {
    var editor = LineEditor()
    #expect(editor.handle(.paste("add a !h\nadd b !h\n")) == .redraw)
    #expect(editor.text == "add a !h\nadd b !h\n")
    #expect(editor.handle(.enter) == .submit)
  }

  @Test func searchesBackwards() {
    var editor = LineEditor("draft", history: ["add 우유", "ls", "add 빵", "help"])
    func type(_ text: String) {
      for scalar in text.unicodeScalars { _ = editor.handle(.text(scalar)) }
    }
    _ = editor.handle(.control("R"))
    type("add")
    #expect(editor.text == "add 빵")
    _ = editor.handle(.control("R"))
    #expect(editor.text == "add 우유")
    _ = editor.handle(.control("R"))
    #expect(editor.search?.isFailed == true)
    _ = editor.handle(.control("C"))
    #expect(editor.text == "draft" && editor.search == nil)
    _ = editor.handle(.control("R"))
    type("우")
    #expect(editor.handle(.enter) == .submit)
    #expect(editor.text == "add 우유")
  }

  @Test func aSuggestionIsAcceptedAtTheEndOfTheLine() {
    let history = ["add bread", "add 우유 사기", "ls"]
    #expect(line("add", .right, history: history, suggests: true) == "add 우유 사기|")
    #expect(line("add", .control("E"), history: history, suggests: true) == "add 우유 사기|")
    #expect(line("add", .meta("f"), history: history, suggests: true) == "add 우유|")
    #expect(line("add", .left, .right, history: history, suggests: true) == "add|")
    #expect(line("add", .right, history: history) == "add|")
  }

  @Test func aTextCanBeThereBeforeTheFirstKey() throws {
    var editor = LineEditor("우유 사기")
    for key in [Key.backspace, .backspace, .text("빵")] { _ = editor.handle(key) }
    #expect(editor.text == "우유 빵")
  }

  @Test func tabInsertsOrLists() {
    let verbs = ["done", "due"]
    var editor = LineEditor(
      "d",
      complete: { text in
        let found = verbs.filter { $0.hasPrefix(text) }
        return Completion(text, by: found.map { Completion.Candidate(text: $0, label: $0) }) { _ in
          " "
        }
      })
    #expect(editor.handle(.tab) == .redraw)
    #expect(editor.candidates == ["done", "due"])
    _ = editor.handle(.text("o"))
    #expect(editor.candidates.isEmpty)
    _ = editor.handle(.tab)
    #expect(editor.text == "done ")
  }

  /// What the first ones have in common may not be that of all.
  @Test func candidatesThatAreNotListedCountAsWell() {
    let names = (0..<Completion.choicesMax).map { "book\($0)" } + ["board"]
    let completion = Completion(
      "b", by: names.map { Completion.Candidate(text: $0, label: $0) }, ending: { _ in "" })
    #expect(completion.insertion == "o" && completion.choices.isEmpty)
    let all = Completion(
      "bo", by: names.map { Completion.Candidate(text: $0, label: $0) }, ending: { _ in "" })
    #expect(all.insertion.isEmpty && all.choices.count == Completion.choicesMax)
  }

  /// A candidate in other letters than the word takes its place.
  @Test func tabReplacesWhatWasTypedInOtherLetters() {
    var editor = LineEditor(
      "a DO",
      complete: { _ in
        Completion("DO", by: [Completion.Candidate(text: "done", label: "done")]) { _ in " " }
      })
    _ = editor.handle(.tab)
    #expect(editor.text == "a done ")
  }
}
