import Presentation
import Reactive
import TodoKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The view models of the prompt, subscribed once; commands send raw input into them.
///
/// Every change is sent to the view model of the items' list, which validates and performs actions
/// of all kinds. The view model of the groups' list says what the deletion of a group would delete.
/// No list is subscribed, so none is read.
///
/// A view model answers each input once and in order, with a value or with an error of its streams.
/// The replies of the commands therefore wait in queues, and each answer takes the first of its
/// queue.
///
/// Nothing else in the prompt changes items or groups.
///
/// Threads: one.
final class ViewModels: @unchecked Sendable {
  // Unchecked: one thread sends input, and the view models answer on it.

  /// What a command does with an answer; an error that it throws is reported.
  typealias Reply<Value> = (Result<Value, CommandError>) throws(CommandError) -> Void

  private let actions = PublishSubject<TodoAction>()
  private let deletions = PublishSubject<UUID>()
  private var replies: [Reply<CommandResult>] = []
  private var deletionReplies: [Reply<PendingDeletion>] = []
  private let onError: (CommandError) -> Void
  /// Whether a change has been stored.
  private(set) var hasStored = false
  private let subscriptions = DisposeBag()

  /// Connects the view models to a repository.
  ///
  /// - Parameter onError: Called with the errors that replies throw.
  init(repository: any TodoRepository, onError: @escaping (CommandError) -> Void) {
    self.onError = onError
    let items = ItemListViewModel(repository: repository)
      .transform(input: .init(actions: actions))
    let groups = GroupListViewModel(repository: repository)
      .transform(input: .init(actions: .never(), deletions: deletions))
    answers(items.changed, items.validationError, items.storageError)
      .subscribe(onNext: { [unowned self] answer in
        if case .success(let change) = answer, !change.isNoOp { hasStored = true }
        deliver(answer, to: replies.removeFirst())
      })
      .disposed(by: subscriptions)
    answers(groups.question, groups.validationError, groups.storageError)
      .subscribe(onNext: { [unowned self] in deliver($0, to: deletionReplies.removeFirst()) })
      .disposed(by: subscriptions)
  }

  /// Sends a change.
  ///
  /// The answer has the items and groups afterwards, or as they were if they were deleted.
  func send(_ action: TodoAction, reply: @escaping Reply<CommandResult>) {
    replies.append(reply)
    actions.onNext(action)
  }

  /// Asks for the deletion of a group; the answer says what would be deleted with it.
  func requestDeletion(ofGroup id: UUID, reply: @escaping Reply<PendingDeletion>) {
    deletionReplies.append(reply)
    deletions.onNext(id)
  }

  /// The values and errors of a view model in one stream.
  private func answers<Value: Sendable>(
    _ values: Observable<Value>, _ issues: Observable<ValidationIssue>,
    _ errors: Observable<any Error>
  ) -> Observable<Result<Value, CommandError>> {
    .merge(
      values.map { .success($0) }, issues.map { .failure(CommandError($0)) },
      errors.map { .failure(CommandError(storage: $0)) })
  }

  private func deliver<Value>(_ answer: Result<Value, CommandError>, to reply: Reply<Value>) {
    do throws(CommandError) { try reply(answer) } catch { onError(error) }
  }
}
