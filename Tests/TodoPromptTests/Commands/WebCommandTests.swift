import Foundation
import Testing
import TodoKit

@testable import TodoPrompt

/// `web`, which starts the program beside this one.
@Suite struct WebCommandTests {
  private let terminal: TestTerminal

  init() throws { terminal = try TestTerminal(columns: 80) }

  /// Runs a line where the program is installed and ends with a code; the arguments that it got.
  private func run(
    _ words: String..., code: Int32? = 0
  ) -> (run: TestTerminal.Run, arguments: [String]?) {
    terminal.webProgram = "/opt/todo/todo-web"
    var given: [String]?
    terminal.runProgram = { path, arguments in
      given = path == "/opt/todo/todo-web" ? arguments : nil
      return code
    }
    return (terminal.run(words), given)
  }

  @Test func theProgramGetsTheListAndTheOptions() {
    let plain = run("--db", "a list.croft", "web")
    #expect(plain.run.status == .done && plain.arguments == ["--db", "a list.croft"])
    let all = run("--db", "l", "web", "--no-open", "--port", "8080")
    #expect(all.arguments == ["--db", "l", "--port", "8080", "--no-open"])
    #expect(run("--db", "l", "웹", "--link").arguments == ["--db", "l", "--link"])
  }

  @Test func aProgramThatFailsIsAFailure() {
    let failed = run("web", code: 1)
    // The program has told why.
    #expect(failed.run.status == .failed && failed.run.messages.isEmpty)
    let killed = run("web", code: 137)
    #expect(killed.run.status == .failed)
    #expect(killed.run.messages.contains("/opt/todo/todo-web ended with the code 137."))
    #expect(run("web", code: nil).run.status == .failed)
  }

  @Test func withoutTheProgramTheMessageSaysHowToGetIt() {
    let run = terminal.run(["web"])
    #expect(run.status == .failed)
    #expect(run.messages.contains("todo-web is not installed beside todo"))
    #expect(run.messages.contains("Scripts/web"))
    #expect(terminal.run(["--lang", "ko", "web"]).messages.contains("Scripts/web"))
  }

  @Test(arguments: ["-1", "65536", "http"])
  func aPortIsANumber(port: String) {
    let bad = run("web", "--port=\(port)")
    #expect(bad.run.status == .usage && bad.arguments == nil)
    #expect(bad.run.messages.contains("A port is a number from 0 to 65535"))
  }

  #if os(Linux)
    /// The program is looked for beside the running one: in a process of the tests that is the bundle.
    @Test func theProgramIsLookedForBesideThisOne() throws {
      let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()
      let isThere = FileManager.default.isExecutableFile(
        atPath: folder.appending(path: "todo-web").path)
      #expect(
        Environment.program(named: "todo-web")
          == (isThere ? folder.appending(path: "todo-web").path : nil))
    }
  #endif
}
