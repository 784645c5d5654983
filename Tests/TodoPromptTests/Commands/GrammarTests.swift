import Testing
import TodoKit

@testable import TodoPrompt

@Suite struct GrammarTests {
  private func request(_ line: String) throws -> Request {
    var grammar = Grammar()
    return try grammar.parse(LineWords(line).words).request
  }

  @Test(arguments: [
    ("", Request.start),
    ("--yes", .start),
    ("add buy milk", .add(title: "buy milk", priority: nil)),
    ("add a !h b", .add(title: "a b", priority: .high)),
    ("add !보통 우유", .add(title: "우유", priority: .normal)),
    ("add 우유 --pri=낮음", .add(title: "우유", priority: .low)),
    ("add a !h --pri high", .add(title: "a", priority: .high)),
    ("add a -- --pri !h", .add(title: "a --pri !h", priority: nil)),
    ("add a !x ! !none", .add(title: "a !x ! !none", priority: nil)),
    ("add a --pri none", .add(title: "a", priority: Priority.none)),
    ("ls", .list(.all)),
    ("ls --all", .list(.all)),
    ("ls --undone", .list(.undone)),
    ("ls --done", .list(.done)),
    ("done 3 5-7", .setDone(targets: ["3", "5-7"], isDone: true)),
    ("undone ab12", .setDone(targets: ["ab12"], isDone: false)),
    ("edit 3 oat milk", .edit(target: "3", title: "oat milk")),
    ("edit 3", .edit(target: "3", title: "")),
    ("pri 3 4 high", .setPriority(targets: ["3", "4"], priority: .high)),
    ("pri 3 !l", .setPriority(targets: ["3"], priority: .low)),
    ("pri 3", .setPriority(targets: ["3"], priority: nil)),
    ("rm 3", .remove(targets: ["3"])),
    ("help", .help(nil)),
    ("help rm", .help(.rm)),
    ("--help", .help(nil)),
    ("rm 3 -h", .help(.rm)),
    ("quit", .quit),
  ])
  func readsLines(line: String, expected: Request) throws {
    #expect(try request(line) == expected)
  }

  @Test(arguments: [
    "ad", "ls extra", "done", "undone", "edit", "pri", "pri high", "rm", "add x --pri urgent",
    "add x !h !l", "add -5 x", "ls --undone --done", "--frob", "-o xml ls", "--lang fr ls", "--db",
    "help nothing", "quit now",
  ])
  func refusesLinesWithTheUsageStatus(line: String) {
    let problem = #expect(throws: Problem.self) { try request(line) }
    #expect(problem?.status == .usage)
  }

  @Test func optionsStandBeforeTheVerbOrAfterIt() throws {
    for line in [
      "--db x -o json --lang ko --yes add a b", "add a --db x --lang ko b --yes -o json",
      "--db=x add --output json a --yes b --lang=ko",
    ] {
      var grammar = Grammar()
      let invocation = try grammar.parse(LineWords(line).words)
      #expect(invocation.request == .add(title: "a b", priority: nil))
      #expect(invocation.options.storePath == "x")
      #expect(invocation.options.output == .json)
      #expect(invocation.options.lang == .korean)
      #expect(invocation.options.yes)
    }
  }

  @Test func commandsMayBeRepeatedAndMayBeginWithADash() throws {
    var grammar = Grammar()
    let invocation = try grammar.parse(["-c", "add x", "-c", "--help"])
    #expect(invocation.request == .start)
    #expect(invocation.options.commands == ["add x", "--help"])
  }

  /// The grammar keeps the first plain line of each verb and only changes its words.
  @Test func aRememberedLineReadsLikeAFreshOne() throws {
    let lines = [
      "add a b !h", "ls", "add c", "done 1", "add --pri low d", "add e !n", "done 2 3", "ls --done",
      "pri 1 high", "pri 2 low", "edit 1 x y", "edit 2 z", "rm 1", "rm 2", "undone 1", "undone 4",
      "help add", "help", "help rm", "add",
    ]
    var grammar = Grammar()
    for line in lines {
      #expect(try grammar.parse(LineWords(line).words).request == request(line), "\(line)")
    }
  }

  @Test func aCompletionScriptIsShown() throws {
    var grammar = Grammar()
    let invocation = try grammar.parse(["--generate-completion-script", "bash"])
    guard case .show(let script) = invocation.request else {
      Issue.record("The script must be shown.")
      return
    }
    #expect(script.contains("undone"))
    #expect(invocation.options.storePath == nil)
  }
}
