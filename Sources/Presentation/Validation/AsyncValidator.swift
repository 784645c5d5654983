public import Dispatch
public import Reactive

/// A rule whose answer takes time, such as whether a name is taken.
///
/// It asks about a value that the ordinary rules accepted, once nothing was typed
/// for a while, and forgets an answer that comes after the next change:
///
/// ```swift
/// let free = AsyncValidator<String>(scheduler: scheduler) { name in
///   repository.isTaken(name).map { $0 ? [ValidationIssue(.notUnique)] : [] }
/// }
/// free.results(of: names, after: .name)
/// ```
///
/// It spares the user a refusal and decides nothing: between its answer and the
/// write the name may be taken, so the write checks again.
///
/// Threads: answers come on the scheduler, or wherever the check sends them.
public struct AsyncValidator<Value: Sendable>: Sendable {
  private let debounce: RxTimeInterval
  private let scheduler: any SchedulerType
  private let check: @Sendable (Value) -> Single<[ValidationIssue]>

  /// Makes a rule that asks.
  ///
  /// - Parameters:
  ///   - debounce: How long nothing must change before it asks.
  ///   - scheduler: Measures that time, and begins the check.
  ///   - check: Finds what is wrong with a value, nothing if all is well; an error
  ///     of its own becomes the warning ``ValidationIssue/Code/unchecked``.
  public init(
    debounce: RxTimeInterval = .milliseconds(300), scheduler: any SchedulerType,
    check: @escaping @Sendable (Value) -> Single<[ValidationIssue]>
  ) {
    self.debounce = debounce
    self.scheduler = scheduler
    self.check = check
  }

  /// Says of every input what becomes of it: refused at once, or asked about and then settled.
  ///
  /// - Parameters:
  ///   - inputs: What was typed; each drops what is still asked about the one before.
  ///   - rule: Applied first. What it refuses is never asked about.
  public func results<Input: Sendable>(
    of inputs: Observable<Input>, after rule: Validator<Input, Value>
  ) -> Observable<AsyncValidationResult<Input, Value>> {
    inputs.flatMapLatest { (input: Input) -> Observable<AsyncValidationResult<Input, Value>> in
      switch rule.validate(input) {
      case .invalid(let issues):
        return .just(AsyncValidationResult(input: input, result: .invalid(issues)))
      case .valid(let value, let warnings):
        return issues(of: value)
          .map { AsyncValidationResult(input: input, result: .settle(value, warnings + $0)) }
          .startWith(AsyncValidationResult(input: input, result: nil))
      }
    }
  }

  /// What is wrong with a value: one element, and then the end.
  ///
  /// - Parameter isImmediate: Whether it asks without waiting for changes.
  func issues(of value: Value, isImmediate: Bool = false) -> Observable<[ValidationIssue]> {
    let answer = Observable.deferred { [check] in check(value).asObservable() }
      .take(1)
      .catchAndReturn([ValidationIssue(.unchecked, severity: .warning)])
    if isImmediate { return answer }
    return Observable<Int>.timer(debounce, scheduler: scheduler).flatMap { _ in answer }
  }
}

extension Validated {
  /// Takes the value unless one of the issues stands in its way.
  static func settle(_ value: Value, _ issues: [ValidationIssue]) -> Validated {
    issues.contains { $0.severity == .error } ? .invalid(issues) : .valid(value, warnings: issues)
  }
}

/// What is known about an input while a rule that takes time is asked about it.
public struct AsyncValidationResult<Input, Output> {
  /// The input in question, for whoever has to know which one an answer is about.
  public let input: Input
  /// What the rules make of it; nil while that is being asked.
  public let result: Validated<Output>?

  /// Makes the answer about an input.
  public init(input: Input, result: Validated<Output>?) {
    self.input = input
    self.result = result
  }

  /// Whether the answer is still to come: a form must not be sent until it is there.
  public var isPending: Bool { result == nil }
}

extension AsyncValidationResult: Sendable where Input: Sendable, Output: Sendable {}
extension AsyncValidationResult: Equatable where Input: Equatable, Output: Equatable {}
