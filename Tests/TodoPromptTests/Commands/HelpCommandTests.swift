import Testing

@testable import TerminalText
@testable import TodoPrompt

@Suite struct HelpCommandTests {
  /// A row that was too long was wrapped, which set its columns beside each other; so was a form of
  /// `add`, and a line of its details began in the first column.
  @Test(arguments: TextLanguage.allCases)
  func helpOfEightyColumnsHasItsLinesWhole(language: TextLanguage) throws {
    let terminal = try TestTerminal()
    let overview = terminal.run(["help", "--lang", language.rawValue]).output
    for (spelling, meaning) in SharedOptions.explained {
      let row = overview.split(separator: "\n").first { $0.hasPrefix("  \(spelling)  ") }
      #expect(row?.hasSuffix("  " + meaning.text(in: language)) == true, "\(spelling)")
    }
    for command in Grammar.commands {
      for form in command.synopsis.split(separator: "\n") {
        #expect(String(form).displayWidth <= 80, "\(form)")
      }
      for details in command.details {
        for line in details.text(in: language).split(separator: "\n") {
          #expect(line.hasPrefix("  "), "\(command.name): \(line)")
        }
      }
    }
  }
}
