import Foundation
import Testing

/// Runs every script of the Golden folder; see `GoldenScript` for how they are written.
///
/// `CROFT_REWRITE_GOLDEN=1` writes the answers of today into the files, for reading
/// the difference before it is kept.
@Suite struct GoldenTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")

  static let names: [String] = {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (names ?? []).filter { $0.hasSuffix(".txt") }.sorted()
  }()

  @Test func thereAreScripts() {
    #expect(Self.names.count >= 15)
  }

  /// The block of the module's page that shows a session, typed at a prompt.
  @Test func theSessionOfThePageAnswersAsWritten() throws {
    let file = Self.folder.appending(
      path: "../../../Sources/TodoPrompt/TodoPrompt.docc/TodoPrompt.md")
    let page = try String(contentsOf: file, encoding: .utf8)
    let block = try #require(
      page.components(separatedBy: "```\n").first { $0.hasPrefix("todo> ") })
    let lines = block.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let typed = lines.filter { $0.hasPrefix("todo> ") }.map { String($0.dropFirst(6)) }
    let terminal = try TestTerminal(environment: ["NO_COLOR": "1"], columns: 80)
    let run = terminal.run([], lines: typed)
    #expect(typed.count >= 8)
    #expect(
      run.output == lines.filter { !$0.hasPrefix("todo> ") }.joined(separator: "\n"),
      "\(run.messages)")
  }

  @Test(arguments: names) func answersAsWritten(name: String) throws {
    let file = Self.folder.appending(path: name)
    let script = GoldenScript(text: try String(contentsOf: file, encoding: .utf8))
    let answers = try script.answers()
    if ProcessInfo.processInfo.environment["CROFT_REWRITE_GOLDEN"] != nil {
      try script.text(with: answers).write(to: file, atomically: true, encoding: .utf8)
    }
    for (step, answer) in zip(script.steps, answers) {
      let label = "\(name): \(step.input.joined(separator: " / "))"
      #expect(answer.lines == step.expected, "\(label)")
      #expect(answer.unread == step.unread, "\(label)")
      #expect(answer.unused == [], "\(label)")
    }
  }

  /// Two scripts once lost their last commands without a word: an error ended the session, and the
  /// answers as far as that were those that the file had.
  @Test func aScriptThatEndsBeforeItsLastLineIsToldFromOneThatDoesNot() throws {
    let script = GoldenScript(
      text: """
        todo
        < add milk !h
        < done 9
        < ls

        todo
        < done 9
        - ls

        todo ls
        ? y
        """)
    let answers = try script.answers()
    #expect(answers.map(\.unread) == [["ls"], ["ls"], []])
    #expect(script.steps.map(\.unread) == [[], ["ls"], []])
    #expect(answers.map(\.unused) == [[], [], ["y"]])
  }
}
