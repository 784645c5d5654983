import LineEditing

/// Where the lines of a run, and the answers to its questions, come from.
protocol ShellInput: AnyObject {
  /// What completes the text before the cursor, at Tab.
  var complete: (String) -> LineReader.Candidates { get set }
  /// Waits for the next line; the prompt is empty where nobody types.
  func readLine(prompt: String) -> LineReader.Event
  /// Asks, and waits for a line; nil for none.
  func answer(to question: String) -> String?
  /// Adds an entry of one line or several to the history.
  func remember(_ entry: String)
}

extension LineReader: ShellInput {}

/// The standard input, which is read from when the first line is asked for.
final class StandardInput: ShellInput {
  private let isTyped: Bool
  private let variables: [String: String]
  private lazy var reader = LineReader(
    edits: isTyped, stateFolder: Self.stateFolder(variables), variables: variables)

  init(isTyped: Bool, variables: [String: String]) {
    (self.isTyped, self.variables) = (isTyped, variables)
  }

  var complete: (String) -> LineReader.Candidates {
    get { reader.complete }
    set { reader.complete = newValue }
  }

  func readLine(prompt: String) -> LineReader.Event { reader.readLine(prompt: prompt) }
  func answer(to question: String) -> String? { reader.answer(to: question) }
  func remember(_ entry: String) { reader.remember(entry) }

  /// The folder of the history, by the XDG rules: `$XDG_STATE_HOME/croft`; nil without a home.
  static func stateFolder(_ variables: [String: String]) -> String? {
    // The rules want a path that is not absolute to be ignored.
    if let folder = variables["XDG_STATE_HOME"], folder.hasPrefix("/") { return folder + "/croft" }
    guard let home = variables["HOME"], !home.isEmpty else { return nil }
    return home + "/.local/state/croft"
  }
}

/// Lines that a closure gives, as those of a test.
final class GivenInput: ShellInput {
  private let nextLine: () -> String?
  private let show: (String) -> Void
  /// Has no effect: nobody presses Tab.
  var complete: (String) -> LineReader.Candidates = { _ in
    LineReader.Candidates(word: "", texts: [])
  }

  /// Makes an input of a closure, and of one that shows prompts and questions.
  init(_ nextLine: @escaping () -> String?, show: @escaping (String) -> Void) {
    (self.nextLine, self.show) = (nextLine, show)
  }

  func readLine(prompt: String) -> LineReader.Event {
    show(prompt)
    if let line = nextLine() { return .line(line) }
    // The line of the prompt has no end yet.
    if !prompt.isEmpty { show("\n") }
    return .end
  }

  func answer(to question: String) -> String? {
    show(question)
    return nextLine()
  }

  func remember(_ entry: String) {}
}
