import Croft
import Foundation
import LineEditing
import Reactive
import TerminalText
import Testing
import TestSupport
import TodoFormats
import TodoKit
import TodoTestSupport

@testable import TodoPrompt

@Suite struct SessionTests {
  @Test func helpOpensNoStore() throws {
    let terminal = try TestTerminal(repository: KnownRepository())
    let transcript = Transcript()
    let environment = Environment(
      variables: [:], output: RecordedOutput(transcript, .output),
      messages: RecordedOutput(transcript, .messages), answers: nil, terminal: nil,
      clock: TestTerminal.clock, script: TypedLines([]), startEditor: { _ in TypedLines([]) },
      openRepository: { _, _ in
        Issue.record("help must not open the store")
        return terminal.repository
      })
    #expect(Program(environment: environment).run(["help"]) == .done)
    #expect(Program(environment: environment).run(["ad"]) == .usage)
    #expect(Program(environment: environment).run(["--help"]) == .done)
  }

  /// A change of an earlier line counted for all later ones: a lost list exited with 0, and the
  /// message said that the change was stored.
  @Test func aListThatIsLostAfterAStoredChangeIsAFailure() throws {
    let terminal = try TestTerminal()
    let transcript = Transcript()
    let environment = Environment(
      variables: terminal.variables, output: FailingOutput(flushes: 2),
      messages: RecordedOutput(transcript, .messages), answers: nil, terminal: nil,
      clock: TestTerminal.clock, script: TypedLines(["add milk !h", "ls"]),
      startEditor: { _ in TypedLines([]) }, openRepository: { _, _ in terminal.repository })
    #expect(Program(environment: environment).run([]) == .failed)
    #expect(transcript.text(of: .messages).hasPrefix("Results cannot be written:"))
    #expect(try terminal.repository.items(.all).count == 1)
  }

  /// A stream that fails after some flushes, as a disk does that runs full.
  private final class FailingOutput: TextOutput {
    let isTerminal = false
    let columns: Int? = nil
    let rows: Int? = nil
    private(set) var failure: Int32?
    private var flushes: Int

    init(flushes: Int) { self.flushes = flushes }

    func write(_ text: String) {}

    func flush() {
      flushes -= 1
      if flushes < 0 { failure = 28 }
    }
  }

  /// A list showed ids that differ within it, and another item of the store had the same digits.
  @Test func theIDsOfAListNameOneItemOfTheStore() throws {
    let repository = try CroftTodoRepository.inMemory()
    let home = TodoGroup.numbered(1, name: "home")
    var (one, other) = (
      TodoItem.numbered(1, title: "one", group: home.id), TodoItem.numbered(2, title: "other")
    )
    one.id = try #require(UUID(uuidString: "019B7C3E-0000-7000-8000-00000001A2B3"))
    other.id = try #require(UUID(uuidString: "019B7C3E-0000-7000-8000-00000002A2B3"))
    try repository.perform(.add(groups: [home], items: [one, other]))
    let terminal = try TestTerminal(repository: repository)
    #expect(terminal.run(["ls", "home"]).output.contains(" 1a2b3 "))
    #expect(terminal.run(["done", "1a2b3"]).status == .done)
  }

