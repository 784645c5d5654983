import Presentation
import Reactive

/// The results of the actions that a front end sends: one of three outputs for each.
///
/// Every action is validated, performed and answered once, in order, for any number of observers.
/// A source that delivers one element at a time, as a subject does, sends the next action after the
/// answer to this one has reached all observers. The source is subscribed with the first observer,
/// and once at a time. After its end observers get the end, and nothing is evaluated again.
struct ActionResults: Sendable {
  /// Each command, after its commit.
  let changed: Observable<CommandResult>
  /// The first issue of each action that was refused.
  let validationError: Observable<ValidationIssue>
  /// Each error of the repository in performing a command.
  let storageError: Observable<any Error>

  /// Performs actions while their results are observed.
  ///
  /// - Parameter end: Called once when the last action has been answered.
  init(
    of actions: Observable<TodoAction>, in repository: any TodoRepository,
    end: @escaping @Sendable () -> Void = {}
  ) {
    let results = actions.map { action in
      Result { try repository.perform(validating: action) }
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
  /// Emits the same elements; a subject gets the error, and the observable completes.
  func reportingErrors(to errors: PublishSubject<any Error>) -> Observable<Element> {
    self.catch { error in
      errors.onNext(error)
      return .empty()
    }
  }
}

extension PublishSubject<any Error> {
  /// The value of a closure; nil, and the error is sent, where it throws.
  func reporting<Value>(_ body: () throws -> Value) -> Value? {
    do {
      return try body()
    } catch {
      onNext(error)
      return nil
    }
  }
}
