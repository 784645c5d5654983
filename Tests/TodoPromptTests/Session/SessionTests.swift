import Foundation
import Reactive
import Testing
import TodoKit

@testable import TodoPrompt

@Suite struct SessionTests {
  @Test func helpOpensNoStore() throws {
    let terminal = try TestTerminal(repository: KnownRepository())
    let transcript = Transcript()
    let host = Host(
      environment: [:], output: RecordedOutput(transcript, .output),
      messages: RecordedOutput(transcript, .messages), answers: nil, terminal: nil,
      clock: TestTerminal.clock, script: TypedLines([]), startEditor: { _ in TypedLines([]) },
      openRepository: { _ in
        Issue.record("help must not open the store")
        return terminal.repository
      })
    #expect(Program(host: host).run(["help"]) == .done)
    #expect(Program(host: host).run(["ad"]) == .usage)
    #expect(Program(host: host).run(["--help"]) == .done)
  }

  @Test func withoutAHomeThereIsNoPlaceForTheListButHelp() throws {
    let transcript = Transcript()
    let host = Host(
      environment: [:], output: RecordedOutput(transcript, .output),
      messages: RecordedOutput(transcript, .messages), answers: nil, terminal: nil,
      clock: TestTerminal.clock, script: TypedLines([]), startEditor: { _ in TypedLines([]) },
      openRepository: { _ in InMemoryTodoRepository() })
    #expect(Program(host: host).run(["ls"]) == .failed)
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
    #expect(try StorePlace(option: option, environment: variables).path == path)
  }

  @Test func aNamedStoreNeedsItsFolder() throws {
    let folder = try TemporaryFolder()
    try StorePlace(option: folder.path + "/x.croft", environment: [:]).check()
    try StorePlace(option: "x.croft", environment: [:]).check()
    #expect(throws: Problem.self) {
      try StorePlace(option: folder.path + "/missing/x.croft", environment: [:]).check()
    }
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

  @Test func whatIsRefusedNeverReachesTheRepository() throws {
    let repository = CountingRepository()
    let terminal = try TestTerminal(repository: repository)
    _ = terminal.run(
      ["--keep-going"], lines: ["add", "add x", "add x --pri none", "done 1", "rm 1"])
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
    ]
    for run in runs {
      for text in [run.output, run.messages] {
        #expect(!text.unicodeScalars.contains { $0.drivesTerminal && $0 != "\n" }, "\(text)")
        #expect(!text.contains("\ny"))
      }
    }
  }

  @Test func aStorageErrorIsToldInOneLineAndFails() throws {
    let repository = CountingRepository()
    repository.error = Broken()
    let terminal = try TestTerminal(repository: repository)
    let run = terminal.run(["add", "x", "!h"])
    #expect(run.status == .failed)
    #expect(run.output == "")
    #expect(run.messages.contains("the disk is on fire"))
    #expect(run.messages.filter { $0 == "\n" }.count == 1)
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
  var error: (any Error)?

  private func write<Value>(_ body: () throws -> Value) throws -> Value {
    writes += 1
    if let error { throw error }
    return try body()
  }

  func perform(_ intent: TodoIntent) throws -> TodoReceipt {
    try write { try base.perform(intent) }
  }
  func item(_ id: UUID) throws -> TodoItem? { try base.item(id) }
  func items(in list: ItemList, _ filter: ItemFilter) throws -> [TodoItem] {
    listReads += 1
    return try base.items(in: list, filter)
  }
  func group(_ id: UUID) throws -> TodoGroup? { try base.group(id) }
  func groups() throws -> [GroupSummary] { try base.groups() }
  func tally(of list: ItemList) throws -> Tally { try base.tally(of: list) }
  func history() throws -> CommandHistory { try base.history() }
  func observe(in list: ItemList, _ filter: ItemFilter) -> Observable<[TodoItem]> {
    base.observe(in: list, filter)
  }
  func observeGroups() -> Observable<[GroupSummary]> { base.observeGroups() }
  func observeTally(of list: ItemList) -> Observable<Tally> { base.observeTally(of: list) }
  func observeHistory() -> Observable<CommandHistory> { base.observeHistory() }
}