  /// A file of eight bytes, the signature of a PNG, was taken for a picture, and no picture that was
  /// stored came out again.
  @Test func aPictureIsWholeAndCanBeSaved() throws {
    let terminal = try TestTerminal()
    let folder = terminal.folder
    _ = terminal.run(["group", "add", "home"])
    let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    try Data(head).write(to: URL(filePath: folder.path(to: "head.png")))
    let refused = terminal.run(["group", "image", "home", folder.path(to: "head.png")])
    #expect(refused.status == .failed && refused.messages.contains("is not a picture"))
    let picture = Data(head + [0, 0, 0, 13] + Array("IHDR".utf8) + Array(repeating: 0, count: 50))
    try picture.write(to: URL(filePath: folder.path(to: "a.png")))
    #expect(
      terminal.run(["group", "image", "home", "save", folder.path(to: "none.png")]).messages
        == "Group \"home\" has no picture.\n")
    #expect(terminal.run(["group", "image", "home", folder.path(to: "a.png")]).status == .done)
    let copy = folder.path(to: "b.png")
    #expect(terminal.run(["group", "image", "home", "save", copy]).status == .done)
    #expect(try Data(contentsOf: URL(filePath: copy)) == picture)
    #expect(terminal.run(["그룹", "그림", "home", "저장", copy]).status == .failed)
    #expect(terminal.run(["group", "image", "home", "save", copy, "--force"]).status == .done)
  }

  @Test func withoutAHomeThereIsNoPlaceForTheListButHelp() throws {
    let transcript = Transcript()
    let environment = Environment(
      variables: [:], output: RecordedOutput(transcript, .output),
      messages: RecordedOutput(transcript, .messages), answers: nil, terminal: nil,
      clock: TestTerminal.clock, script: TypedLines([]), startEditor: { _ in TypedLines([]) },
      openRepository: { _, _ in try CroftTodoRepository.inMemory() })
    #expect(Program(environment: environment).run(["ls"]) == .failed)
    #expect(transcript.text(of: .messages).contains("HOME"))
  }

  @Test(arguments: [
    ([:], nil, "/home/u/.local/share/todo/todo.croft"),
    (["XDG_DATA_HOME": "/data"], nil, "/data/todo/todo.croft"),
    (["XDG_DATA_HOME": "relative"], nil, "/home/u/.local/share/todo/todo.croft"),
    (["TODO_DB": ""], nil, "/home/u/.local/share/todo/todo.croft"),
    (["TODO_DB": "/tmp/a.croft"], nil, "/tmp/a.croft"),
    (["TODO_DB": "/tmp/a.croft"], "/tmp/b.croft", "/tmp/b.croft"),
  ])
  func findsTheStore(environment: [String: String], option: String?, path: String) throws {
    let variables = environment.merging(["HOME": "/home/u"]) { given, _ in given }
    #expect(try Self.environment(variables).storePath(option: option) == path)
  }

  @Test func aNamedStoreNeedsItsFolder() throws {
    let folder = TemporaryFolder()
    let environment = Self.environment([:])
    _ = try environment.openStore(option: folder.path + "/x.croft", language: .english)
    _ = try environment.openStore(option: "x.croft", language: .english)
    #expect(throws: CommandError.self) {
      try environment.openStore(option: folder.path + "/missing/x.croft", language: .english)
    }
  }

  /// An environment of variables, with a repository in memory.
  private static func environment(_ variables: [String: String]) -> Environment {
    let transcript = Transcript()
    return Environment(
      variables: variables, output: RecordedOutput(transcript, .output),
      messages: RecordedOutput(transcript, .messages), answers: nil, terminal: nil,
      clock: TestTerminal.clock, script: TypedLines([]), startEditor: { _ in TypedLines([]) },
      openRepository: { _, _ in try CroftTodoRepository.inMemory() })
  }

  @Test func manyChangesAreOneTransaction() throws {
    let repository = CountingRepository()
    let terminal = try TestTerminal(repository: repository)
    let run = terminal.run(
      [], lines: ["add a !h", "add b !h", "add c !h", "done 1-3", "rm --yes 1-3"])
    #expect(run.status == .done)
    #expect(repository.writes == 5)
    #expect(repository.listReads == 0, "no command here needs a list")
  }

  /// Making many groups read all of them for each.
  @Test func namesOfGroupsAreFoundWithoutReadingAllGroups() throws {
    let repository = CountingRepository()
    let terminal = try TestTerminal(repository: repository)
    let lines = [
      "group add a", "group add b", "add x !h @a", "ls @A", "mv 1 to b", "ls", "find x @b",
      "group edit b --name c", "open c", "add y !h", "back", "show c", "add z !h @new --yes",
      "-o ndjson ls", "rm --all new --yes",
    ]
    let run = terminal.run([], lines: lines)
    #expect(run.status == .done, "\(run.messages)")
    #expect(repository.groupReads == 0)
  }

  @Test func eachCommandThatArrangesIsOneTransaction() throws {
    let repository = CountingRepository()
    let terminal = try TestTerminal(repository: repository)
    let lines = [
      "group add g", "add a !h @g", "add b !h @g", "add c !h", "star 1-3", "due 1-3 fri",
      "tag 1-3 x y", "untag 1-3 x", "mv 3 1 top", "mv 1-3 to g", "group edit g --name h",
      "group mv h top", "undo", "redo", "rm --all h --yes", "undo", "group rm h --yes", "undo",
    ]
    let run = terminal.run([], lines: lines)
    #expect(run.status == .done, "\(run.messages)")
    #expect(repository.writes == lines.count)
    // To see what goes with the group; what rm --all deletes is seen where it asks.
    #expect(repository.listReads == 1)
  }

  @Test func whatIsRefusedNeverReachesTheRepository() throws {
    let repository = CountingRepository()
    let terminal = try TestTerminal(repository: repository)
    _ = terminal.run(
      ["--keep-going"],
      lines: [
        "add", "add x", "add x --pri bogus", "done 1", "rm 1", "star 1", "due 1 fri", "tag 1 x",
        "mv 1 top", "add x !h @g", "add x !h due:soon", "group add important", "group rm g",
        "group edit g --name h", "group mv g top", "rm --all", "rm --all g",
      ])
    #expect(repository.writes == 0)
  }

  @Test func noTitleAndNoWordDrivesTheTerminal() throws {
    let terminal = try TestTerminal(environment: ["NO_COLOR": "1"], columns: 60)
    let title = "x\u{1B}[2J\u{9B}31m\ny"
    let runs = [
      terminal.run(["add", title, "!h"]), terminal.run(["ls"]), terminal.run(["-o", "json", "ls"]),
      terminal.run(["edit", "1", title + "!"]), terminal.run(["rm", "1"], answers: ["n"]),
      terminal.run(["done", title]), terminal.run([title]), terminal.run(["--" + title]),
      terminal.run(["-c", "add", "-c", "nonsense \(title)"]), terminal.run(["pri", "a001", title]),
      terminal.run(["group", "add", title]), terminal.run(["group", "add", title + "2"]),
      terminal.run(["group", "edit", title, "--name", title]), terminal.run(["group"]),
      terminal.run(["group", "edit", title, "--color", title]), terminal.run(["group", title]),
      terminal.run(["group", "mv", title, "after", title + "2"]),
      terminal.run(["group", "mv", title, "after", title + "3"]), terminal.run(["ls", title]),
      terminal.run(["show", title]), terminal.run(["show", title + "3"]),
      terminal.run(["ls", "--color", title]), terminal.run(["tag", "1", title]),
      terminal.run(["due", "1", title]), terminal.run(["mv", "1", "to", title]),
      terminal.run(["add", "x", "!h", "-g", title, "#" + title]), terminal.run(["ls"]),
      terminal.run(["show", "1"]), terminal.run(["rm", "1"]), terminal.run(["undo"]),
      terminal.run(["rm", "--all", title], answers: ["n"]),
      terminal.run(["group", "rm", title], answers: ["n"]),
      terminal.run(["group", "rm", title], answers: ["y"]), terminal.run(["undo"]),
      terminal.run(["-o", "json", "group"]), terminal.run(["-o", "json", "show", title]),
    ]
    for run in runs {
      for text in [run.output, run.messages] {
        #expect(!text.unicodeScalars.contains { $0.isControl && $0 != "\n" }, "\(text)")
        #expect(!text.contains("\ny"))
      }
    }
  }

  /// Such a deletion once promised an undo that had nothing to undo.
  @Test func aDeletionWithoutAHistoryPromisesNoUndo() throws {
    let repository = try CroftTodoRepository.inMemory(limits: HistoryLimits(commands: 0))
    let terminal = try TestTerminal(repository: repository)
    let run = terminal.run(
      ["--yes"],
      lines: [
        "group add A", "add a !h @A", "add b !h @A", "ls", "rm 1", "group rm A", "add c !h",
        "rm --all", "undo",
      ])
    let deletions = run.output.split(separator: "\n").filter { $0.hasPrefix("Deleted") }
    #expect(deletions.count == 3)
    for line in deletions {
      #expect(line.hasSuffix(" It cannot be undone: no history is kept."))
    }
    #expect(run.messages.contains("There is nothing to undo."))
    #expect(run.status == .failed)
  }

  /// Between the question and the answer another process adds to the group.
  @Test func aGroupThatHasChangedSinceTheQuestionIsNotDeleted() throws {
    let repository = KnownRepository()
    let group = try repository.perform(.addGroup(name: "집안일")).groups[0]
    try repository.perform(.add(TodoItem(title: "청소", priority: .high, group: Ref(group))))
    let transcript = Transcript()
    let late = LateAnswer {
      try repository.perform(.add(TodoItem(title: "빨래", priority: .high, group: Ref(group))))
    }
    let environment = Environment(
      variables: ["HOME": "/nonexistent"], output: RecordedOutput(transcript, .output),
      messages: RecordedOutput(transcript, .messages), answers: late, terminal: nil,
      clock: TestTerminal.clock, script: TypedLines([]), startEditor: { _ in TypedLines([]) },
      openRepository: { _, _ in repository })
    #expect(Program(environment: environment).run(["group", "rm", "집안일"]) == .failed)
    #expect(late.question == "Delete group \"집안일\" and 1 item? [y/N] ")
    #expect(transcript.text(of: .output) == "")
    #expect(
      transcript.text(of: .messages).hasSuffix(
        "It has changed since; nothing was changed: 집안일\n"))
    #expect(try repository.items(.all).count == 2)
    #expect(try repository.groups().count == 1)
  }

  @Test func whatWasShownIsWhatRmAllDeletes() throws {
    let repository = KnownRepository()
    try repository.perform(.add(TodoItem(title: "청소", priority: .high)))
    let transcript = Transcript()
    let late = LateAnswer(answer: "1") {
      try repository.perform(.add(TodoItem(title: "빨래", priority: .high)))
    }
    let environment = Environment(
      variables: ["HOME": "/nonexistent"], output: RecordedOutput(transcript, .output),
      messages: RecordedOutput(transcript, .messages), answers: late, terminal: nil,
      clock: TestTerminal.clock, script: TypedLines([]), startEditor: { _ in TypedLines([]) },
      openRepository: { _, _ in repository })
    #expect(Program(environment: environment).run(["rm", "--all"]) == .done)
    #expect(try repository.items(.all).map(\.title) == ["빨래"])
  }

  /// Between the question and the answer another process changes what was found.
  @Test(arguments: [
    (["group", "rm", "집안일"], "y"), (["rm", "--all"], "3"), (["pri", "a002"], "h"),
    (["rm", "a002", "a003", "a004"], "y"), (["clear"], "y"),
  ])
  func whatHasChangedSinceAQuestionIsNotTouched(words: [String], answer: String) throws {
    let repository = KnownRepository()
    let group = try repository.perform(.addGroup(name: "집안일")).groups[0]
    let items = ["청소", "빨래", "장보기"].map {
      TodoItem(title: $0, priority: .high, isDone: true, group: Ref(group))
    }
    try repository.perform(.add(items))
    let shown = try repository.items(.all)
    let transcript = Transcript()
    let late = LateAnswer(answer: answer) {
      _ = try repository.perform(.retitle(shown[0].id, to: "CHANGED"))
      _ = try repository.perform(.editGroup(group.id, GroupPatch(name: "다른")))
    }
    let environment = Environment(
      variables: ["HOME": "/nonexistent"], output: RecordedOutput(transcript, .output),
      messages: RecordedOutput(transcript, .messages), answers: late, terminal: nil,
      clock: TestTerminal.clock, script: TypedLines([]), startEditor: { _ in TypedLines([]) },
      openRepository: { _, _ in repository })
    #expect(Program(environment: environment).run(words) == .failed)
    #expect(late.question != nil)
    let messages = transcript.text(of: .messages)
    let name = words[0] == "group" ? "집안일" : "청소"
    let refusal = "It has changed since; nothing was changed: \(name)\n"
    #expect(messages.hasSuffix(refusal), "\(messages)")
    let left = try repository.items(.all)
    #expect(left.map(\.title) == ["CHANGED", "빨래", "장보기"])
    #expect(left.allSatisfy { $0.priority == .high })
  }

  /// Numbers that `less` shows are those of the terminal; an older list once kept them.
  @Test func aListThatWasPrintedIntoAPipeIsTheTerminalsLastList() throws {
    let terminal = try TestTerminal(columns: 80)
    for title in ["alpha", "gamma"] { _ = terminal.run(["add", title, "!h"]) }
    _ = terminal.run(["ls"])
    _ = terminal.run(["star", "2"])
    let piped = terminal.run(["ls", "important"], isPiped: true)
    #expect(piped.output.contains("1  [ ]  *  high  a002  gamma"), "\(piped.output)")
    #expect(terminal.run(["done", "1"]).output == "Done 1: gamma\n")
    _ = terminal.run(["add", "delta", "!h"], isPiped: true)
    #expect(terminal.run(["done", "2"], isPiped: true).output == "Done 2: delta\n")
  }

  /// Between the question and the answer another process deletes what was found.
  @Test(arguments: [
    (["group", "rm", "집안일"], "y", "There is no such group: 집안일\n"),
    (["rm", "--all"], "1", "There is no such to-do: 청소\n"),
    (["pri", "a002"], "h", "There is no such to-do: 청소\n"),
    (["--lang", "ko", "pri", "a002"], "h", "그런 할일이 없습니다: 청소\n"),
  ])
  func whatIsGoneAfterAQuestionIsToldByItsName(
    words: [String], answer: String, message: String
  ) throws {
    let repository = KnownRepository()
    let group = try repository.perform(.addGroup(name: "집안일")).groups[0]
    try repository.perform(.add(TodoItem(title: "청소", priority: .high, group: Ref(group))))
    let transcript = Transcript()
    let late = LateAnswer(answer: answer) { _ = try repository.perform(.deleteGroup(group.id)) }
    let environment = Environment(
      variables: ["HOME": "/nonexistent"], output: RecordedOutput(transcript, .output),
      messages: RecordedOutput(transcript, .messages), answers: late, terminal: nil,
      clock: TestTerminal.clock, script: TypedLines([]), startEditor: { _ in TypedLines([]) },
      openRepository: { _, _ in repository })
    #expect(Program(environment: environment).run(words) == .failed)
    #expect(transcript.text(of: .messages).hasSuffix(message), "\(transcript.text(of: .messages))")
  }

  @Test func aStorageErrorIsToldInOneLineAndFails() throws {
    let repository = CountingRepository()
    repository.error = Broken()
    let terminal = try TestTerminal(repository: repository)
    for words in [["add", "x", "!h"], ["group", "add", "x"], ["undo"]] {
      let run = terminal.run(words)
      #expect(run.status == .failed)
      #expect(run.output == "")
      #expect(run.messages.contains("the disk is on fire"))
      #expect(run.messages.filter { $0 == "\n" }.count == 1)
    }
  }

  @Test func aSessionHasATextEditedWhereSomebodyCanBeAsked() {
    for (canAsk, lines, text) in [
      (true, ["new"], "new"), (true, [], nil), (false, ["new"], nil),
    ] as [(Bool, [String], String?)] {
      let transcript = Transcript()
      let typed = TypedLines(lines)
      let environment = Environment(
        variables: [:], output: RecordedOutput(transcript, .output),
        messages: RecordedOutput(transcript, .messages),
        answers: canAsk ? PreparedAnswers([]) : nil, terminal: nil, clock: TestTerminal.clock,
        script: TypedLines([]), startEditor: { _ in typed },
        openRepository: { _, _ in KnownRepository() })
      let session = Session(environment: environment, preferences: .init(environment: [:]))
      #expect(session.edited("old", prompt: "title> ") == text)
      #expect(typed.prompts == (canAsk ? ["title> "] : []))
    }
  }
}

