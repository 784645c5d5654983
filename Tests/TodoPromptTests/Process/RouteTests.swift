#if os(Linux)
  import Foundation
  import Testing
  import TestSupport

  /// The same commands give the same JSON by arguments, by `-c`, in a script and at the prompt.
  @Suite struct RouteTests {
    private let commands: [[String]] = [
      ["group", "add", "집안일", "--color", "#ff8800"],
      ["add", "우유 사기", "!h", "@집안일", "due:2027-01-01", "#장보기"],
      ["add", "bread", "!l", "due:2027-01-02T14:30", "every:fri"],
      ["add", "report", "--pri", "normal"],
      ["star", "#장보기"], ["done", "!low"], ["note", "!normal", "by", "noon"],
      ["due", "!normal", "2027-02-03"], ["tag", "is:starred", "x", "y"],
      ["untag", "is:starred", "x"],
      ["mv", "!normal", "to", "집안일"], ["edit", "!normal", "the report"], ["undo"], ["redo"],
      ["pri", "#장보기", "low"], ["undone", "is:done"], ["repeat", "report", "none"],
      ["rm", "@nowhere"],
      ["ls", "--all", "--sort", "title"], ["group"], ["show", "집안일"], ["find", "report"],
      ["frobnicate"], ["rm", "is:starred", "--yes"], ["-o", "csv", "ls"],
    ]

    /// What every answer has, without what is new in each run, and the number in the last list.
    private func comparable(_ output: String) -> [String] {
      let lines = output.split(whereSeparator: \.isNewline).map(String.init)
      let results = lines.filter { line in
        ["{", "[", "]", "id,"].contains { line.hasPrefix($0) } && !line.hasPrefix("[?")
          || line.prefixMatch(of: /[0-9a-f]{8}-[0-9a-f-]{27},/) != nil
      }
      return results.map { line in
        line.replacing(/[0-9a-f]{8}-[0-9a-f-]{27}/, with: "ID")
          .replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/, with: "TIME")
          .replacing(/"number":(\d+|null)/, with: "NUMBER").replacing(/ID,\d*,/, with: "ID,N,")
      }
    }

    private func line(_ words: [String]) -> String {
      words.map { $0.contains(" ") || $0.hasPrefix("#") && words[0] == "group" ? "\"\($0)\"" : $0 }
        .joined(separator: " ")
    }

    @Test func eachWayGivesTheSameJSON() throws {
      let direct = try TodoProcess()
      var expected: [String] = []
      for words in commands {
        expected += comparable(try direct.run(["-o", "json"] + words).output)
      }
      #expect(expected.count > 40)

      let options = try TodoProcess()
      let values = commands.flatMap { ["-c", line($0)] }
      let byOptions = try options.run(["-o", "json", "--keep-going"] + values)
      #expect(comparable(byOptions.output) == expected)

      let script = try TodoProcess()
      let text = commands.map { line($0) + "\n" }.joined()
      let byScript = try script.run(["-o", "json", "--keep-going"], input: text)
      #expect(comparable(byScript.output) == expected)

      let prompt = try TodoProcess()
      let terminal = try PseudoTerminal(
        ["-o", "json"],
        environment: prompt.environment.merging(
          ["TERM": "dumb", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"]) { $1 }, columns: 500)
      terminal.wait(for: "todo> ")
      var shown = ""
      for words in commands {
        terminal.type(line(words) + "\n")
        // The echo of the line comes first.
        terminal.wait(for: "\n")
        shown += terminal.wait(for: "todo> ").replacing("todo> ", with: "\n")
      }
      terminal.type("\u{4}")
      #expect(terminal.waitForEnd() == 0)
      #expect(comparable(shown) == expected)
    }
  }
#endif
