import CroftFoundation
import Presentation
import Reactive
import TodoKit

/// Sends raw input of commands into a view model, which is subscribed once, and waits for the answer.
///
/// It is the view model of the items' list, which validates and performs actions of all kinds. No
/// list is subscribed, so none is read.
///
/// The view model answers each input once, before the sending returns, with a value or with an error
/// of its streams. `perform(_:)` returns the value or throws the error.
///
/// Nothing else in the prompt changes items or groups.
///
/// Threads: one.
final class ChangeSender: @unchecked Sendable {
  // Unchecked: one thread sends input, and the view model answers on it.

  private let actions = PublishSubject<TodoAction>()
  /// The answer to the change that is being sent; nil until it comes.
  private var change: Result<CommandResult, CommandError>?
  /// Whether a change has been stored since it was last set to false.
  var hasStored = false
  private let subscriptions = DisposeBag()

  /// Connects the view model to a repository.
  init(repository: any TodoRepository) {
    let items = ItemListViewModel(repository: repository)
      .transform(input: .init(actions: actions))
    Observable<Result<CommandResult, CommandError>>
      .merge(
        items.changed.map { .success($0) },
        items.validationError.map { .failure(CommandError($0)) },
        items.storageError.map { .failure(CommandError($0)) }
      )
      .subscribe(onNext: { [unowned self] in change = $0 })
      .disposed(by: subscriptions)
  }

  /// Performs a change.
  ///
  /// - Returns: The items and groups afterwards or, if they were deleted, in their last state before.
  func perform(_ action: TodoAction) throws -> CommandResult {
    change = nil
    actions.onNext(action)
    guard let change else { preconditionFailure("Each action is answered once.") }
    let result = try change.get()
    if !result.isNoOp { hasStored = true }
    return result
  }
}

/// The store, which commands read, and change by a view model.
extension Session {
  /// The repository, opened if it is not open yet.
  func repository() throws -> any TodoRepository { try open().repository }

  private func open() throws -> (repository: any TodoRepository, changes: ChangeSender) {
    if let opened { return opened }
    let repository = try environment.openStore(
      option: options.storePath, language: base.language)
    let changes = ChangeSender(repository: repository)
    opened = (repository, changes)
    return (repository, changes)
  }

  func perform(_ action: TodoAction) throws -> CommandResult {
    try open().changes.perform(action)
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