/// Somebody before whose answer something happens.
private final class LateAnswer: AnswerSource {
  private let answer: String
  private let happening: () throws -> Void
  private(set) var question: String?

  init(answer: String = "y", happening: @escaping () throws -> Void) {
    self.answer = answer
    self.happening = happening
  }

  func answer(to question: String) -> String? {
    self.question = question
    do {
      try happening()
    } catch {
      Issue.record(error)
    }
    return answer
  }
}

private struct Broken: Error, CustomStringConvertible {
  var description: String { "the disk is on fire" }
}

/// Counts what it is asked for; one thread.
private final class CountingRepository: TodoRepository, @unchecked Sendable {
  private let base = KnownRepository()
  var writes = 0
  var listReads = 0
  var groupReads = 0
  var error: (any Error)?

  private func write<Value>(_ body: () throws -> Value) throws -> Value {
    writes += 1
    if let error { throw error }
    return try body()
  }

  @discardableResult
  func perform(_ command: TodoKit.TodoCommand) throws -> CommandResult {
    try write { try base.perform(command) }
  }
  func item(_ id: UUID) throws -> TodoItem? { try base.item(id) }
  func items(endingIn ending: ShortID) throws -> [TodoItem] {
    try base.items(endingIn: ending)
  }

  func items(
    in list: ItemList, meeting conditions: [ItemCondition], sortedBy sort: ItemSort, limit: Int?
  ) throws -> [TodoItem] {
    try base.items(in: list, meeting: conditions, sortedBy: sort, limit: limit)
  }

