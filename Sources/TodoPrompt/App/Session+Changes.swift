import CroftFoundation
import Presentation
import TodoKit

/// The changes that commands send to the view models.
extension Session {
  /// Sends a new task; if it lacks a priority, the user is asked for one.
  func send(
    _ draft: TaskDraft, inNewGroup group: String? = nil,
    reply: (TodoItem) throws(CommandError) -> Void
  ) throws(CommandError) {
    let viewModels = try viewModels()
    try viewModels.send(.addTask(draft, inNewGroup: group)) { [self] answer throws(CommandError) in
      guard let priority = try missingPriority(in: answer, hint: .choosePriority)
      else { return try reply(answer.get().items[0]) }
      var draft = draft
      draft.priority = priority
      try viewModels.send(.addTask(draft, inNewGroup: group)) { answer throws(CommandError) in
        try reply(answer.get().items[0])
      }
    }
  }

  /// Sends a change.
  func send(
    _ action: TodoAction, reply: ViewModels.Reply<CommandResult>
  ) throws(CommandError) {
    try viewModels().send(action, reply: reply)
  }

  /// Sends a change of items that were found before; an error has their titles.
  func send(
    _ action: TodoAction, about items: [TodoItem],
    reply: (CommandResult) throws(CommandError) -> Void
  ) throws(CommandError) {
    let titles = titles(of: items)
    try send(action) { answer throws(CommandError) in
      try reply(answer.mapError { $0.naming(titles) }.get())
    }
  }

  /// Sends a change of selected items, and prints the answer for each of them.
  func send(
    _ action: TodoAction, about selected: [SelectedItem],
    answer text: (_ label: String, TodoItem) -> LocalizedText
  ) throws(CommandError) {
    try send(action, about: selected.map(\.item)) { [self] change throws(CommandError) in
      try say(change, as: selected, text)
    }
  }

  /// Resolves words to items, sends a change of them, and prints the answer for each item.
  func change(
    _ targets: [String], by action: ([UUID]) -> TodoAction,
    answer: (_ label: String, TodoItem) -> LocalizedText
  ) throws(CommandError) {
    let selected = try select(targets)
    try send(action(selected.map(\.item.id)), about: selected, answer: answer)
  }

  /// Sends the priority of selected items; if none was typed, the user is asked for one.
  ///
  /// - Parameter hint: How a priority is written, for errors where no user can be asked.
  func sendPriority(
    _ priority: Priority?, of selected: [SelectedItem], hint: LocalizedText,
    answer text: (_ label: String, TodoItem) -> LocalizedText
  ) throws(CommandError) {
    let ids = selected.map(\.item.id)
    let titles = titles(of: selected.map(\.item))
    try send(.setPriority(ids, priority)) { [self] answer throws(CommandError) in
      guard let chosen = try missingPriority(in: answer, hint: hint) else {
        return try say(answer.mapError { $0.naming(titles) }.get(), as: selected, text)
      }
      let shown = ExpectedState(items: selected.map(\.item))
      try send(
        .ifUnchanged(shown, then: .setPriority(ids, chosen)), about: selected, answer: text)
    }
  }

  /// The priority of an item from which one was taken: that of the settings, else what the user
  /// answers.
  ///
  /// - Throws: An error where the settings demand a priority and the user chooses none.
  func replacementPriority() throws(CommandError) -> Priority {
    if let priority = try defaultPriority() { return priority }
    if config[.priority] == "none" { return .none }
    guard let priority = questions?.priority() else {
      throw CommandError(ValidationIssue(.required, at: .priority)).hinting(.choosePriority)
    }
    return priority
  }

  private func titles(of items: [TodoItem]) -> [UUID: String] {
    Dictionary(items.map { ($0.id, $0.title) }) { first, _ in first }
  }

  /// Asks for the priority that is missing according to an answer; nil if none is missing.
  private func missingPriority(
    in answer: Result<CommandResult, CommandError>, hint: LocalizedText
  ) throws(CommandError) -> Priority? {
    guard case .failure(let error) = answer, error.lacksPriority else { return nil }
    guard let questions else { throw error.hinting(hint) }
    guard let priority = questions.priority() else { throw error.hinting(hint) }
    return priority
  }
}

extension LocalizedText {
  fileprivate static let choosePriority = LocalizedText(
    "Write !h, !n or !l; \"config priority none\" adds items without a priority.",
    "!h, !n, !l 가운데 하나를 쓰세요. \"config priority none\"은 중요도 없이 추가하게 합니다.")
}
