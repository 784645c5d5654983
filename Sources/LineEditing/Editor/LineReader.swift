/// Reads the lines of a program's standard input, which a person edits on a terminal.
///
/// ```swift
/// let folder = FileManager.default.temporaryDirectory.path
/// let reader = LineReader(edits: true, stateFolder: folder)
/// reader.complete = { text in
///   let word = text.split(separator: " ", omittingEmptySubsequences: false).last ?? ""
///   let verbs = ["list ", "buy "].filter { $0.hasPrefix(word) }
///   return LineReader.Candidates(word: String(word), texts: verbs)
/// }
/// while case .line(let line) = reader.readLine(prompt: "> ") {
///   reader.remember(line)
/// }
/// ```
/// From a terminal the line is edited with the keys of GNU readline. ^C ends the line and not the
/// process from the first prompt on; ``isInterrupted`` tells a long work of one. Where `TERM` is
/// `dumb` the terminal edits the line, and ^C ends the process. From elsewhere lines are read as
/// they come.
///
/// Threads: one. A process has one reader, because the standard input is read ahead.
public final class LineReader {
  /// What reading a line gives.
  public enum Event: Sendable, Hashable {
    /// A line without its newline.
    case line(String)
    /// A line whose bytes are no UTF-8; the next one can be read.
    case undecodable
    /// ^C: the line that was typed is dropped, if there was any.
    case interrupted(hadText: Bool)
    /// The end of the input, or ^D.
    case end
    /// The input cannot be read, with the code of the system.
    case failed(code: Int32)
  }

  /// What may take the place of the word before the cursor.
  public struct Candidates: Sendable, Hashable {
    /// The word, with which the text before the cursor ends; empty for none.
    public let word: String
    /// The texts that may take its place, best first, each with what follows it, such as a blank.
    public let texts: [String]

    /// Makes candidates.
    ///
    /// - Parameters:
    ///   - word: The word, with which the text before the cursor ends; empty for none.
    ///   - texts: The texts that may take its place, each with what follows it.
    public init(word: String, texts: [String]) { (self.word, self.texts) = (word, texts) }
  }

  /// Completes the text before the cursor, at Tab.
  ///
  /// What all candidates begin with is inserted; where that is no more than the word, they are
  /// listed.
  public var complete: (_ text: String) -> Candidates = { Candidates(word: $0, texts: []) } {
    didSet { assist() }
  }

  /// Whether a person edits the lines.
  public let isEditing: Bool

  private let input = FileDescriptor.standardInput
  private let output = DescriptorWriter(.standardOutput)
  private let plain: PlainLines
  private let edited: TerminalLines?
  private let usesColor: Bool

  /// Makes the reader of the standard input.
  ///
  /// - Parameters:
  ///   - edits: Whether a person types: then prompts are shown on the standard output, and lines
  ///     are edited where
  ///     the input is a terminal that can.
  ///   - stateFolder: The folder of the file `history`, which only its user can read; nil for a
  ///     history of this run
  ///     alone. It is made when the first line is remembered.
  ///   - variables: The variables of the process: `TERM`, and those that name the editor of ^X ^E.
  public init(edits: Bool, stateFolder: String? = nil, variables: [String: String] = [:]) {
    plain = PlainLines(input, promptOutput: edits ? output : nil)
    if edits, variables["TERM"] != "dumb" {
      edited = TerminalLines(
        input, output: output, history: stateFolder.map(HistoryFile.init(folder:)),
        variables: variables)
    } else {
      edited = nil
    }
    isEditing = edited != nil
    usesColor = (variables["NO_COLOR"] ?? "").isEmpty
    assist()
  }

  private func assist() {
    var assistant = LineAssistant()
    assistant.usesColor = usesColor
    assistant.complete = { [complete] text in
      let candidates = complete(text)
      let all = candidates.texts.map { text in
        Completion.Candidate(text: text, label: text.trimmingBlanks)
      }
      return Completion(candidates.word, by: all) { _ in "" }
    }
    edited?.assist(with: assistant)
  }

  /// Waits for the next line.
  ///
  /// What is left of a paste or typed ahead is dropped after a ^C.
  ///
  /// - Parameter prompt: The text before the line, where a person types.
  public func readLine(prompt: String = "") -> Event {
    guard let edited else { return Event(plain.next(prompt: prompt)) }
    Interrupts.endQuestion()
    if Interrupts.isRequested { edited.discardPending() }
    Interrupts.forget()
    let event = edited.next(prompt: prompt)
    // A ^C that comes from here on is for what the line asks for.
    Interrupts.forget()
    return Event(event)
  }

  /// Adds an entry of one line or several to the history.
  ///
  /// One that is empty, begins with a blank, or repeats the last is not kept.
  public func remember(_ entry: String) { edited?.remember(entry) }

  /// Asks a question and waits for a line that was typed after it; nil for none, as after ^C or ^D.
  public func answer(to question: String) -> String? {
    guard edited != nil else {
      if case .line(let answer) = readLine(prompt: question) { return answer }
      return nil
    }
    return TerminalAnswers(lines: plain, output: output).answer(to: question)
  }

  /// Whether ^C was typed since the last line was read.
  ///
  /// Threads: any.
  public static var isInterrupted: Bool { Interrupts.isRequested }
}

extension LineReader.Event {
  fileprivate init(_ event: LineEvent) {
    self =
      switch event {
      case .line(let line): .line(line)
      case .undecodable: .undecodable
      case .interrupted(let hadText): .interrupted(hadText: hadText)
      case .end: .end
      case .failed(let code): .failed(code: code)
      }
  }
}

extension String {
  /// The text without blanks at its end.
  fileprivate var trimmingBlanks: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}

/// A descriptor to which prompts and lines are written.
private final class DescriptorWriter: TerminalOutput {
  private let descriptor: FileDescriptor
  private var pending: [UInt8] = []

  init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

  var columns: Int? { descriptor.columns }
  var rows: Int? { descriptor.rows }

  func write(_ text: String) { pending += text.utf8 }

  func flush() {
    // What cannot be shown is no error of the line.
    _ = descriptor.write(pending)
    pending.removeAll(keepingCapacity: true)
  }
}
