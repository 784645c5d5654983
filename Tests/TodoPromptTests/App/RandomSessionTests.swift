import Foundation
import TerminalText
import Testing
import TestSupport
import TodoFormats
import TodoKit

@testable import TodoPrompt

/// Sessions of words thrown together, most of which make no sense.
@Suite struct RandomSessionTests {
  /// Fewer than the history keeps.
  private let commandCount = 90

  private static let verbs =
    Grammar.commands.map { $0.name }.filter { !["quit", "undo", "redo", "backup"].contains($0) }
    + ["add", "add", "group add", "group edit", "group mv", "group rm", "rm --all", "remove"]

  private static let words = [
    "1", "2", "3", "4", "1-3", "2-1", "99", "0", "-", "--", "--yes", "-x", "", " ", "a001", "cafe",
    "집", "집안일", "@집", "@집안일", "home", "HOME", "important", "중요", "none", "없음", "to", "before",
    "after",
    "top", "bottom", "first", "last", "!h", "!높음", "!", "#태그", "#", "due:내일", "due:?", "내일", "next",
    "fri", "3일", "뒤", "6/1", "+3d", "high", "low", "--name", "--color", "#f80", "never", "-g",
    "--due",
    "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}", "👨‍👩‍👧", "🇰🇷", "e\u{301}", "\u{200B}",
    "\u{FEFF}",
    "\u{1B}[2J", "\u{202E}x", "\n", "\t", "\u{0}", "\"", "'", "\\", "ㅏ",
  ]

  /// Lines that make sense, with a word in the place of `?`.
  private static let lines = [
    "add ? !h", "add ? !n @집", "add ? ? !l due:내일 #태그", "ls", "ls", "show 집", "done 1-2",
    "undone 1", "star 1", "unstar 2", "edit 1 ?", "pri 1 low", "due 1 ?", "due 2 내일", "tag 1 ?",
    "untag 1 태그", "mv 2 top", "mv 1 after 3", "mv 1 to 집", "mv 1-3 to none", "group add 집",
    "group add ?", "group edit 집 --name ?", "group edit 집 --color #f80", "group mv 집 bottom",
    "group rm 집 --yes", "rm 1", "rm 1-3 --yes", "rm --all 집 --yes",
  ]

  /// What is typed at some places of each session.
  private static let fixed: [Int: [String]] = {
    var lines: [Int: [String]] = [0: ["group", "add", "집"]]
    for index in stride(from: 1, to: 90, by: 6) {
      lines[index] = ["add", "우유", "!h", "@집"]
      lines[index + 1] = ["ls"]
    }
    return lines
  }()

  private static let answers = ["y", "y", "예", "", "n", "h", "l", "1", "2", "3", "?"]

  private struct State: Equatable {
    let items: [TodoItem]
    let groups: [GroupSummary]

    init(_ repository: some TodoRepository) throws {
      items = try repository.items(.all)
      groups = try repository.groups()
    }
  }

  private static func command(using random: inout SeededGenerator) -> [String] {
    func word(_ random: inout SeededGenerator) -> String {
      words.randomElement(using: &random) ?? ""
    }
    if Bool.random(using: &random) {
      let line = LineTokenizer(lines.randomElement(using: &random) ?? "").words
      return line.map { $0 == "?" ? word(&random) : $0 }
    }
    let verb = LineTokenizer(verbs.randomElement(using: &random) ?? "").words
    return verb + (0..<Int.random(in: 0...5, using: &random)).map { _ in word(&random) }
  }

  @Test func whateverIsTypedIsAnsweredAndCanBeTakenBackToTheBeginning() throws {
    var random = SeededGenerator()
    print("CROFT_SEED=\(random.seed) replays RandomSession")
    for _ in 0..<3 {
      let repository = try CroftTodoRepository.inMemory()
      let terminal = try TestTerminal(
        repository: repository, environment: ["NO_COLOR": "1"], columns: 60)
      let beginning = try State(repository)
      for index in 0..<commandCount {
        // Now and then there is something to work on, and a list that says what numbers mean.
        let words = Self.fixed[index] ?? Self.command(using: &random)
        let answers = (0..<4).compactMap { _ in Self.answers.randomElement(using: &random) }
        let run = terminal.run(words, answers: answers)
        for text in [run.output, run.messages] {
          #expect(
            !text.unicodeScalars.contains { $0.isControl && $0 != "\n" }, "\(words)")
        }
        // The next prompt shows the group that was opened or left.
        let isAnsweredByPrompt = run.status == .done && ["open", "back"].contains(words.first)
        #expect(
          isAnsweredByPrompt || !(run.output + run.messages).isEmpty, "\(words) was not answered")
      }
      let end = try State(repository)
      var count = 0
      while terminal.run(["undo"]).status == .done { count += 1 }
      #expect((2...commandCount).contains(count))
      #expect(try State(repository) == beginning)
      for _ in 0..<count { #expect(terminal.run(["redo"]).status == .done) }
      #expect(terminal.run(["redo"]).status == .failed)
      #expect(try State(repository) == end)
    }
  }
}
