/// A sequence of events over time, which runs once for each subscription.
///
/// ```swift
/// let titles = PublishSubject<String>()
/// titles
///   .map { $0.uppercased() }
///   .filter { !$0.isEmpty }
///   .subscribe(onNext: { show($0) })
///   .disposed(by: bag)
/// ```
///
/// Elements are emitted synchronously, on the thread of their source. An error that a closure of an
/// operator throws ends the sequence. <doc:Laws> lists the laws that every observable keeps.
///
/// Threads: an observable of `Sendable` elements may be subscribed from any thread. An observable
/// of other elements is not `Sendable` itself, so the compiler keeps it on one thread.
open class Observable<Element>: ObservableType {
  /// Makes an observable that emits nothing; subclasses override `run`.
  public init() {}

  /// Starts emitting to a sink; called by operators, while other code subscribes.
  ///
  /// The rules for calling a sink are those of ``Sink``.
  open func run(_ sink: Sink<Element>) {}

  /// Emits events to the observer until the sequence ends or the result is disposed.
  public final func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
  where Observer.Element == Element {
    start(ObserverSink(observer))
  }

  /// Emits events to the observer until the sequence ends or the result is disposed.
  ///
  /// When this is called in the closure of `create` with its observer, the disposal of the
  /// created sequence stops this one also before the closure has returned.
  public final func subscribe(_ observer: AnyObserver<Element>) -> any Disposable {
    start(AnyObserverSink(observer))
  }

  /// The observable itself.
  public final func asObservable() -> Observable<Element> { self }

  /// Makes an operator: an observable that adds a stage upstream of every observer.
  ///
  /// - Parameter stage: called once per subscription; takes the sink of the output and returns a
  ///   sink of the input.
  @inlinable
  public final func lift<Output>(
    _ stage: @escaping (Sink<Output>) -> Sink<Element>
  ) -> Observable<Output> {
    Lift(self, stage)
  }

  /// Runs into the last stage of a chain and returns its subscription.
  final func start(_ sink: TerminalSink<Element>) -> any Disposable {
    run(sink)
    return sink.subscription
  }
}

// Unchecked: observables are immutable, but for subjects and shared ones, which guard what
// changes. The closures of users are `Sendable` by the signatures of the operators.
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

/// An observable made of a closure that runs it into a sink.
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

// Unchecked: set once and never changed; captures of the closures are for their authors to protect.
extension Lift: @unchecked Sendable where Output: Sendable {}
extension Producer: @unchecked Sendable where Element: Sendable {}
