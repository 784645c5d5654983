import LineEditing
import Testing

@testable import TodoPrompt

@Suite struct ColorChoiceTests {
  @Test(arguments: [
    (SharedOptions.ColorChoice.auto, true, [:], true),
    (.auto, false, [:], false),
    (.auto, true, ["TERM": "dumb"], false),
    (.auto, true, ["TERM": "xterm"], true),
    (.auto, true, ["NO_COLOR": "1"], false),
    (.auto, true, ["NO_COLOR": ""], true),
    (.auto, false, ["CLICOLOR_FORCE": "1"], true),
    (.auto, false, ["FORCE_COLOR": "1"], true),
    (.auto, false, ["CLICOLOR_FORCE": "0"], false),
    (.auto, false, ["CLICOLOR_FORCE": ""], false),
    (.auto, false, ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false),
    (.always, false, ["NO_COLOR": "1", "TERM": "dumb"], true),
    (.never, true, ["CLICOLOR_FORCE": "1"], false),
  ])
  func decides(
    choice: SharedOptions.ColorChoice, isTerminal: Bool, environment: [String: String], isOn: Bool
  ) {
    #expect(choice.isOn(isTerminal: isTerminal, environment: environment) == isOn)
  }

  @Test func eachStreamIsDecidedByItself() throws {
    let transcript = Transcript()
    let environment = Environment(
      variables: ["HOME": "/nonexistent"],
      output: RecordedOutput(transcript, .output, isTerminal: false),
      messages: RecordedOutput(transcript, .messages, isTerminal: true),
      answers: nil, terminal: nil, clock: TestTerminal.clock, script: TypedLines([]),
      startEditor: { _ in TypedLines([]) },
      openRepository: { _, _ in KnownRepository() })
    _ = Program(environment: environment).run([
      "-c", "add x !h", "-c", "done 1", "-c", "ls", "-c", "add",
    ])
    #expect(!transcript.text(of: .output).contains("\u{1B}"))
    #expect(transcript.text(of: .messages).hasPrefix("\u{1B}[31m"))
  }

  @Test func paintsInsideItsOwnCodesOnly() {
    #expect(ANSIStyler(isOn: true).styled("x", .strikethrough, .dim) == "\u{1B}[9;2mx\u{1B}[0m")
    #expect(ANSIStyler(isOn: true).styled("", .red) == "")
    #expect(ANSIStyler(isOn: false).styled("x", .red) == "x")
  }
}
