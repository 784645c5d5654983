import Foundation
import LineEditing
import TestSupport

@testable import TodoPrompt

/// A file that shows commands and what they must answer.
///
/// - A step is a command line, lines that belong to it, `---`, and what comes out.
///   An empty line ends it.
/// - `todo ...` is a run of the program; all runs of a file share the items.
/// - Lines below it: `< text` is a line of standard input, `? text` an answer to a question, and
///   `- text` a line of standard input that is never read, because an earlier one ends the session.
/// - What comes out: results as they are, `! ` before messages and questions, `exit n`
///   unless the program ends with 0. A line of results that is empty is written `|`.
/// - Before the first step: `env NAME=VALUE`, and `terminal N` for a terminal N columns
///   wide, or `terminal NxM` for one of M lines. Lines that begin with `#` are comments.
/// - `file NAME TEXT` is a line of a file, which is `$DIR/NAME` in commands and answers.
struct GoldenScript {
  struct Step {
    var arguments: [String] = []
    var lines: [String] = []
    /// The last of the lines, which must not be read.
    var unread: [String] = []
    var answers: [String] = []
    var input: [String] = []
    var expected: [String] = []
  }

  /// What one step of the program did.
  struct Answer {
    var lines: [String] = []
    /// The lines of standard input that were not read.
    var unread: [String] = []
    /// The answers to questions that were not asked.
    var unused: [String] = []
  }

  private(set) var heading: [String] = []
  private(set) var environment: [String: String] = [:]
  private(set) var columns: Int?
  private(set) var rows: Int?
  private(set) var steps: [Step] = []
  private(set) var files: [String: String] = [:]

  init(text: String) {
    var isInAnswer = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if isInAnswer {
        if line.isEmpty { isInAnswer = false } else { steps[steps.count - 1].expected.append(line) }
      } else if line == "---" {
        isInAnswer = true
      } else if line.hasPrefix("todo") {
        var step = Step()
        step.arguments = Array(LineTokenizer(line).words.dropFirst())
        step.input = [line]
        steps.append(step)
      } else if steps.isEmpty {
        readDirective(line)
      } else if !line.isEmpty {
        steps[steps.count - 1].input.append(line)
        let text = String(line.dropFirst(2))
        if line.hasPrefix("<") { steps[steps.count - 1].lines.append(text) }
        if line.hasPrefix("-") { steps[steps.count - 1].unread.append(text) }
        if line.hasPrefix("?") { steps[steps.count - 1].answers.append(text) }
      }
    }
  }

  private mutating func readDirective(_ line: String) {
    if !line.isEmpty { heading.append(line) }
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2 else { return }
    if words[0] == "terminal" {
      let size = words[1].split(separator: "x").map { Int($0) }
      (columns, rows) = (size[0], size.count > 1 ? size[1] : nil)
    }
    if words[0] == "file" {
      let parts = words[1].split(separator: " ", maxSplits: 1).map(String.init)
      files[parts[0], default: ""] += (parts.count > 1 ? parts[1] : "") + "\n"
    }
    if words[0] == "env", let equals = words[1].firstIndex(of: "=") {
      environment[String(words[1][..<equals])] = String(words[1][words[1].index(after: equals)...])
    }
  }

  /// Runs the steps and gives what each one answered.
  func answers() throws -> [Answer] {
    let terminal = try TestTerminal(environment: environment, columns: columns, rows: rows)
    let folder = terminal.folder.path
    for (name, text) in files {
      try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
    }
    return steps.map { step in
      let arguments = step.arguments.map { $0.replacing("$DIR", with: folder) }
      let lines = (step.lines + step.unread).map { $0.replacing("$DIR", with: folder) }
      let run = terminal.run(arguments, lines: lines, answers: step.answers)
      return Answer(
        lines: Self.lines(of: run).map { $0.replacing(folder, with: "$DIR") },
        unread: run.unreadLines.map { $0.replacing(folder, with: "$DIR") },
        unused: run.unusedAnswers)
    }
  }

  /// The script with other answers, as text.
  func text(with answers: [Answer]) -> String {
    var blocks = heading.isEmpty ? [] : [heading.joined(separator: "\n")]
    for (step, answer) in zip(steps, answers) {
      blocks.append((step.input + ["---"] + answer.lines).joined(separator: "\n"))
    }
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private static func lines(of run: TestTerminal.Run) -> [String] {
    var lines: [String] = []
    var current: (stream: Transcript.Stream, text: String)?
    func finish() {
      guard let (stream, text) = current, !text.isEmpty else { return }
      var parts = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      if parts.last == "" { parts.removeLast() }
      lines += parts.map { part in
        stream == .messages ? "! " + part : part.isEmpty ? "|" : part
      }
    }
    for piece in run.transcript.pieces {
      if current?.stream == piece.stream {
        current?.text += piece.text
      } else {
        finish()
        current = piece
      }
    }
    finish()
    if run.status != .done { lines.append("exit \(run.status.rawValue)") }
    return lines.map { $0.replacingOccurrences(of: "\u{1B}", with: "<ESC>") }
  }
}
