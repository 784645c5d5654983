import Testing

@testable import TodoPrompt

/// The manual page has every verb, in markup that a page of man(7) may have.
@Suite struct ManualPageTests {
  private let lines = ManualPage.text.split(separator: "\n", omittingEmptySubsequences: false)

  @Test func everyVerbIsThereWithItsForms() {
    for command in Grammar.commands {
      let first = command.synopsis.split(separator: "\n")[0].replacing("-", with: "\\-")
      #expect(lines.contains("\\fB\(first)\\fR"), "\(command.name)")
    }
  }

  @Test func aLineThatBeginsLikeARequestIsOne() {
    let requests = ["TH", "SH", "TP", "B", "br"]
    for line in lines where line.hasPrefix(".") || line.hasPrefix("'") {
      #expect(requests.contains { line == "." + $0 || line.hasPrefix(".\($0) ") }, "\(line)")
    }
    #expect(lines.filter { $0.hasPrefix(".SH ") }.count == 8)
  }

  @Test func theProgramPrintsItAndItsVersion() throws {
    #expect(try Grammar.parse(["--generate-manual-page"]).options.text == ManualPage.text)
    #expect(try Grammar.parse(["add", "--version"]).options.text == "todo \(Program.version)\n")
  }
}
