import CroftLibc

/// Lines that are edited on a terminal: reads keys, gives them to the line editor, and draws.
///
/// The terminal has its own settings back between two lines, and when a signal ends the process.
///
/// Threads: one.
package final class TerminalLines: LineSource {
  private let input: FileDescriptor
  private let output: any TerminalOutput
  private let history: HistoryFile?
  private let externalEditor: ExternalEditor
  private var assistant = LineAssistant()
  private var entries: [String]
  /// The texts that `edit` has returned, which are its history: one may have been refused.
  private var edited: [String] = []
  private var decoder = KeyDecoder()
  private var screen = EditorScreen()
  private var killed = ""
  /// Whether what is shown is not the line any more.
  private var isStale = false
  /// Keys that came with the end of a paste.
  private var pendingKeys: [Key] = []
  /// Lines after the first of an entry of several.
  private var pendingLines: [String] = []

  /// Makes an editor; nil without a terminal.
  ///
  /// - Parameters:
  ///   - output: Where lines are drawn.
  ///   - history: The lines of earlier sessions, to which new ones are appended.
  ///   - variables: The variables of the process, which name the editor of ^X ^E.
  package init?(
    _ input: FileDescriptor, output: any TerminalOutput, history: HistoryFile?,
    variables: [String: String]
  ) {
    guard input.isTerminal else { return nil }
    externalEditor = ExternalEditor(variables: variables)
    self.input = input
    self.output = output
    self.history = history
    entries = history?.load() ?? []
  }

  /// Takes what completes and colours lines.
  package func assist(with assistant: LineAssistant) { self.assistant = assistant }

  /// Adds a whole command to the history.
  package func remember(_ entry: String) {
    guard HistoryFile.keeps(entry) else { return }
    if entries.last != entry { entries.append(entry) }
    history?.append(entry)
  }

  /// Drops lines that have come and were not returned.
  @discardableResult package func discardPending() -> Int {
    defer { (pendingLines, pendingKeys) = ([], []) }
    return pendingLines.count
  }

  /// Waits for the next line.
  package func next(prompt: String) -> LineEvent {
    if !pendingLines.isEmpty {
      let line = pendingLines.removeFirst()
      output.show(prompt + line + "\n")
      return .line(line)
    }
    return readLine(prompt, "")
  }

  /// Waits for a text that is edited in a line.
  package func edit(_ text: String, prompt: String) -> LineEvent {
    // What came with the command, such as the rest of a pasted script, comes after the text.
    let (lines, keys) = (pendingLines, pendingKeys)
    let known = (entries, assistant)
    (pendingLines, pendingKeys) = ([], [])
    (entries, assistant) = (edited, LineAssistant())
    defer {
      (pendingLines, pendingKeys) = (lines + pendingLines, keys + pendingKeys)
      (entries, assistant) = known
    }
    let event = readLine(prompt, text)
    if case .line(let entered) = event, entered != edited.last { edited.append(entered) }
    return event
  }

  /// Reads keys until the line has ended.
  private func readLine(_ prompt: String, _ initialText: String) -> LineEvent {
    // Before the prompt is shown: keys that are typed after it are the editor's.
    guard let mode = TerminalMode(input) else { return .end }
    let signals = EditorSignals()
    defer {
      output.show(Self.pasteModeOff)
      mode.restore()
      signals.restore()
    }
    var editor = LineEditor(
      initialText, isGiven: !initialText.isEmpty, history: entries, killed: killed,
      suggests: assistant.usesColor,
      complete: assistant.complete)
    defer { killed = editor.killedText }
    screen.forget()
    screen.code = assistant.code
    isStale = false
    output.show(Self.pasteModeOn + screen.draw(view(prompt).layout(of: editor)))
    while true {
      if pendingKeys.isEmpty {
        guard let keys = readKeys(signals, mode, editor, prompt: prompt) else {
          output.show(screen.leave())
          return .end
        }
        pendingKeys = keys
      }
      if let event = handleKeys(&editor, mode, prompt: prompt) { return event }
    }
  }

  private static let pasteModeOn = "\u{1B}[?2004h"
  private static let pasteModeOff = "\u{1B}[?2004l"

  /// Handles the keys that have come; an event when the line has ended.
  private func handleKeys(
    _ editor: inout LineEditor, _ mode: TerminalMode, prompt: String
  ) -> LineEvent? {
    while !pendingKeys.isEmpty {
      let hadCandidates = !editor.candidates.isEmpty
      switch editor.handle(pendingKeys.removeFirst()) {
      case .redraw: isStale = true
      case .bell:
        isStale = isStale || hadCandidates
        output.show("\u{7}")
      case .clearScreen:
        screen.forget()
        output.show("\u{1B}[H\u{1B}[2J")
        isStale = true
      case .suspend:
        suspend(editor, mode, prompt: prompt)
        // The settings of the terminal were set again by the shell.
        guard TerminalMode(input) != nil else { return .end }
        output.show(Self.pasteModeOn)
        isStale = true
      case .openEditor:
        finish(editor, prompt: prompt)
        output.show(Self.pasteModeOff)
        mode.restore()
        let edited = externalEditor.edit(editor.text)
        guard TerminalMode(input) != nil else { return .end }
        output.show(Self.pasteModeOn + (edited == nil ? "\u{7}" : ""))
        if let edited { editor.replace(with: edited) }
        isStale = true
      case .submit:
        finish(editor, prompt: prompt)
        var lines = editor.text.split(separator: "\n", omittingEmptySubsequences: false)
          .map(String.init)
        while lines.count > 1, lines.last == "" { lines.removeLast() }
        pendingLines = Array(lines.dropFirst())
        return .line(lines[0])
      case .interrupt(let hadText):
        finish(editor, prompt: prompt, sign: "^C")
        return .interrupted(hadText: hadText)
      case .end:
        finish(editor, prompt: prompt)
        return .end
      }
    }
    return nil
  }

  private func view(_ prompt: String) -> LineView {
    LineView(
      prompt: prompt, columns: output.columns ?? 80, rows: output.rows ?? 24,
      usesColor: assistant.usesColor, styles: assistant.styles)
  }

  /// Draws the line as it is entered, and begins the row below it.
  private func finish(_ editor: LineEditor, prompt: String, sign: String = "") {
    var layout = EditorLayout(columns: output.columns ?? 80)
    let view = view(prompt)
    if sign.isEmpty {
      layout = view.layout(of: editor, isFinished: true)
    } else {
      layout.add(prompt + editor.text + sign)
      layout.placeCursor()
      layout = layout.clipped(to: view.rows)
    }
    output.show(screen.draw(layout) + screen.leave())
  }

  /// The next keys; nil at the end of the input.
  ///
  /// One byte is read at a time, so that keys typed ahead of a question are still the
  /// system's, which can discard it; of a paste as much as there is.
  private func readKeys(
    _ signals: EditorSignals, _ mode: TerminalMode, _ editor: LineEditor, prompt: String
  ) -> [Key]? {
    while true {
      // A burst of keys is drawn once.
      if isStale, !EditorSignals.hasInput(input) {
        isStale = false
        output.show(screen.draw(view(prompt).layout(of: editor)))
      }
      switch signals.wait(for: input) {
      case .signal(SIGWINCH):
        output.show(screen.erase(columns: output.columns ?? 80))
        output.show(screen.draw(view(prompt).layout(of: editor)))
      case nil, .wake: continue
      case .signal(SIGINT): return [.control("C")]
      case .signal(let number):
        end(by: number, signals, mode)
        return nil
      case .input:
        var bytes = [UInt8](repeating: 0, count: decoder.isPasting ? 4096 : 1)
        let size = bytes.count
        let count = read(input.number, &bytes, size)
        if count < 0, errno == EINTR { continue }
        if count <= 0 { return nil }
        let keys = decoder.keys(from: bytes[..<count])
        if !keys.isEmpty { return keys }
      }
    }
  }

  /// Ends the process by a signal, with the terminal restored.
  private func end(by number: Int32, _ signals: EditorSignals, _ mode: TerminalMode) {
    output.show(screen.leave() + Self.pasteModeOff)
    mode.restore()
    signals.restore()
    raise(number)
  }

  /// Stops the process until the shell continues it.
  private func suspend(_ editor: LineEditor, _ mode: TerminalMode, prompt: String) {
    finish(editor, prompt: prompt, sign: "^Z")
    output.show(Self.pasteModeOff)
    mode.restore()
    // The whole job stops, as with the terminal's own ^Z.
    kill(0, SIGTSTP)
  }
}
