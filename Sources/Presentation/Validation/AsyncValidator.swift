public import Dispatch
public import Reactive

/// An asynchronous rule, such as whether a name is taken.
///
/// It checks a value that the ordinary rules accepted, once the input pauses, and drops a result
/// that arrives after the next change:
///
/// ```swift
/// let free = AsyncValidator<String>(scheduler: scheduler) { name in
///   repository.isTaken(name).map { $0 ? [ValidationIssue(.notUnique)] : [] }
/// }
/// free.results(of: names, after: .name)
/// ```
///
/// It warns the user early and decides nothing: the name may be taken between its result and the
/// write, so the write checks again.
///
/// Threads: results arrive on the scheduler, or where the check emits them.
public struct AsyncValidator<Value: Sendable>: Sendable {
  private let debounce: RxTimeInterval
  private let scheduler: any SchedulerType
  private let check: @Sendable (Value) -> Single<[ValidationIssue]>

  /// Makes a rule from an asynchronous check.
  ///
  /// - Parameters:
  ///   - debounce: The interval without a change before it checks.
  ///   - scheduler: Measures that interval, and starts the check.
  ///   - check: Returns the issues of a value, none if it is valid; an error of the check becomes
  ///     the warning ``ValidationIssue/Code/unchecked``.
  public init(
    debounce: RxTimeInterval = .milliseconds(300), scheduler: any SchedulerType,
    check: @escaping @Sendable (Value) -> Single<[ValidationIssue]>
  ) {
    self.debounce = debounce
    self.scheduler = scheduler
    self.check = check
  }

  /// Emits the result of every input: refused at once, or pending and then the result of the check.
  ///
  /// - Parameters:
  ///   - inputs: The inputs; each cancels the check of the one before.
  ///   - rule: Runs first. A value that it refuses is not checked.
  public func results<Input: Sendable>(
    of inputs: Observable<Input>, after rule: Validator<Input, Value>
  ) -> Observable<AsyncValidationResult<Input, Value>> {
    inputs.flatMapLatest { (input: Input) -> Observable<AsyncValidationResult<Input, Value>> in
      switch rule.validate(input) {
      case .invalid(let issues):
        return .just(AsyncValidationResult(input: input, result: .invalid(issues)))
      case .valid(let value, let warnings):
        return issues(of: value)
          .map { AsyncValidationResult(input: input, result: .checked(value, warnings + $0)) }
          .startWith(AsyncValidationResult(input: input, result: nil))
      }
    }
  }

  /// The issues of a value: one element, and then the end.
  ///
  /// - Parameter isImmediate: Whether it checks without waiting for further changes.
  func issues(of value: Value, isImmediate: Bool = false) -> Observable<[ValidationIssue]> {
    let answer = Observable.deferred { [check] in check(value).asObservable() }
      .take(1)
      .catchAndReturn([ValidationIssue(.unchecked, severity: .warning)])
    if isImmediate { return answer }
    return Observable<Int>.timer(debounce, scheduler: scheduler).flatMap { _ in answer }
  }
}

extension Validated {
  /// Valid unless one of the issues is an error.
  static func checked(_ value: Value, _ issues: [ValidationIssue]) -> Validated {
    issues.contains { $0.severity == .error } ? .invalid(issues) : .valid(value, warnings: issues)
  }
}

/// The result of an asynchronous rule for an input, or that it is still pending.
public struct AsyncValidationResult<Input, Output> {
  /// The input that the result is about.
  public let input: Input
  /// The result of the rules; nil while it is pending.
  public let result: Validated<Output>?

  /// Makes the result for an input.
  public init(input: Input, result: Validated<Output>?) {
    self.input = input
    self.result = result
  }

  /// Whether the result is pending; a form must not be submitted before it arrives.
  public var isPending: Bool { result == nil }
}

extension AsyncValidationResult: Sendable where Input: Sendable, Output: Sendable {}
extension AsyncValidationResult: Equatable where Input: Equatable, Output: Equatable {}
