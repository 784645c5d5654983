import LineEditing
import Testing
import TodoKit

@testable import TodoPrompt

@Suite struct PromptRunnerTests {
  private let repository = KnownRepository()

  private func run(_ events: [LineEvent]) -> (ProgramStatus, Transcript, TypedLines) {
    let transcript = Transcript()
    let output = RecordedOutput(transcript, .output, isTerminal: true)
    let messages = RecordedOutput(transcript, .messages, isTerminal: true)
    let environment = Environment(
      variables: ["NO_COLOR": "1", "HOME": "/home/a"], output: output, messages: messages,
      answers: nil,
      terminal: nil, clock: TestTerminal.clock, script: TypedLines([]),
      startEditor: { _ in TypedLines([]) }, openRepository: { [repository] _, _ in repository })
    let session = Session(environment: environment, preferences: .init(environment: [:]))
    let lines = TypedLines(events: events)
    let status = PromptRunner(session: session, lines: lines).run()
    return (status, transcript, lines)
  }

  @Test func anErrorIsToldAndTheNextLineIsANewAttempt() throws {
    let (status, transcript, _) = run([.line("add"), .line("nonsense"), .line("add 우유 !h")])
    #expect(status == .done)
    #expect(transcript.text(of: .output).withoutIDs == "Added 1: 우유\n")
    #expect(transcript.text(of: .messages).contains("Please enter a to-do."))
  }

  /// After `add` alone the next line began with it, so that the command typed next became a title.
  @Test func aLineThatIsRefusedIsInTheHistory() {
    let typed = ["add", "add !h #a", "add tea !h due:tomorow", "nonsense 1"]
    let (_, transcript, lines) = run((typed + ["ls"]).map { .line($0) })
    #expect(lines.remembered == typed + ["ls"])
    #expect(transcript.text(of: .messages).contains("Please enter a to-do."))
  }

  @Test func controlCDropsWhatWasTypedAndHintsOnAnEmptyLine() {
    let (status, transcript, _) = run([
      .interrupted(hadText: true), .line("add a !h"), .interrupted(hadText: false),
      .line("add b !h"),
    ])
    #expect(status == .done)
    #expect(transcript.text(of: .output).withoutIDs == "Added 1: a\nAdded 2: b\n")
    let hints = transcript.text(of: .messages).split(separator: "\n").filter {
      $0.contains("leaves")
    }
    #expect(hints.count == 2, "the welcome, and one hint")
  }

  @Test func anOpenQuoteAndABackslashAskForMore() {
    let (_, transcript, lines) = run([
      .line("add \"two"), .line("words\" !h"), .line("add one \\"), .line("line !h"),
    ])
    #expect(transcript.text(of: .output).withoutIDs == "Added 1: two words\nAdded 2: one line\n")
    #expect(lines.prompts == ["todo> ", "...> ", "todo> ", "...> ", "todo> "])
  }

  /// A quote that continued in the next line was two lines of the history, and the second of them
  /// came back as a command of its own.
  @Test func aCommandOfTwoLinesIsOneInTheHistory() {
    let (_, _, lines) = run([
      .line("add \"two"), .line("words\" !h"), .line("ls"), .line(""), .line("add \"dropped"),
      .interrupted(hadText: true),
    ])
    #expect(lines.remembered == ["add \"two words\" !h", "ls"])
  }

  /// ^D at `...>` ended the program.
  @Test func controlDLeavesAnOpenQuote() {
    let (_, transcript, lines) = run([.line("add \"two"), .end, .line("add x !h"), .end])
    #expect(transcript.text(of: .output).withoutIDs == "Added 1: x\n")
    #expect(lines.prompts == ["todo> ", "...> ", "todo> ", "todo> "])
  }

  @Test func controlDLeavesTheGroupBeforeThePrompt() {
    let (status, transcript, lines) = run([
      .line("group add 집안일"), .line("open 집안일"), .line("add \"빨래"), .end, .end, .line("ls"), .end,
    ])
    #expect(status == .done)
    #expect(
      lines.prompts == [
        "todo> ", "todo> ", "todo/집안일> ", "...> ", "todo/집안일> ", "todo> ", "todo> ",
      ])
    #expect(transcript.text(of: .output).hasPrefix("Added group"))
  }

  @Test func controlCLeavesAnOpenQuote() {
    let (_, transcript, lines) = run([
      .line("add \"two"), .interrupted(hadText: false), .line("add x !h"),
    ])
    #expect(transcript.text(of: .output).withoutIDs == "Added 1: x\n")
    #expect(lines.prompts == ["todo> ", "...> ", "todo> ", "todo> "])
  }

  @Test func quitLeavesAndCommentsDoNothing() {
    let (status, transcript, _) = run([.line("# add a !h"), .line("quit"), .line("add b !h")])
    #expect(status == .done)
    #expect(transcript.text(of: .output) == "")
  }

  @Test func aStoreThatDoesNotOpenEndsThePromptBeforeItBegins() {
    let transcript = Transcript()
    let environment = Environment(
      variables: [:], output: RecordedOutput(transcript, .output),
      messages: RecordedOutput(transcript, .messages), answers: nil, terminal: nil,
      clock: TestTerminal.clock, script: TypedLines([]), startEditor: { _ in TypedLines([]) },
      openRepository: { _, _ in KnownRepository() })
    let session = Session(environment: environment, preferences: .init(environment: [:]))
    #expect(PromptRunner(session: session, lines: TypedLines(["ls"])).run() == .failed)
    #expect(transcript.text(of: .messages).contains("HOME"))
  }
}
