/// One stage of a running subscription, which receives elements and then the end.
///
/// Subscribing to an observable builds a chain of sinks, one per operator, and passes the first of
/// them to the source. An element takes one method call per operator, without an `Event` being
/// made of it. To write an operator is to write a sink.
///
/// The caller of a sink calls `attach` at most once and before anything else, makes calls that
/// never overlap, and calls nothing after `done`. The sink disposes its handle after `done`. The
/// base class ignores all calls.
open class Sink<Element> {
  #if DEBUG
    private let liveCount = Resources.LiveCount()
  #endif

  /// Makes a sink.
  public init() {}

  /// Receives the handle that stops the source of this sink.
  ///
  /// A source calls it before it emits, so that a chain can be stopped from within its first event.
  /// A source that cannot be stopped need not call it.
  open func attach(_ upstream: any Disposable) {}

  /// Receives an element.
  open func next(_ element: Element) {}

  /// Receives the end: an error, or nil when the sequence completed.
  open func done(_ error: (any Error)?) {}

  /// Whether the sink has ended, or its subscription was disposed: events have no effect then.
  ///
  /// A source that emits several events in one loop must check this before each of them, unless it
  /// stops when the handle that it attached is disposed.
  ///
  /// - Complexity: O(*n*) in the number of operators up to the next one with several sources.
  open var isDisposed: Bool { false }

  /// The nearest hook downstream, which runs after the source of this sink was disposed.
  ///
  /// A stage returns the hook of the stage after it.
  var disposalHook: DisposalHook? { nil }
}

/// The base of operators with one source.
///
/// The handle of the source is passed to the stage after this one, so a chain of such stages is
/// disposed in one step. Subclasses override `next`, emit to `down`, and end with `finish`.
open class OperatorSink<Input, Output>: Sink<Input> {
  /// The stage that receives the output.
  public final let down: Sink<Output>
  /// Whether the end was passed on.
  ///
  /// Protected by the rule that calls to a sink never overlap. The dynamic exclusivity check is
  /// disabled, because it would cost as much as the rest of a stage.
  @exclusivity(unchecked) public private(set) final var isFinished = false

  /// Makes a stage that emits to another one.
  public init(_ down: Sink<Output>) {
    self.down = down
  }

  /// Emits the end, unless it was emitted before or the subscription was disposed.
  ///
  /// `next` must emit nothing afterwards.
  public final func finish(_ error: (any Error)? = nil) {
    guard !isDisposed else { return }
    isFinished = true
    down.done(error)
  }

  /// Passes on the handle.
  open override func attach(_ upstream: any Disposable) { down.attach(upstream) }

  /// Passes on the end.
  open override func done(_ error: (any Error)?) {
    guard !isFinished else { return }
    isFinished = true
    down.done(error)
  }

  /// Whether the end was passed on, or the subscription was disposed.
  public final override var isDisposed: Bool { isFinished || down.isDisposed }

  override var disposalHook: DisposalHook? { down.disposalHook }
}

/// A stage outside of any chain that passes everything to a closure, as events.
final class EventSink<Element>: Sink<Element> {
  private let handler: (Event<Element>) -> Void

  init(_ handler: @escaping (Event<Element>) -> Void) {
    self.handler = handler
  }

  override func next(_ element: Element) { handler(.next(element)) }

  override func done(_ error: (any Error)?) {
    handler(error.map { .error($0) } ?? .completed)
  }
}

/// A stage outside of any chain that passes everything to an observer.
final class ForwardingSink<Observer: ObserverType>: Sink<Observer.Element> {
  private let observer: Observer

  init(_ observer: Observer) {
    self.observer = observer
  }

  override func next(_ element: Observer.Element) { observer.onNext(element) }

  override func done(_ error: (any Error)?) {
    observer.on(error.map { .error($0) } ?? .completed)
  }
}
