import Presentation
import Reactive
import TodoKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The changes a command can make to groups, each sent through a view model and answered at once.
///
/// Nobody observes the groups, so none is read.
///
/// Threads: one.
final class GroupActions {
  private let actions = PublishSubject<TodoAction>()
  private let deletions = PublishSubject<UUID>()
  private let answers = Answers()
  private let subscriptions = DisposeBag()

  /// The last answers; its own object, so that they do not keep the actions alive.
  private final class Answers: @unchecked Sendable {
    // Filled while an input is being sent, and emptied by the sender, on one thread.
    var changed: CommandResult?
    var question: PendingDeletion?
    var problem: Problem?
  }

  /// Connects the view model to a repository.
  init(repository: any TodoRepository) {
    let answers = answers
    let output = GroupListViewModel(repository: repository)
      .transform(input: .init(actions: actions, deletions: deletions))
    output.changed.subscribe(onNext: { answers.changed = $0 }).disposed(by: subscriptions)
    output.question.subscribe(onNext: { answers.question = $0 }).disposed(by: subscriptions)
    output.validationError.subscribe(onNext: { answers.problem = Problem($0) })
      .disposed(by: subscriptions)
    output.storageError.subscribe(onNext: { answers.problem = Problem(storage: $0) })
      .disposed(by: subscriptions)
  }

  /// Changes groups; the result has them with the names they really got.
  @discardableResult
  func perform(_ action: TodoAction) throws(Problem) -> CommandResult {
    answers.changed = nil
    actions.onNext(action)
    return try answer(answers.changed)
  }

  /// Asks for the deletion of a group: what goes with it is fixed now.
  func requestDeletion(of id: UUID) throws(Problem) -> PendingDeletion {
    answers.question = nil
    deletions.onNext(id)
    return try answer(answers.question)
  }

  private func answer<Value>(_ value: Value?) throws(Problem) -> Value {
    if let problem = answers.problem {
      answers.problem = nil
      throw problem
    }
    guard let value else {
      preconditionFailure("A view model must answer every input before it returns.")
    }
    return value
  }
}
