import CroftFoundation
import Presentation
import TodoKit

/// The changes that commands make by the view models.
extension Session {
  /// Performs a change.
  func perform(_ action: TodoAction) throws -> CommandResult {
    try viewModels().perform(action)
  }

  /// Performs a change of items that were found before; an error has their titles.
  func perform(_ action: TodoAction, about items: [TodoItem]) throws -> CommandResult {
    do { return try perform(action) } catch { throw CommandError(error).naming(items) }
  }

  /// Performs a change that may lack a priority, for which the user is asked then.
  ///
  /// - Parameters:
  ///   - hint: How a priority is written, for errors where no user can be asked.
  ///   - filled: The change with the priority that the user chose.
  func perform(
    _ action: TodoAction, hint: LocalizedText = .choosePriority,
    with filled: (Priority) -> TodoAction
  ) throws -> CommandResult {
    do { return try perform(action) } catch let error as CommandError {
      guard error.lacksPriority else { throw error }
      guard let priority = questions?.priority() else { throw error.hinting(hint) }
      return try perform(filled(priority))
    }
  }

  /// Changes selected items, and prints the answer for each of them.
  func change(
    _ selected: [SelectedItem], by action: TodoAction,
    answer: (_ label: String, TodoItem) -> LocalizedText
  ) throws {
    try say(try perform(action, about: selected.map(\.item)), as: selected, answer)
  }

  /// Resolves words to items, changes these, and prints the answer for each of them.
  func change(
    _ targets: [String], by action: ([UUID]) -> TodoAction,
    answer: (_ label: String, TodoItem) -> LocalizedText
  ) throws {
    let selected = try select(targets)
    try change(selected, by: action(selected.map(\.item.id)), answer: answer)
  }

  /// The priority of an item from which one was taken: that of the settings, else what the user
  /// answers.
  ///
  /// - Throws: An error where the settings demand a priority and the user chooses none.
  func replacementPriority() throws -> Priority {
    if let priority = try defaultPriority() { return priority }
    if config[.priority] == "none" { return .none }
    guard let priority = questions?.priority() else {
      throw CommandError(ValidationIssue(.required, at: .priority)).hinting(.choosePriority)
    }
    return priority
  }
}

extension LocalizedText {
  static let choosePriority = LocalizedText(
    "Write !h, !n or !l; \"config priority none\" adds items without a priority.",
    "!h, !n, !l 가운데 하나를 쓰세요. \"config priority none\"은 중요도 없이 추가하게 합니다.")
}
