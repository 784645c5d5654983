import Presentation
import Reactive

/// What the actions that a front end sends lead to: exactly one of three outputs for each.
///
/// Every action is validated, then performed, and answered once, in order, however many observers
/// there are. One action is answered to its end before the next one is looked at, even when it is
/// sent from inside an answer. The source is subscribed with the first observer and never twice at
/// a time; after its end observers get the end, and nothing is evaluated again.
struct ActionResults: Sendable {
  /// Each command, after its commit.
  let changed: Observable<CommandResult>
  /// One issue for each action that was refused: the first of those that were found.
  let validationError: Observable<ValidationIssue>
  /// Each error of the repository in performing a command.
  let storageError: Observable<any Error>

  /// Performs actions while somebody observes what they lead to.
  ///
  /// - Parameters:
  ///   - actions: What the user does.
  ///   - repository: Performs the commands.
  ///   - end: Called once when the last action has been answered.
  init(
    of actions: Observable<TodoAction>, in repository: any TodoRepository,
    end: @escaping @Sendable () -> Void = {}
  ) {
    let results = actions.concatMap { action in
      Observable<Result<CommandResult, any Error>>.create { observer in
        observer.onNext(Result { try repository.perform(validating: action) })
        observer.onCompleted()
        return Disposables.create()
      }
    }
    .do(onCompleted: end)
    .share(replay: 0, scope: .forever)
    changed = results.compactMap { try? $0.get() }  // A failure is for the other two outputs.
    let errors = results.compactMap { result -> (any Error)? in
      if case .failure(let error) = result { error } else { nil }
    }
    validationError = errors.compactMap { $0 as? ValidationIssue }
    storageError = errors.filter { !($0 is ValidationIssue) }
  }
}

extension Observable where Element: Sendable {
  /// The same elements; an error is handed to a subject, and the observable just completes.
  func reportingErrors(to errors: PublishSubject<any Error>) -> Observable<Element> {
    self.catch { error in
      errors.onNext(error)
      return .empty()
    }
  }
}