  func items(in list: ItemList, _ filter: ItemFilter) throws -> [TodoItem] {
    listReads += 1
    return try base.items(in: list, filter)
  }
  func group(_ id: UUID) throws -> TodoGroup? { try base.group(id) }
  func page(_ request: ListPage.Request) throws -> ListPage { try base.page(request) }
  func observe(_ request: ListPage.Request) -> Observable<ListPage> {
    base.observe(request)
  }
  func overview(_ request: ListPage.Request) throws -> TodoOverview {
    try base.overview(request)
  }
  func observeOverview(_ request: ListPage.Request) -> Observable<TodoOverview> {
    base.observeOverview(request)
  }
  func forEachPortion(
    in list: ItemList, meeting conditions: [ItemCondition], sortedBy sort: ItemSort,
    _ body: ([TodoItem], [TodoGroup]) throws -> Void
  ) throws {
    try base.forEachPortion(in: list, meeting: conditions, sortedBy: sort, body)
  }
  func groups(named name: String) throws -> [TodoGroup] { try base.groups(named: name) }
  func groups() throws -> [GroupSummary] {
    groupReads += 1
    return try base.groups()
  }
  func tally(of list: ItemList) throws -> Tally { try base.tally(of: list) }
  func backUp(to path: String, replacesExisting: Bool) throws {
    try base.backUp(to: path, replacesExisting: replacesExisting)
  }
  func history() throws -> CommandHistory { try base.history() }
  func observe(in list: ItemList, _ filter: ItemFilter) -> Observable<[TodoItem]> {
    base.observe(in: list, filter)
  }
  func observeGroups() -> Observable<[GroupSummary]> { base.observeGroups() }
  func observeTally(of list: ItemList) -> Observable<Tally> { base.observeTally(of: list) }
  func observeHistory() -> Observable<CommandHistory> { base.observeHistory() }
}
