import Testing

@testable import TodoPrompt

@Suite struct PagerTests {
  private func command(
    _ setting: String?, _ variables: [String: String] = [:],
    programs: Set<String> = ["/bin/less", "/bin/more", "/opt/show"]
  ) -> String? {
    let environment = ["PATH": "/usr/bin:/bin"].merging(variables) { $1 }
    return Pager(setting: setting, environment: environment) { programs.contains($0) }?.command
  }

  @Test func theSettingComesBeforeTheVariableAndThenLess() {
    #expect(command(nil) == "less")
    #expect(command(nil, ["PAGER": "more -e"]) == "more -e")
    #expect(command("less -S", ["PAGER": "more"]) == "less -S")
    #expect(command("$PAGER", ["PAGER": "more"]) == "more")
    #expect(command("$PAGER") == "less")
  }

  @Test func thereIsNoneWhereTheUserOrTheTerminalWantsNone() {
    #expect(command("none", ["PAGER": "more"]) == nil)
    #expect(command(nil, ["PAGER": ""]) == nil)
    #expect(command("more", ["TERM": "dumb"]) == nil)
  }

  @Test func aProgramThatDoesNotExistIsNotRun() {
    #expect(command(nil, programs: []) == nil)
    #expect(command("most -w") == nil)
    #expect(command("/opt/show -x") == "/opt/show -x")
    #expect(command("/opt/other") == nil)
    #expect(command("LESS=R less") == "LESS=R less")
    #expect(command("LESS=R most") == nil)
    #expect(command(nil, ["PATH": ""]) == nil)
    // What only the shell understands is its own to find.
    #expect(command("\"$HOME/my pager\"") == "\"$HOME/my pager\"")
  }

  @Test func whatTheUserHasSetForLessStays() throws {
    let usual = try #require(Pager(setting: "less", environment: ["PATH": "/bin"]) { _ in true })
    #expect(usual.variables == ["PATH": "/bin", "LESS": "FRX", "LESSCHARSET": "utf-8"])
    let own = try #require(
      Pager(setting: "less", environment: ["PATH": "/bin", "LESS": "S"]) { _ in true })
    #expect(own.variables["LESS"] == "S")
  }

  @Test(arguments: [
    ("", 3, false), ("a\nb\n", 3, false), ("a\nb\nc\n", 3, true), ("a\nb\nc", 3, true),
    // A line that is wider than ten columns takes more rows.
    ("0123456789\nb\n", 3, false), ("0123456789x\nb\n", 3, true), ("가나다라마\nb\n", 3, false),
    ("가나다라마바\nb\n", 3, true), ("\n\n", 3, false), ("\n\n\n", 3, true),
    ("\u{1B}[1;31m0123456789\u{1B}[0m\n", 2, false), ("\u{1B}[1m0123456789x\u{1B}[0m\n", 2, true),
  ])
  func aPagerIsNeededWhereNoRowIsLeft(text: String, rows: Int, isNeeded: Bool) {
    #expect(Pager.isNeeded(for: Array(text.utf8), rows: rows, columns: 10) == isNeeded)
  }
}
