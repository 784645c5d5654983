import Testing
import TodoKit

@testable import TodoPrompt

@Suite struct ViewModelsTests {
  private let repository: CroftTodoRepository

  init() throws { repository = try .inMemory() }

  /// What replies say, in their order; an error that a reply throws, too.
  private final class Log {
    var lines: [String] = []
  }

  @Test func eachInputIsAnsweredBeforeSendingReturns() throws {
    let log = Log()
    let viewModels = ViewModels(repository: repository)
    for draft in [
      TaskDraft(title: " milk ", priority: .high), TaskDraft(title: " ", priority: .high),
      TaskDraft(title: "bread", priority: nil),
    ] {
      try viewModels.send(.addTask(draft)) { log.lines.append(titles(of: $0)) }
    }
    #expect(log.lines == ["milk", "Please enter a to-do.", "Please choose a priority."])
    try viewModels.send(.undo) { log.lines.append(titles(of: $0)) }
    try viewModels.send(.undo) { log.lines.append(titles(of: $0)) }
    #expect(log.lines.suffix(2) == ["milk", "There is nothing to undo."])
  }

  /// A reply sends again, as the prompt does after it has asked for a priority.
  @Test func aReplyMaySendInput() throws {
    let log = Log()
    let viewModels = ViewModels(repository: repository)
    try viewModels.send(.addTask(TaskDraft(title: "milk", priority: nil))) {
      answer throws(CommandError) in
      log.lines.append(titles(of: answer))
      try viewModels.send(.addTask(TaskDraft(title: "milk", priority: .low))) {
        log.lines.append(titles(of: $0))
      }
    }
    #expect(log.lines == ["Please choose a priority.", "milk"])
    #expect(try repository.items(.all).count == 1)
  }

  /// Errors of replies were reported, and `send` returned as after a success: `mv` then took the
  /// missing group for none.
  @Test func sendingThrowsWhatTheReplyThrows() throws {
    let log = Log()
    let viewModels = ViewModels(repository: repository)
    for action in [TodoAction.redo, .addGroup(GroupDraft(name: " "))] {
      do throws(CommandError) {
        try viewModels.send(action) { answer throws(CommandError) in _ = try answer.get() }
        Issue.record("\(action) is refused.")
      } catch {
        log.lines.append(error.text(in: .english))
      }
    }
    #expect(log.lines == ["There is nothing to redo.", "Please enter a name for the group."])
  }

  /// Answers about deletions come from another view model, and do not take a change's reply.
  @Test func theDeletionOfAGroupIsAskedAboutBeforeItIsSent() throws {
    let log = Log()
    let viewModels = ViewModels(repository: repository)
    try viewModels.send(.addGroup(GroupDraft(name: "home"))) { answer throws(CommandError) in
      log.lines.append(try answer.get().groups[0].name)
    }
    let id = try #require(try repository.groups().first?.id)
    for _ in 1...2 {
      do throws(CommandError) {
        try viewModels.requestDeletion(ofGroup: id) { answer throws(CommandError) in
          let question = try answer.get()
          log.lines.append(contentsOf: question.titles)
          try viewModels.send(question.action) { answer throws(CommandError) in
            log.lines.append("deleted \(try answer.get().groups[0].name)")
          }
        }
      } catch {
        log.lines.append(error.text(in: .english))
      }
    }
    #expect(log.lines.prefix(3) == ["home", "home", "deleted home"])
    #expect(log.lines.count == 4 && log.lines[3].hasPrefix("There is no such group"))
  }

  @Test func theRepositoryIsReleasedWithTheViewModels() throws {
    weak var released: CroftTodoRepository?
    do {
      let repository = try CroftTodoRepository.inMemory()
      released = repository
      let viewModels = ViewModels(repository: repository)
      var name: String?
      try viewModels.send(.addGroup(GroupDraft(name: " 집안일 "))) { answer throws(CommandError) in
        name = try answer.get().groups.first?.name
      }
      #expect(name == "집안일")
      #expect(released != nil)
    }
    #expect(released == nil)
  }

  private func titles(of answer: Result<CommandResult, CommandError>) -> String {
    switch answer {
    case .success(let change): change.items.map(\.title).joined(separator: " ")
    case .failure(let error): error.text(in: .english)
    }
  }
}
