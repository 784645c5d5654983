import Testing
import TodoKit

@testable import TodoPrompt

@Suite struct GrammarTests {
  private func parse(_ line: String) throws -> Grammar.ParsedLine {
    try Grammar.parse(LineTokenizer(line).words)
  }

  private func expect(_ line: String, means expected: any Command) throws {
    let command = try #require(try parse(line).command)
    let isExpected = isEqual(expected, command)
    #expect(isExpected, "\(line): \(command)")
  }

  private func isEqual<C: Command>(_ expected: C, _ command: any Command) -> Bool {
    expected == command as? C
  }

  /// A line of each form of the verbs with options.
  static let forms = [
    "add milk", "ls", "ls home", "find milk", "import a.txt", "export a.txt", "export", "export -",
    "backup", "backup b",
    "config", "config color", "config color never", "rm 3", "rm", "group", "group add home",
    "group edit home", "group edit home --name house", "group image home a.png",
    "group image home none", "group image home save a.png", "group mv home top",
    "group mv home before work", "group rm home", "web", "web --link",
    "sync", "sync setup db", "sync status",
  ]

  /// A value for each option that takes one, other than the value that it has without the option.
  private static let values = [
    "--pri": "high", "-g": "home", "--due": "today", "--every": "day", "--wait": "today",
    "--est": "2h",
    "--sort": "due", "--format": "csv", "--map": "title=a", "--name": "flat", "--port": "8080",
    "--space": "a", "--password-file": "b",
  ]

