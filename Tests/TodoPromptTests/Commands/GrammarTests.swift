import Testing
import TodoKit

@testable import TodoPrompt

@Suite struct GrammarTests {
  private func request(_ line: String) throws -> Request {
    var grammar = Grammar()
    return try grammar.parse(LineTokenizer(line).words).request
  }

  /// What a line means, and the line.
  static let lines: [(String, Request)] = [
    ("", .start),
    ("--yes", .start),
    ("ls", .list(name: nil, .all)),
    ("ls --all", .list(name: nil, .all)),
    ("ls --undone", .list(name: nil, .undone)),
    ("ls --done important", .list(name: "important", .done)),
    ("ls 집안 일", .list(name: "집안 일", .all)),
    ("show 3", .show(target: "3")),
    ("show 집안 일", .show(target: "집안 일")),
    ("done 3 5-7", .setDone(targets: ["3", "5-7"], isDone: true)),
    ("undone ab12", .setDone(targets: ["ab12"], isDone: false)),
    ("star 3 4", .setImportant(targets: ["3", "4"], isImportant: true)),
    ("unstar 3", .setImportant(targets: ["3"], isImportant: false)),
    ("edit 3 oat milk", .edit(target: "3", title: "oat milk")),
    ("edit 3", .edit(target: "3", title: "")),
    ("pri 3 4 high", .setPriority(targets: ["3", "4"], priority: .high)),
    ("pri 3 !l", .setPriority(targets: ["3"], priority: .low)),
    ("pri 3", .setPriority(targets: ["3"], priority: nil)),
    ("undo", .undo),
    ("redo", .redo),
    ("rm 3", .remove(targets: ["3"])),
    ("rm --all", .removeAll(name: nil)),
    ("rm --all 집안 일", .removeAll(name: "집안 일")),
    ("help", .help(nil)),
    ("help rm", .help(.rm)),
    ("--help", .help(nil)),
    ("rm 3 -h", .help(.rm)),
    ("group rm x -h", .help(.group)),
    ("quit", .quit),
  ]

  @Test(arguments: lines)
  func readsLines(line: String, expected: Request) throws {
    #expect(try request(line) == expected)
  }

