import LineEditing

@testable import TodoPrompt

/// Everything that was written to one of two streams, in the order it was written.
final class Transcript {
  /// Which stream a piece of text went to.
  enum Stream {
    case output, messages
  }

  private(set) var pieces: [(stream: Stream, text: String)] = []

  func append(_ text: String, to stream: Stream) {
    pieces.append((stream, text))
  }

  func text(of stream: Stream) -> String {
    pieces.filter { $0.stream == stream }.map(\.text).joined()
  }
}

/// A stream that keeps what is written to it.
final class RecordedOutput: TextOutput {
  private let transcript: Transcript
  private let stream: Transcript.Stream
  let isTerminal: Bool
  let columns: Int?
  let rows: Int?
  /// What a disk that is full, or a terminal that is gone, would say.
  let failure: Int32?

  init(
    _ transcript: Transcript, _ stream: Transcript.Stream, isTerminal: Bool = false,
    columns: Int? = nil, rows: Int? = nil, failure: Int32? = nil
  ) {
    self.failure = failure
    self.rows = rows
    self.transcript = transcript
    self.stream = stream
    self.isTerminal = isTerminal
    self.columns = columns
  }

  func write(_ text: String) {
    transcript.append(text, to: stream)
  }

  func flush() {}
}

/// Lines that were typed in advance, then the end.
final class TypedLines: LineSource {
  private var events: [LineEvent]
  private(set) var prompts: [String] = []
  /// The commands that the history would get.
  private(set) var remembered: [String] = []

  init(_ lines: [String]) {
    events = lines.map(LineEvent.line)
  }

  init(events: [LineEvent]) {
    self.events = events
  }

  /// The lines that were not asked for.
  var unread: [String] { events.map { if case .line(let text) = $0 { text } else { "\($0)" } } }

  func next(prompt: String) -> LineEvent {
    prompts.append(prompt)
    return events.isEmpty ? .end : events.removeFirst()
  }

  func remember(_ entry: String) {
    remembered.append(entry)
  }
}

/// Somebody who gives prepared answers, and none when they have run out.
final class PreparedAnswers: AnswerSource {
  private var answers: [String]
  private let output: (any TextOutput)?
  /// The answers that no question has asked for.
  var unused: [String] { answers }
  private(set) var questions: [String] = []

  init(_ answers: [String], output: (any TextOutput)? = nil) {
    self.answers = answers
    self.output = output
  }

  func answer(to question: String) -> String? {
    questions.append(question)
    output?.write(question + "\n")
    return answers.isEmpty ? nil : answers.removeFirst()
  }
}
