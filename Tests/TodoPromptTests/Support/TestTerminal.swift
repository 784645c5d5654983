import Foundation
import LineEditing
import TestSupport
import TodoKit

@testable import TodoPrompt

/// A place where programs are run one after another: one repository, one terminal or none.
final class TestTerminal {
  let repository: any TodoRepository
  /// Whether programs open the file of the list, which is the repository's otherwise.
  var opensFiles = false
  /// The program of the page; nil where it is not installed.
  var webProgram: String?
  var syncProgram: String?
  /// Runs the program of the page.
  var runProgram: (_ path: String, _ arguments: [String]) -> Int32? = { _, _ in nil }
  let folder: TemporaryFolder
  var variables: [String: String]
  /// The width of the terminal; nil when there is none.
  var columns: Int?
  /// Its height; nil for any.
  var rows: Int?
  /// The time of a stopped clock, in UTC: Friday 2026-01-02, 03:04.
  static let clock = WallClock(
    now: { Date(timeIntervalSince1970: 1_767_323_040) }, secondsFromUTC: { _ in 0 })

  /// The same clock, in the time zone that files are read in.
  let clock: WallClock

  init(
    repository: any TodoRepository = KnownRepository(), environment: [String: String] = [:],
    columns: Int? = nil, rows: Int? = nil, zone: String = "GMT"
  ) throws {
    self.rows = rows
    clock = WallClock(
      now: Self.clock.now, secondsFromUTC: Self.clock.secondsFromUTC,
      timeZone: { TimeZone(identifier: zone) ?? .gmt })
    self.repository = repository
    self.columns = columns
    folder = TemporaryFolder()
    variables = environment.merging(["HOME": folder.path]) { given, _ in given }
  }

  /// What one run of the program did.
  struct Run {
    let status: ProgramStatus
    let transcript: Transcript
    let questions: [String]
    /// The lines that nobody read, because the program had ended by then.
    let unreadLines: [String]
    /// The answers to questions that were not asked.
    let unusedAnswers: [String]

    var output: String { transcript.text(of: .output) }
    var messages: String { transcript.text(of: .messages) }
  }

  /// Whether there is a list at a path: the repository is that of the usual path.
  private func hasList(_ path: String) -> Bool {
    path.hasPrefix(folder.path + "/.local/") || FileManager.default.fileExists(atPath: path)
  }

  /// Runs the program.
  ///
  /// - Parameters:
  ///   - lines: The lines of standard input, or those typed at the prompt.
  ///   - answers: What is answered to questions, where there is a terminal.
  ///   - isPiped: Whether results go into a pipe, as those of `todo ls | less` do.
  func run(
    _ arguments: [String], lines: [String] = [], answers: [String] = [], isPiped: Bool = false
  ) -> Run {
    let transcript = Transcript()
    let isTerminal = columns != nil
    let messages = RecordedOutput(transcript, .messages, isTerminal: isTerminal, columns: columns)
    let person = PreparedAnswers(answers, output: messages)
    let typed = TypedLines(lines)
    let environment = Environment(
      variables: variables,
      output: RecordedOutput(
        transcript, .output, isTerminal: isTerminal && !isPiped, columns: isPiped ? nil : columns,
        rows: isPiped ? nil : rows),
      messages: messages,
      answers: isTerminal ? person : nil,
      terminal: isTerminal ? (name: "/dev/pts/test", session: 1) : nil,
      clock: clock, script: typed,
      startEditor: { _ in typed },
      openRepository: { [repository, opensFiles] path, _ in
        opensFiles ? try CroftTodoRepository(path: path) : repository
      }, hasList: hasList, webProgram: webProgram, syncProgram: syncProgram,
      runProgram: runProgram)
    let status = Program(environment: environment).run(arguments)
    return Run(
      status: status, transcript: transcript, questions: person.questions,
      unreadLines: typed.unread, unusedAnswers: person.unused)
  }
}