  static let additions: [(String, AddArguments)] = [
    ("add buy milk", AddArguments(title: "buy milk")),
    ("add a !h b", AddArguments(title: "a b", priority: .high)),
    ("add !보통 우유", AddArguments(title: "우유", priority: .normal)),
    ("add 우유 --pri=낮음", AddArguments(title: "우유", priority: .low)),
    ("add a !h --pri high", AddArguments(title: "a", priority: .high)),
    ("add a -- --pri !h @b #c", AddArguments(title: "a --pri !h @b #c")),
    ("add a !x ! !none", AddArguments(title: "a !x ! !none")),
    ("add a --pri none", AddArguments(title: "a", priority: Priority.none)),
    ("add 우유 사기 -g 집안일", AddArguments(title: "우유 사기", group: "집안일")),
    ("add 우유 @집안일 사기", AddArguments(title: "우유 사기", group: "집안일")),
    ("add a @b -g b", AddArguments(title: "a", group: "b")),
    (#"add a "@집안 일""#, AddArguments(title: "a", group: "집안 일")),
    (#"add a --group="집안 일""#, AddArguments(title: "a", group: "집안 일")),
    ("add a due:내일", AddArguments(title: "a", due: "내일")),
    (#"add a "due:next fri""#, AddArguments(title: "a", due: "next fri")),
    (#"add a --due "3일 뒤""#, AddArguments(title: "a", due: "3일 뒤")),
    ("add a #b #c #b", AddArguments(title: "a", tags: ["b", "c", "b"])),
    ("add a @ # due: me@b c#d", AddArguments(title: "a @ # due: me@b c#d")),
  ]

  @Test(arguments: additions)
  func signsSetPriorityGroupDayAndTagsApartFromTheTitle(line: String, item: AddArguments) throws {
    #expect(try request(line) == .add(item))
  }

  static let arrangements: [(String, Request)] = [
    ("due 3 내일", .setDue(targets: ["3"], day: "내일")),
    ("due 3 5-7 next fri", .setDue(targets: ["3", "5-7"], day: "next fri")),
    ("due 3 6/1", .setDue(targets: ["3"], day: "6/1")),
    ("due 3 2026-06-01", .setDue(targets: ["3"], day: "2026-06-01")),
    ("due 3 3일 뒤", .setDue(targets: ["3"], day: "3일 뒤")),
    ("due beef +3d", .setDue(targets: ["beef"], day: "+3d")),
    ("due 3 none", .setDue(targets: ["3"], day: "none")),
    ("tag 3 a #b", .addTags(targets: ["3"], tags: ["a", "b"])),
    ("tag 3 4 cafe 5", .addTags(targets: ["3", "4"], tags: ["cafe", "5"])),
    ("tag cafe beef", .addTags(targets: ["cafe"], tags: ["beef"])),
    ("tag 3 \u{23}2026", .addTags(targets: ["3"], tags: ["2026"])),
    ("untag 3-5 a", .removeTags(targets: ["3-5"], tags: ["a"])),
    ("mv 5 before 2", .move(targets: ["5"], place: .before("2"))),
    ("mv 5 6 after 2", .move(targets: ["5", "6"], place: .after("2"))),
    ("mv 5 top", .move(targets: ["5"], place: .first)),
    ("mv 5 first", .move(targets: ["5"], place: .first)),
    ("mv 5 7-8 bottom", .move(targets: ["5", "7-8"], place: .last)),
    ("mv 5 last", .move(targets: ["5"], place: .last)),
    ("mv 5 to 집안 일", .setGroup(targets: ["5"], group: "집안 일")),
    ("mv 5 to none", .setGroup(targets: ["5"], group: "none")),
    ("mv 5 to before and after", .setGroup(targets: ["5"], group: "before and after")),
    ("group", .group(.list)),
    ("group add 집안 일", .group(.add(name: "집안 일", color: nil))),
    ("group add a --color '#ff8800'", .group(.add(name: "a", color: RGBA("#ff8800")))),
    ("--color never group add a --color #F80", .group(.add(name: "a", color: RGBA("#ff8800")))),
    ("group add -- -x", .group(.add(name: "-x", color: nil))),
    ("group edit 집안일 --name 살림", .group(.edit(group: "집안일", name: "살림", color: nil))),
    ("group edit a b --color=#f80", .group(.edit(group: "a b", name: nil, color: RGBA("#f80")))),
    ("group mv a before b", .group(.move(group: "a", place: .before("b")))),
    ("group mv a b after c d", .group(.move(group: "a b", place: .after("c d")))),
    ("group mv before before after", .group(.move(group: "before", place: .before("after")))),
    ("group mv a top", .group(.move(group: "a", place: .first))),
    ("group mv top bottom", .group(.move(group: "top", place: .last))),
    ("group rm 집안 일", .group(.remove(group: "집안 일"))),
  ]

  @Test(arguments: arrangements)
  func readsWhereThingsAreFiledAndPut(line: String, expected: Request) throws {
    #expect(try request(line) == expected)
  }

  @Test(arguments: [
    "ad", "done", "undone", "edit", "pri", "pri high", "rm", "add x --pri urgent",
    "add x !h !l", "add x @a @b", "add x @a -g b", "add x due:today due:fri", "add -5 x",
    "ls --undone --done", "--frob", "-o xml ls", "--lang fr ls", "--db", "help nothing", "quit now",
    "show", "star", "unstar", "due", "due 3", "due 3 4", "tag", "tag 3", "untag 3 4-5", "mv",
    "mv 3",
    "mv 3 4", "mv top", "mv before 3", "mv 3 before", "mv to a", "mv 3 to", "undo 3", "redo -- x",
    "group 집안일", "group ad x", "group add", "group edit x", "group edit --name x", "group mv x",
    "group mv x y", "group mv before x", "group rm", "group add x --name y", "group rm x --name y",
    "group --name x", "group add x --color purple", "group rm x --color '#fff'",
    "ls --color '#fff'", "ls --color sometimes",
  ])
  func refusesLinesWithTheUsageStatus(line: String) {
    let problem = #expect(throws: CommandError.self) { try request(line) }
    #expect(problem?.status == .usage)
  }

  @Test func theTwoMeaningsOfColourDoNotMeet() throws {
    var grammar = Grammar()
    let words = LineTokenizer("--color always group add a --color #a0b0c0").words
    let options = try grammar.parse(words).options
    #expect(options.color == .always)
    #expect(options.groupColor == RGBA("#a0b0c0"))
  }

  @Test func optionsStandBeforeTheVerbOrAfterIt() throws {
    for line in [
      "--db x -o json --lang ko --yes add a b", "add a --db x --lang ko b --yes -o json",
      "--db=x add --output json a --yes b --lang=ko",
    ] {
      var grammar = Grammar()
      let invocation = try grammar.parse(LineTokenizer(line).words)
      #expect(invocation.request == .add(AddArguments(title: "a b")))
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
      "help add", "help", "help rm", "add", "add @a f #b", "add g due:fri", "group", "group add x",
      "group mv x top", "group edit x --name y", "group rm y", "mv 1 top", "mv 2 to x", "due 1 fri",
      "due 2 none", "tag 1 a", "tag 2 b", "star 1", "star 2", "undo", "undo", "ls x", "show x",
    ]
    var grammar = Grammar()
    for line in lines {
      #expect(try grammar.parse(LineTokenizer(line).words).request == request(line), "\(line)")
    }
  }

  @Test func aCompletionScriptIsShown() throws {
    var grammar = Grammar()
    let invocation = try grammar.parse(["--generate-completion-script", "bash"])
    guard case .text(let script) = invocation.request else {
      Issue.record("The script must be shown.")
      return
    }
    #expect(script.contains("undone"))
    #expect(invocation.options.storePath == nil)
  }
}
