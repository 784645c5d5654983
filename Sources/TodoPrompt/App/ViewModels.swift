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
  private var addReplies: [Reply<TodoItem>] = []
  private let actions = PublishSubject<ItemListViewModel.Action>()
  private var changeReplies: [Reply<ItemListViewModel.Change>] = []
  private let groups: GroupModel
  private let onError: (CommandError) -> Void
  private let subscriptions = DisposeBag()

  /// Connects the view models to a repository.
  ///
  /// - Parameter onError: Called with the errors that replies throw.
  init(repository: any TodoRepository, onError: @escaping (CommandError) -> Void) {
    self.onError = onError
    groups = GroupModel(repository: repository)
    let adding = AddTaskViewModel(repository: repository)
      .transform(input: .init(attempts: drafts))
    let changing = ItemListViewModel(repository: repository)
      .transform(input: .init(actions: actions))
    answers(adding.added, adding.validationError, adding.storageError)
      .subscribe(onNext: { [unowned self] in deliver($0, to: addReplies.removeFirst()) })
      .disposed(by: subscriptions)
    answers(changing.changed, changing.validationError, changing.storageError)
      .subscribe(onNext: { [unowned self] in deliver($0, to: changeReplies.removeFirst()) })
      .disposed(by: subscriptions)
  }

  /// Sends a task as it was typed; the answer is the item as it was stored.
  func add(_ draft: TaskDraft, reply: @escaping Reply<TodoItem>) {
    addReplies.append(reply)
    drafts.onNext(draft)
  }

  /// Sends a change of items; the answer has the items afterwards, or as they were if deleted.
  func send(
    _ action: ItemListViewModel.Action, reply: @escaping Reply<ItemListViewModel.Change>
  ) {
    changeReplies.append(reply)
    actions.onNext(action)
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

/// Changes of groups, which the model of the group screens makes.
extension ViewModels {
  /// A group after a change, and whether the change changed nothing.
  typealias ChangedGroup = (group: TodoGroup, changedNothing: Bool)

  /// Makes a group; the answer has the name it really got.
  func addGroup(_ draft: GroupDraft, reply: Reply<TodoGroup>) {
    deliver(answer { try groups.addGroup(draft) }, to: reply)
  }

  /// Changes what a patch names; the answer has the name that the group really got.
  func updateGroup(_ id: UUID, _ patch: GroupPatch, reply: Reply<ChangedGroup>) {
    let answer = answer { try groups.updateGroup(id, patch) }
    deliver(answer.map { ($0.group, $0.changedNothing) }, to: reply)
  }

  /// Moves a group to a place among the groups.
  func moveGroup(_ id: UUID, to place: Place, reply: Reply<ChangedGroup>) {
    let answer = answer { try groups.moveGroup(id, to: place) }
    deliver(answer.map { ($0.group, $0.changedNothing) }, to: reply)
  }

  /// Asks, and deletes a group with exactly the items that were asked about.
  ///
  /// - Parameters:
  ///   - confirm: Called with the number of items; it throws if the answer is no.
  ///   - reply: Called with what was deleted.
  func deleteGroup(
    _ id: UUID, confirm: (Int) throws(CommandError) -> Void, reply: Reply<DeletionReport>
  ) throws(CommandError) {
    let question = try answer { try groups.askToDelete(group: id) }.get()
    do throws(CommandError) {
      try confirm(question.items.count)
    } catch {
      try answer { try groups.cancelDeletion(question.token) }.get()
      throw error
    }
    deliver(answer { try groups.confirmDeletion(question.token).report }, to: reply)
  }

  private func answer<Value>(_ body: () throws -> Value) -> Result<Value, CommandError> {
    do {
      return .success(try body())
    } catch let issue as ValidationIssue {
      return .failure(CommandError(issue))
    } catch {
      return .failure(CommandError(storage: error))
    }
  }
}
