/// A sequence of events over time, described but not running until it is subscribed.
///
///     let titles = PublishSubject<String>()
///     titles
///       .map { $0.uppercased() }
///       .filter { !$0.isEmpty }
///       .subscribe(onNext: { show($0) })
///       .disposed(by: bag)
///
/// Every subscription runs the description anew. Elements are sent synchronously, on the thread
/// of whoever sends them. The laws that all of them keep stand in <doc:Laws>.
///
/// Threads: an observable of `Sendable` elements may be subscribed from any thread. One of
/// other elements is not `Sendable` itself, so the compiler keeps it on one.
open class Observable<Element>: ObservableType {
  /// Makes an observable that never sends anything; subclasses override `run`.
  public init() {}

  /// Starts sending to a sink: operators call it, everybody else subscribes.
  ///
  /// The rules that the sink may rely on are those of ``Sink``.
  open func run(_ sink: Sink<Element>) {}

  /// Sends events to the observer until the sequence ends or the result is disposed.
  ///
  /// - Returns: what stops it. Letting go of it does not: keep it in a `DisposeBag`.
  public final func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
  where Observer.Element == Element {
    start(ObserverSink(observer))
  }

  /// The observable itself.
  public final func asObservable() -> Observable<Element> { self }

  /// An observable that puts a stage of its own in front of every observer.
  ///
  /// This is how operators are made: from a sink that takes the output, make one that takes
  /// the input.
  ///
  /// - Parameter stage: called once per subscription.
  @inlinable
  public final func lift<Output>(
    _ stage: @escaping (Sink<Output>) -> Sink<Element>
  ) -> Observable<Output> {
    Lift(self, stage)
  }

  /// Runs into the last stage and returns what its subscriber keeps.
  final func start(_ sink: TerminalSink<Element>) -> any Disposable {
    run(sink)
    return sink.subscription
  }
}

// Unchecked: observables are immutable descriptions; those that are not, subjects and shared
// ones, guard what changes. User closures inside are `Sendable` by their operators' signatures.
extension Observable: @unchecked Sendable where Element: Sendable {}

/// An observable with one more stage.
@usableFromInline
final class Lift<Input, Output>: Observable<Output> {
  @usableFromInline let source: Observable<Input>
  @usableFromInline let stage: (Sink<Output>) -> Sink<Input>

  @inlinable
  init(_ source: Observable<Input>, _ stage: @escaping (Sink<Output>) -> Sink<Input>) {
    self.source = source
    self.stage = stage
  }

  @usableFromInline
  override func run(_ sink: Sink<Output>) { source.run(stage(sink)) }
}

/// An observable made of what it does with a sink.
@usableFromInline
final class Producer<Element>: Observable<Element> {
  private let body: (Sink<Element>) -> Void

  @usableFromInline
  init(_ body: @escaping (Sink<Element>) -> Void) {
    self.body = body
  }

  @usableFromInline
  override func run(_ sink: Sink<Element>) { body(sink) }
}

// Unchecked: set once and never changed; what a closure captures is for its author to protect.
extension Lift: @unchecked Sendable where Output: Sendable {}
extension Producer: @unchecked Sendable where Element: Sendable {}
