import Foundation
import TerminalText
import Testing

@testable import TodoPrompt

@Suite struct CommandTests {
  @Test(arguments: [
    ("ad", "add"), ("aded", "add"), ("ADD", "add"), ("l", "ls"), ("lst", "ls"), ("sl", "ls"),
    ("dnoe", "done"), ("undo", "undo"), ("undon", "undone"), ("eidt", "edit"), ("hlep", "help"),
    ("qiut", "quit"), ("r", "redo"), ("gruop", "group"), ("tga", "tag"), ("strar", "star"),
    ("rn", "rm"),
  ])
  func findsTheNearestVerb(word: String, verb: String) {
    #expect(Grammar.nearestName(to: word) == verb)
  }

  @Test(arguments: ["", "frobnicate", "x", "우유", "milk", "remove-everything"])
  func suggestsNothingForWordsFromElsewhere(word: String) {
    #expect(Grammar.nearestName(to: word) == nil)
  }

  @Test func countsEdits() {
    #expect("done".editDistance(to: "done") == 0)
    #expect("dnoe".editDistance(to: "done") == 1)
    #expect("dnoe".editDistance(to: "done", swaps: false) == 2)
    #expect("".editDistance(to: "rm") == 2)
    #expect("kitten".editDistance(to: "sitting") == 3)
  }

  @Test func whatDeletesStandsLast() {
    #expect(Grammar.commands.suffix(3).map { $0.name } == ["group", "clear", "rm"])
    #expect(GroupCommand.actions.last == "rm")
  }

  @Test func everyVerbHasAnExampleThatItsGrammarReads() throws {
    for command in Grammar.commands {
      let parsed = try Grammar.parse(LineTokenizer(command.example).words).command
      #expect(parsed.map { type(of: $0).name } == command.name)
      #expect(command.synopsis.hasPrefix(command.name))
      #expect(command.example.hasPrefix(command.name))
    }
  }

  @Test func noTwoVerbsShareAName() {
    let names = Grammar.commands.flatMap { [$0.name] + $0.aliases }
    #expect(Set(names).count == names.count)
    for command in Grammar.commands {
      for name in [command.name] + command.aliases {
        #expect(Grammar.commandsByName[name].map { $0.name } == command.name)
      }
    }
  }

  /// A new verb is a file and a line of the list: no other file names its type.
  ///
  /// Commands may use each other's texts, and the program knows that help needs no `-c`.
  @Test func aVerbIsNamedInItsFileAndOnTheList() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/TodoPrompt").standardized
    let files = try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    ).compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    #expect(files.count > 30)
    let list = try String(
      contentsOf: sources.appending(path: "Commands/Grammar.swift"), encoding: .utf8)
    for command in Grammar.commands {
      let name = "\(command)"
      #expect(list.components(separatedBy: "\(name).self").count == 2, "\(name)")
      for file in files where file.deletingLastPathComponent().lastPathComponent != "Commands" {
        let text = try String(contentsOf: file, encoding: .utf8)
        let isAllowed = name == "HelpCommand" && file.lastPathComponent == "Program.swift"
        #expect(!text.contains(name) || isAllowed, "\(file.lastPathComponent) names \(name)")
      }
    }
  }
}
