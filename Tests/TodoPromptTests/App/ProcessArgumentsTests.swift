import Foundation
import Testing
import TestSupport

@testable import TodoPrompt

/// The argument parser reads the process's arguments, and `Grammar` lines: they must agree.
@Suite struct ProcessArgumentsTests {
  /// A parsed line, or its error, as text.
  private func outcome(_ parse: () throws(CommandError) -> Grammar.ParsedLine) -> String {
    do throws(CommandError) {
      let parsed = try parse()
      return "\(String(describing: parsed.command)) \(parsed.options)"
    } catch {
      return "\(error.status) \(error.text(in: .english)) / \(error.text(in: .korean))"
    }
  }

  private func ofArguments(_ words: [String]) -> String {
    outcome { () throws(CommandError) in
      guard case .line(let line) = try ProcessArguments.request(words) else {
        throw CommandError(LocalizedText("a text", "a text"))
      }
      return line
    }
  }

  private func ofLine(_ words: [String]) -> String {
    outcome { () throws(CommandError) in try Grammar.parse(words) }
  }

  @Test(arguments: [
    "", "add a b", "add -5 x", "add a --pri", "add a --pri=high", "add a --pri --yes high",
    "--yes add a", "add a --db", "add a --db x", "-o xml ls", "-o=json ls", "ls -o", "--lang fr ls",
    "--lang=ko ls", "ls --undone --done", "ls --done --done", "ls --yes=1", "--frob", "ls --frob",
    "ls --colr red", "ls --don", "rm --al", "-x", "ls -x", "-c --help -c", "-c", "--help nonsense",
    "nonsense --help", "rm 3 -h", "quit now", "undo 1 2", "undo -- x", "group add a --color red",
    "ls --color red", "--color never group add a --color #fff", "ls ---x", "ls -", "add a -- --pri",
    "-ho json ls", "-ho",
    "ls -ho", "--json-lines ls", "ls --json-lines", "-o csv ls --json-lines", "--json-lines=x ls",
    "ls --db= x", "--keep-going", "edit 1 --x", "add a -g", "add a -g b --group c",
  ])
  func argumentsAndLinesAreReadAlike(line: String) {
    let words = line.split(separator: " ").map(String.init)
    #expect(ofArguments(words) == ofLine(words))
  }

  @Test func argumentsAndLinesOfRandomWordsAreReadAlike() {
    let words = [
      "add", "ls", "done", "group", "rm", "edit", "undo", "help", "x", "3", "-5", "-", "--yes",
      "--db", "--db=x", "-o", "json", "xml", "-o=table", "--output", "--color", "never", "#fff",
      "--color=auto", "--lang", "ko", "--lang=fr", "--keep-going", "-c", "-h", "--help", "--pri",
      "high", "--pri=low", "-g", "--group", "--due", "--name", "--undone", "--done", "--all",
      "--frob", "--colour", "--json-lines", "--no-pager", "--private", "-x", "--yes=1", "--", "---",
      "-ho", "우유", "", "!h", "@집",
    ]
    var random = SeededGenerator()
    print("CROFT_SEED=\(random.seed) replays ProcessArguments")
    for _ in 0..<3_000 {
      let line = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        words.randomElement(using: &random) ?? ""
      }
      #expect(ofArguments(line) == ofLine(line), "\(line)")
    }
  }

  @Test func aCompletionScriptIsShown() throws {
    let request = try ProcessArguments.request(["--generate-completion-script", "bash"])
    guard case .text(let script) = request else {
      Issue.record("The script must be shown.")
      return
    }
    #expect(script.contains("undone"))
    #expect(script.contains("--keep-going"))
  }
}
