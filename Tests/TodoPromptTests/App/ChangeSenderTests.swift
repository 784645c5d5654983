import Testing
import TodoKit

@testable import TodoPrompt

@Suite struct ChangeSenderTests {
  private let repository: CroftTodoRepository

  init() throws { repository = try .inMemory() }

  @Test func eachActionIsAnsweredOrRefused() {
    let changes = ChangeSender(repository: repository)
    let actions = [
      TodoAction.addTask(TaskDraft(title: " milk ", priority: .high)),
      .addTask(TaskDraft(title: " ", priority: .high)),
      .addTask(TaskDraft(title: "bread", priority: nil)), .undo, .undo, .redo, .redo,
      .addGroup(GroupDraft(name: " ")),
    ]
    #expect(
      actions.map { action in text { try changes.perform(action) } }
        == [
          "milk", "Please enter a to-do.", "Please choose a priority.", "milk",
          "There is nothing to undo.", "milk", "There is nothing to redo.",
          "Please enter a name for the group.",
        ])
  }

  @Test func theDeletionOfAGroupIsAskedAboutBeforeItIsPerformed() throws {
    let changes = ChangeSender(repository: repository)
    let home = try changes.perform(.addGroup(GroupDraft(name: "home"))).groups[0]
    let question = try PendingDeletion(group: home.id, in: repository)
    #expect(question.titles == ["home"])
    #expect(try changes.perform(question.action).groups[0].name == "home")
    let error = #expect(throws: CommandError.self) { try changes.perform(question.action) }
    #expect(error?.text(in: .english).hasPrefix("There is no such group") == true)
  }

  @Test func theRepositoryIsReleasedWithTheSender() throws {
    weak var released: CroftTodoRepository?
    do {
      let repository = try CroftTodoRepository.inMemory()
      released = repository
      let changes = ChangeSender(repository: repository)
      let group = try changes.perform(.addGroup(GroupDraft(name: " 집안일 "))).groups[0]
      #expect(group.name == "집안일")
      #expect(released != nil)
    }
    #expect(released == nil)
  }

  /// The titles of a change, or the text of its error.
  private func text(of change: () throws -> CommandResult) -> String {
    do {
      return try change().items.map(\.title).joined(separator: " ")
    } catch {
      return CommandError(error).text(in: .english)
    }
  }
}
