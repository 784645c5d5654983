import Testing

@testable import TodoPrompt

/// `sync`, which starts the program beside this one.
@Suite struct SyncCommandTests {
  private let terminal: TestTerminal

  init() throws { terminal = try TestTerminal(columns: 80) }

  /// Runs a line where the program is installed and ends with a code; the arguments that it got.
  private func run(
    _ words: String..., code: Int32? = 0
  ) -> (run: TestTerminal.Run, arguments: [String]?) {
    terminal.syncProgram = "/opt/todo/todo-sync"
    var given: [String]?
    terminal.runProgram = { path, arguments in
      given = path == "/opt/todo/todo-sync" ? arguments : nil
      return code
    }
    return (terminal.run(words), given)
  }

  @Test func theProgramGetsTheListAndTheWords() {
    #expect(run("--db", "l", "sync").arguments == ["--db", "l"])
    #expect(run("--db", "l", "sync", "--watch").arguments == ["--db", "l", "--watch"])
    #expect(run("--db", "l", "동기화", "상태").arguments == ["--db", "l", "status"])
    #expect(run("--db", "l", "sync", "leave").arguments == ["--db", "l", "leave"])
    let setup = run(
      "--db", "l", "sync", "setup", "postgres://anna@db/todo", "--password-file", "p", "--insecure",
      "--space", "s")
    #expect(
      setup.arguments == [
        "--db", "l", "setup", "postgres://anna@db/todo", "--space", "s", "--password-file", "p",
        "--insecure",
      ])
  }

  @Test(arguments: [
    ["sync", "now"], ["sync", "setup"], ["sync", "setup", "a", "b"], ["sync", "status", "--watch"],
    ["sync", "--insecure"], ["sync", "leave", "it"],
  ])
  func otherWordsAreRefused(words: [String]) {
    terminal.syncProgram = "/opt/todo/todo-sync"
    #expect(terminal.run(words).status == .usage)
  }

  /// It would be in the list of processes.
  @Test(arguments: [
    "postgres://a:secret@db/todo", "host=db password=secret", "p://x/?PASSWORD=secret",
  ])
  func aPasswordInTheAddressIsNotPassedOn(address: String) {
    for language in ["en", "ko"] {
      let refused = run("--lang", language, "sync", "setup", address)
      #expect(refused.run.status == .usage && refused.arguments == nil)
      #expect(refused.run.messages.contains("PGPASSWORD"))
      #expect(!refused.run.messages.contains("secret"))
    }
  }

  @Test func aProgramThatFailsIsAFailure() {
    #expect(run("sync", code: 1).run.status == .failed)
    #expect(run("sync", code: 137).run.messages.contains("ended with the code 137"))
  }

  @Test func withoutTheProgramTheMessageSaysHowToGetIt() {
    let run = terminal.run(["sync"])
    #expect(run.status == .failed && run.messages.contains("Scripts/sync"))
    #expect(terminal.run(["--lang", "ko", "sync"]).messages.contains("Scripts/sync"))
  }
}