  /// `group add home --force` was read, and the option was dropped without a word.
  @Test(arguments: forms) func everyOptionOfAVerbMeansSomethingOrIsRefused(form: String) throws {
    let words = LineTokenizer(form).words
    let command = try #require(Grammar.commandsByName[words[0]])
    let plain = try? parse(form).command
    for option in command.options {
      for name in option.names where !words.contains(name) {
        let takesValue = option.kind == .value || option.kind == .anyValue
        let value = try takesValue ? [#require(Self.values[option.names[0]], "\(name)")] : []
        guard let changed = try? Grammar.parse(words + [name] + value).command else { continue }
        let hasNoEffect = plain.map { isEqual($0, changed) } ?? false
        #expect(!hasNoEffect, "\(form) \(name)")
      }
    }
  }

  @Test func everyVerbWithOptionsHasAForm() {
    for command in Grammar.commands where !command.options.isEmpty {
      #expect(Self.forms.contains { $0.hasPrefix(command.name) }, "\(command.name)")
    }
  }

  @Test(arguments: ["", "--yes", "-o json", "--color never"])
  func aLineOfOptionsHasNoCommand(line: String) throws {
    #expect(try parse(line).command == nil)
  }

  /// A line, and the command it means.
  static let lines: [(String, any Command)] = [
    ("ls", ListCommand(words: [], filter: nil)),
    ("ls --all", ListCommand(words: [], filter: .all)),
    ("ls --undone", ListCommand(words: [], filter: .undone)),
    ("ls --all --all", ListCommand(words: [], filter: .all)),
    ("ls --done important", ListCommand(words: ["important"], filter: .done)),
    ("ls 집안 일", ListCommand(words: ["집안", "일"], filter: nil)),
    ("find milk #a -- #b", FindCommand(words: ["milk", "#a"], literalWords: ["#b"])),
    ("show 3", ShowCommand(target: "3")),
    ("show 집안 일", ShowCommand(target: "집안 일")),
    ("done 3 5-7", DoneCommand(targets: ["3", "5-7"])),
    ("undone ab12", UndoneCommand(targets: ["ab12"])),
    ("star 3 4", StarCommand(targets: ["3", "4"])),
    ("unstar 3", UnstarCommand(targets: ["3"])),
    ("edit 3 oat milk", EditCommand(words: ["3", "oat", "milk"])),
    ("edit 3", EditCommand(words: ["3"])),
    ("pri 3 4 high", PriorityCommand(targets: ["3", "4"], priority: .high)),
    ("pri 3 !l", PriorityCommand(targets: ["3"], priority: .low)),
    ("pri 3", PriorityCommand(targets: ["3"], priority: nil)),
    ("undo", UndoCommand()),
    ("redo", RedoCommand()),
    ("rm 3", RemoveCommand(target: .items(["3"]))),
    ("rm --all", RemoveCommand(target: .all(list: nil))),
    ("rm --all 집안 일", RemoveCommand(target: .all(list: "집안 일"))),
    ("help", HelpCommand(verb: nil)),
    ("help rm", HelpCommand(verb: "rm")),
    ("--help", HelpCommand(verb: nil)),
    ("rm 3 -h", HelpCommand(verb: "rm")),
    ("group rm x -h", HelpCommand(verb: "group")),
    ("quit", QuitCommand()),
  ]

  @Test(arguments: lines)
  func readsLines(line: String, expected: any Command) throws {
    try expect(line, means: expected)
  }

  static let additions: [(String, AddCommand)] = [
    ("add buy milk", AddCommand(title: "buy milk")),
    ("add a !h b", AddCommand(title: "a b", priority: .high)),
    ("add !보통 우유", AddCommand(title: "우유", priority: .normal)),
    ("add 우유 --pri=낮음", AddCommand(title: "우유", priority: .low)),
    ("add a !h --pri high", AddCommand(title: "a", priority: .high)),
    ("add a -- --pri !h @b #c", AddCommand(title: "a --pri !h @b #c")),
    ("add a ! -- !x !none", AddCommand(title: "a ! !x !none")),
    ("add a --pri none", AddCommand(title: "a", priority: Priority.none)),
    ("add 우유 사기 -g 집안일", AddCommand(title: "우유 사기", group: "집안일")),
    ("add 우유 @집안일 사기", AddCommand(title: "우유 사기", group: "집안일")),
    ("add a @b -g b", AddCommand(title: "a", group: "b")),
    (#"add a "@집안 일""#, AddCommand(title: "a", group: "집안 일")),
    (#"add a --group="집안 일""#, AddCommand(title: "a", group: "집안 일")),
    ("add a due:내일", AddCommand(title: "a", texts: [.due: "내일"])),
    (#"add a "due:next fri""#, AddCommand(title: "a", texts: [.due: "next fri"])),
    (#"add a --due "3일 뒤""#, AddCommand(title: "a", texts: [.due: "3일 뒤"])),
    ("add a #b #c #b", AddCommand(title: "a", tags: ["b", "c", "b"])),
    ("add a @ # due: me@b c#d", AddCommand(title: "a @ # due: me@b c#d")),
  ]

  @Test(arguments: additions)
  func signsSetPriorityGroupDayAndTagsApartFromTheTitle(line: String, item: AddCommand) throws {
    try expect(line, means: item)
  }

  static let arrangements: [(String, any Command)] = [
    ("due 3 내일", DueCommand(words: ["3", "내일"])),
    ("due 3 5-7 next fri", DueCommand(words: ["3", "5-7", "next", "fri"])),
    ("due 3 6/1", DueCommand(words: ["3", "6/1"])),
    ("due 3 2026-06-01", DueCommand(words: ["3", "2026-06-01"])),
    ("due 3 3일 뒤", DueCommand(words: ["3", "3일", "뒤"])),
    ("due beef +3d", DueCommand(words: ["beef", "+3d"])),
    ("due 3 none", DueCommand(words: ["3", "none"])),
    ("tag 3 a #b", TagCommand(words: ["3", "a", "#b"])),
    (
      "tag 3 4 -- cafe 5",
      TagCommand(words: TargetsAndText(words: ["3", "4"], literalWords: ["cafe", "5"]))
    ),
    ("tag cafe beef", TagCommand(words: ["cafe", "beef"])),
    ("tag 3 \u{23}2026", TagCommand(words: ["3", "#2026"])),
    ("untag 3-5 a", UntagCommand(words: ["3-5", "a"])),
    ("mv 5 before 2", MoveCommand(targets: ["5"], destination: .place(.before("2")))),
    ("mv 5 6 after 2", MoveCommand(targets: ["5", "6"], destination: .place(.after("2")))),
    ("mv 5 top", MoveCommand(targets: ["5"], destination: .place(.first))),
    ("mv 5 first", MoveCommand(targets: ["5"], destination: .place(.first))),
    ("mv 5 7-8 bottom", MoveCommand(targets: ["5", "7-8"], destination: .place(.last))),
    ("mv 5 last", MoveCommand(targets: ["5"], destination: .place(.last))),
    ("mv 5 to 집안 일", MoveCommand(targets: ["5"], destination: .group("집안 일"))),
    ("mv 5 to none", MoveCommand(targets: ["5"], destination: .group("none"))),
    (
      "mv 5 to before and after",
      MoveCommand(targets: ["5"], destination: .group("before and after"))
    ),
    ("group", GroupCommand(action: .list)),
    ("group add 집안 일", GroupCommand(action: .add(name: "집안 일", color: nil))),
    (
      "group add a --color '#ff8800'", GroupCommand(action: .add(name: "a", color: RGBA("#ff8800")))
    ),
    (
      "--color never group add a --color #F80",
      GroupCommand(action: .add(name: "a", color: RGBA("#ff8800")))
    ),
    ("group add -- -x", GroupCommand(action: .add(name: "-x", color: nil))),
    ("group edit 집안일 --name 살림", GroupCommand(action: .edit(group: "집안일", name: "살림", color: nil))),
    (
      "group edit a b --color=#f80",
      GroupCommand(action: .edit(group: "a b", name: nil, color: RGBA("#f80")))
    ),
    ("group mv a before b", GroupCommand(action: .move(group: "a", place: .before("b")))),
    ("group mv a b after c d", GroupCommand(action: .move(group: "a b", place: .after("c d")))),
    (
      "group mv before before after",
      GroupCommand(action: .move(group: "before", place: .before("after")))
    ),
    ("group mv a top", GroupCommand(action: .move(group: "a", place: .first))),
    ("group mv top bottom", GroupCommand(action: .move(group: "top", place: .last))),
    ("group rm 집안 일", GroupCommand(action: .remove(group: "집안 일"))),
  ]

  @Test(arguments: arrangements)
  func readsWhereThingsAreFiledAndPut(line: String, expected: any Command) throws {
    try expect(line, means: expected)
  }

  @Test(arguments: [
    "ad", "done", "undone", "edit", "pri", "pri high", "rm", "add x --pri urgent",
    "add x !h !l", "add x @a @b", "add x @a -g b", "add x due:today due:fri", "add -5 x",
    "ls --undone --done", "--frob", "-o xml ls", "--lang fr ls", "--db", "help nothing", "quit now",
    "show", "star", "unstar", "due", "due 3", "tag", "tag 3", "add a !x", "add a !none", "mv",
    "mv 3",
    "mv 3 4", "mv top", "mv before 3", "mv 3 before", "mv to a", "mv 3 to", "undo 3", "redo -- x",
    "group 집안일", "group ad x", "group add", "group edit x", "group edit --name x", "group mv x",
    "group mv x y", "group mv before x", "group rm", "group add x --name y", "group rm x --name y",
    "group --name x", "group add x --color purple", "group rm x --color '#fff'",
    "ls --color '#fff'", "ls --color sometimes",
  ])
  func refusesLinesWithTheUsageStatus(line: String) {
    let problem = #expect(throws: CommandError.self) { try parse(line) }
    #expect(problem?.status == .usage)
  }

  @Test func theTwoMeaningsOfColourDoNotMeet() throws {
    let options = try parse("--color always group add a --color #a0b0c0").options
    #expect(options.color == .always)
    #expect(options.groupColor == RGBA("#a0b0c0"))
  }

  @Test func optionsStandBeforeTheVerbOrAfterIt() throws {
    for line in [
      "--db x -o json --lang ko --yes add a b", "add a --db x --lang ko b --yes -o json",
      "--db=x add --output json a --yes b --lang=ko",
    ] {
      try expect(line, means: AddCommand(title: "a b"))
      let options = try parse(line).options
      #expect(options.storePath == "x")
      #expect(options.output == .json)
      #expect(options.lang == .korean)
      #expect(options.yes)
    }
  }

  @Test func commandsMayBeRepeatedAndMayBeginWithADash() throws {
    let parsed = try Grammar.parse(["-c", "add x", "-c", "--help"])
    #expect(parsed.command == nil)
    #expect(parsed.options.commands == ["add x", "--help"])
  }

  @Test(arguments: [
    ("추가 우유 !h", AddCommand(title: "우유", priority: .high) as any Command),
    ("목록 집안일", ListCommand(words: ["집안일"], filter: nil)),
    ("완료 3", DoneCommand(targets: ["3"])),
    ("삭제 3", RemoveCommand(target: .items(["3"]))),
    ("help 삭제", HelpCommand(verb: "rm")),
    ("--lang ko 삭제 --help", HelpCommand(verb: "rm")),
  ])
  func verbsHaveKoreanNames(line: String, expected: any Command) throws {
    try expect(line, means: expected)
  }
}

extension TargetsAndText: ExpressibleByArrayLiteral {
  /// Words before `--` alone.
  public init(arrayLiteral words: String...) {
    self.init(words: words, literalWords: [])
  }
}
