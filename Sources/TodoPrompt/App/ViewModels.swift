import CroftFoundation
import Presentation
import Reactive
import TodoKit

/// The view models of the prompt, subscribed once; commands send raw input into them.
///
/// Every change is sent to the view model of the items' list, which validates and performs actions
/// of all kinds. The view model of the groups' list says what the deletion of a group would delete.
/// No list is subscribed, so none is read.
///
/// A view model answers each input once, before the sending returns, with a value or with an error
/// of its streams. `perform(_:)` returns the value or throws the error.
///
/// Nothing else in the prompt changes items or groups.
///
/// Threads: one.
final class ViewModels: @unchecked Sendable {
  // Unchecked: one thread sends input, and the view models answer on it.

  private let actions = PublishSubject<TodoAction>()
  private let deletions = PublishSubject<UUID>()
  /// The answer to the change that is being sent; nil until it comes.
  private var change: Result<CommandResult, CommandError>?
  /// The answer to the deletion that is being asked for; nil until it comes.
  private var question: Result<PendingDeletion, CommandError>?
  /// Whether a change has been stored since it was last set to false.
  var hasStored = false
  private let subscriptions = DisposeBag()

  /// Connects the view models to a repository.
  init(repository: any TodoRepository) {
    let items = ItemListViewModel(repository: repository)
      .transform(input: .init(actions: actions))
    let groups = GroupListViewModel(repository: repository)
      .transform(input: .init(actions: .never(), deletions: deletions))
    answers(items.changed, items.validationError, items.storageError)
      .subscribe(onNext: { [unowned self] in change = $0 })
      .disposed(by: subscriptions)
    answers(groups.question, groups.validationError, groups.storageError)
      .subscribe(onNext: { [unowned self] in question = $0 })
      .disposed(by: subscriptions)
  }

  /// Performs a change.
  ///
  /// - Returns: The items and groups afterwards or, if they were deleted, in their last state before.
  /// - Throws: The issue for which the change is refused, or the error of the repository.
  func perform(_ action: TodoAction) throws -> CommandResult {
    change = nil
    actions.onNext(action)
    guard let change else { preconditionFailure("Each action is answered once.") }
    let result = try change.get()
    if !result.isNoOp { hasStored = true }
    return result
  }

  /// What the deletion of a group would delete.
  func pendingDeletion(ofGroup id: UUID) throws -> PendingDeletion {
    question = nil
    deletions.onNext(id)
    guard let question else { preconditionFailure("Each request is answered once.") }
    return try question.get()
  }

  /// The values and errors of a view model in one stream.
  private func answers<Value: Sendable>(
    _ values: Observable<Value>, _ issues: Observable<ValidationIssue>,
    _ errors: Observable<any Error>
  ) -> Observable<Result<Value, CommandError>> {
    .merge(
      values.map { .success($0) }, issues.map { .failure(CommandError($0)) },
      errors.map { .failure(CommandError($0)) })
  }
}
