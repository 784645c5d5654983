import Presentation
import Reactive
import TodoKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The changes a command can make, each sent through a view model and answered at once.
///
/// The view models answer while the input is being sent, so a call here returns
/// after the commit. Nobody observes the lists, so none is read.
///
/// Threads: one.
final class TaskActions {
  private let attempts = PublishSubject<TaskDraft>()
  private let actions = PublishSubject<ItemListViewModel.Action>()
  private let answers = Answers()
  private let subscriptions = DisposeBag()

  /// What the outputs said last; its own object, so that they do not keep the actions alive.
  private final class Answers: @unchecked Sendable {
    // Filled while an input is being sent, and emptied by the sender, on one thread.
    var added: TodoItem?
    var changed: ItemListViewModel.Change?
    var problem: CommandError?
  }

  /// Connects the view models to a repository.
  init(repository: any TodoRepository) {
    let answers = answers
    let adding = AddTaskViewModel(repository: repository)
      .transform(input: .init(attempts: attempts))
    let changing = ItemListViewModel(repository: repository)
      .transform(input: .init(actions: actions))
    adding.added.subscribe(onNext: { answers.added = $0 }).disposed(by: subscriptions)
    changing.changed.subscribe(onNext: { answers.changed = $0 }).disposed(by: subscriptions)
    for issues in [adding.validationError, changing.validationError] {
      issues.subscribe(onNext: { answers.problem = CommandError($0) }).disposed(by: subscriptions)
    }
    for errors in [adding.storageError, changing.storageError] {
      errors.subscribe(onNext: { answers.problem = CommandError(storage: $0) })
        .disposed(by: subscriptions)
    }
  }

  /// Adds a task as it was typed; returns the item that was stored.
  func add(_ draft: TaskDraft) throws(CommandError) -> TodoItem {
    answers.added = nil
    attempts.onNext(draft)
    return try answer(answers.added)
  }

  /// Changes items; returns what was done, with the items as they are now, or were when deleted.
  @discardableResult
  func perform(_ action: ItemListViewModel.Action) throws(CommandError) -> ItemListViewModel.Change
  {
    answers.changed = nil
    actions.onNext(action)
    return try answer(answers.changed)
  }

  private func answer<Value>(_ value: Value?) throws(CommandError) -> Value {
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
