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
/// A view model answers each input once and in order, with a value or with an error of its streams.
/// The replies of the commands therefore wait in queues, and each answer takes the first of its
/// queue. No list is subscribed, so none is read.
///
/// Nothing else in the prompt changes items or groups.
///
/// Threads: one.
final class ViewModels: @unchecked Sendable {
  // Unchecked: one thread sends input, and the view models answer on it.

  /// What a command does with an answer; an error that it throws is reported.
  typealias Reply<Value> = (Result<Value, CommandError>) throws(CommandError) -> Void

  private let drafts = PublishSubject<TaskDraft>()
  private let itemActions = PublishSubject<TodoAction>()
  private let groupActions = PublishSubject<TodoAction>()
  private let deletions = PublishSubject<UUID>()
  private var addReplies: [Reply<TodoItem>] = []
  private var itemReplies: [Reply<CommandResult>] = []
  private var groupReplies: [GroupReply] = []
  private let onError: (CommandError) -> Void
  private let subscriptions = DisposeBag()

  /// What waits for an answer of the groups' view model.
  private enum GroupReply {
    case change(Reply<CommandResult>)
    case deletion(Reply<PendingDeletion>)
  }

  /// An answer of the groups' view model.
  private enum GroupAnswer {
    case changed(CommandResult)
    case question(PendingDeletion)

    var result: CommandResult {
      guard case .changed(let result) = self else {
        preconditionFailure("An action must be answered by a change.")
      }
      return result
    }

    var deletion: PendingDeletion {
      guard case .question(let deletion) = self else {
        preconditionFailure("A request to delete must be answered by a question.")
      }
      return deletion
    }
  }

  /// Connects the view models to a repository.
  ///
  /// - Parameter onError: Called with the errors that replies throw.
  init(repository: any TodoRepository, onError: @escaping (CommandError) -> Void) {
    self.onError = onError
    let adding = AddTaskViewModel(repository: repository)
      .transform(input: .init(attempts: drafts))
    let items = ItemListViewModel(repository: repository)
      .transform(input: .init(actions: itemActions))
    let groups = GroupListViewModel(repository: repository)
      .transform(input: .init(actions: groupActions, deletions: deletions))
    answers(adding.added, adding.validationError, adding.storageError)
      .subscribe(onNext: { [unowned self] in deliver($0, to: addReplies.removeFirst()) })
      .disposed(by: subscriptions)
    answers(items.changed, items.validationError, items.storageError)
      .subscribe(onNext: { [unowned self] in deliver($0, to: itemReplies.removeFirst()) })
      .disposed(by: subscriptions)
    let groupAnswers = Observable<GroupAnswer>
      .merge(groups.changed.map { .changed($0) }, groups.question.map { .question($0) })
    answers(groupAnswers, groups.validationError, groups.storageError)
      .subscribe(onNext: { [unowned self] answer in
        switch groupReplies.removeFirst() {
        case .change(let reply): deliver(answer.map(\.result), to: reply)
        case .deletion(let reply): deliver(answer.map(\.deletion), to: reply)
        }
      })
      .disposed(by: subscriptions)
  }

  /// Sends a task as it was typed; the answer is the item as it was stored.
  func add(_ draft: TaskDraft, reply: @escaping Reply<TodoItem>) {
    addReplies.append(reply)
    drafts.onNext(draft)
  }

  /// Sends a change of items; the answer has the items afterwards, or as they were if deleted.
  func send(_ action: TodoAction, reply: @escaping Reply<CommandResult>) {
    itemReplies.append(reply)
    itemActions.onNext(action)
  }

  /// Sends a change of a group; the answer has the group with the name that it really got.
  func sendToGroups(_ action: TodoAction, reply: @escaping Reply<CommandResult>) {
    groupReplies.append(.change(reply))
    groupActions.onNext(action)
  }

  /// Asks for the deletion of a group; the answer says what would be deleted with it.
  func requestDeletion(ofGroup id: UUID, reply: @escaping Reply<PendingDeletion>) {
    groupReplies.append(.deletion(reply))
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
