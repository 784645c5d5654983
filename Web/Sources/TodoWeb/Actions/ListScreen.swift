import Presentation
import Reactive
import TodoKit

/// The view model of the list screens for one request: an action in, one of three outputs out.
///
/// What the page shows comes with its events, so that no output that reads is subscribed.
struct ListScreen {
  let repository: any TodoRepository

  /// Validates and performs what a form asks for.
  ///
  /// - Throws: `ValidationIssue` for input that is refused; `TodoError` of the repository.
  func perform(_ action: TodoAction) throws -> CommandResult {
    let actions = PublishSubject<TodoAction>()
    let output = ItemListViewModel(repository: repository)
      .transform(input: .init(actions: actions))
    let answer = BehaviorRelay<Result<CommandResult, any Error>?>(value: nil)
    let bag = DisposeBag()
    output.changed.subscribe(onNext: { answer.accept(.success($0)) }).disposed(by: bag)
    for error in [output.validationError.map { $0 as any Error }, output.storageError] {
      error.subscribe(onNext: { answer.accept(.failure($0)) }).disposed(by: bag)
    }
    actions.onNext(action)
    // A view model answers each action before the subject has passed it on.
    guard let result = answer.value else { throw CancellationError() }
    return try result.get()
  }
}
