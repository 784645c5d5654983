import Presentation
import Reactive

/// What became of one attempt: exactly one of three.
enum Outcome<Value: Sendable>: Sendable {
  /// It was committed.
  case committed(Value)
  /// The input was refused; nothing was asked of the repository.
  case invalid(ValidationIssue)
  /// The repository failed; nothing was changed.
  case failed(any Error)

  /// Writes when there is nothing to object to, and says what came of it.
  ///
  /// Of several issues the first one is given: a front end shows one message for
  /// each attempt.
  init<Accepted>(of input: Validated<Accepted>, _ write: (Accepted) throws -> Value) {
    do throws(ValidationIssue) {
      self = .init(of: try input.get(), write)
    } catch {
      self = .invalid(error)
    }
  }

  /// Writes what needs no validation, and says what came of it.
  init<Accepted>(of accepted: Accepted, _ write: (Accepted) throws -> Value) {
    do { self = .committed(try write(accepted)) } catch { self = .failed(error) }
  }

  /// What was committed, if it was.
  var value: Value? {
    if case .committed(let value) = self { value } else { nil }
  }

  /// Why the input was refused, if it was.
  var issue: ValidationIssue? {
    if case .invalid(let issue) = self { issue } else { nil }
  }

  /// Why the repository failed, if it did.
  var error: (any Error)? {
    if case .failed(let error) = self { error } else { nil }
  }
}

extension Observable where Element: Sendable {
  /// Answers every element once, in order, however many observers there are.
  ///
  /// One element is answered to its end before the next one is looked at, even when
  /// it is sent from inside an answer. The source is subscribed with the first observer
  /// and never twice at a time; after its end observers are told the end, and nothing
  /// is evaluated again.
  ///
  /// - Parameters:
  ///   - end: Called once when the last element has been answered.
  ///   - evaluate: Says what becomes of an element.
  func answered<Value>(
    end: @escaping @Sendable () -> Void = {},
    by evaluate: @escaping @Sendable (Element) -> Outcome<Value>
  ) -> Observable<Outcome<Value>> {
    concatMap { attempt in
      Observable<Outcome<Value>>.create { observer in
        observer.onNext(evaluate(attempt))
        observer.onCompleted()
        return Disposables.create()
      }
    }
    .do(onCompleted: end)
    .share(replay: 0, scope: .forever)
  }

  /// The same elements, with an error handed over as a value: the stream just completes.
  func reportingErrors(to errors: PublishSubject<any Error>) -> Observable<Element> {
    Observable.create { observer in
      self.subscribe(
        onNext: { observer.onNext($0) },
        onError: { error in
          errors.onNext(error)
          observer.onCompleted()
        },
        onCompleted: { observer.onCompleted() })
    }
  }
}
