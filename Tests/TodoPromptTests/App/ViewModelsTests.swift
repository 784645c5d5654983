import Testing
import TodoKit

@testable import TodoPrompt

@Suite struct ViewModelsTests {
  private let repository: CroftTodoRepository

  init() throws { repository = try .inMemory() }

  @Test func eachActionIsAnsweredOrRefused() {
    let viewModels = ViewModels(repository: repository)
    let actions = [
      TodoAction.addTask(TaskDraft(title: " milk ", priority: .high)),
      .addTask(TaskDraft(title: " ", priority: .high)),
      .addTask(TaskDraft(title: "bread", priority: nil)), .undo, .undo, .redo, .redo,
      .addGroup(GroupDraft(name: " ")),
    ]
    #expect(
      actions.map { action in text { try viewModels.perform(action) } }
        == [
          "milk", "Please enter a to-do.", "Please choose a priority.", "milk",
          "There is nothing to undo.", "milk", "There is nothing to redo.",
          "Please enter a name for the group.",
        ])
  }

  /// Answers about deletions come from another view model, and do not take a change's answer.
  @Test func theDeletionOfAGroupIsAskedAboutBeforeItIsPerformed() throws {
    let viewModels = ViewModels(repository: repository)
    let home = try viewModels.perform(.addGroup(GroupDraft(name: "home"))).groups[0]
    let question = try viewModels.pendingDeletion(ofGroup: home.id)
    #expect(question.titles == ["home"])
    #expect(try viewModels.perform(question.action).groups[0].name == "home")
    let error = #expect(throws: CommandError.self) {
      try viewModels.pendingDeletion(ofGroup: home.id)
    }
    #expect(error?.text(in: .english).hasPrefix("There is no such group") == true)
  }

  @Test func theRepositoryIsReleasedWithTheViewModels() throws {
    weak var released: CroftTodoRepository?
    do {
      let repository = try CroftTodoRepository.inMemory()
      released = repository
      let viewModels = ViewModels(repository: repository)
      let group = try viewModels.perform(.addGroup(GroupDraft(name: " 집안일 "))).groups[0]
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
