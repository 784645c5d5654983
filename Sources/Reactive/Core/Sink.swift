/// One stage of a running subscription: takes elements, and then the end.
///
/// Observables are descriptions; subscribing to one builds a chain of sinks and hands the last
/// of them to the source. Elements travel by plain method calls, one per operator, without an
/// event being made of them. Writing an operator means writing a sink.
///
/// What calls a sink promises: `attach` at most once and before anything else; calls never
/// overlap; nothing after `done`. What takes `done` disposes what it was attached to.
/// The base class ignores everything.
open class Sink<Element> {
  #if DEBUG
    private let counter = Resources.counter
  #endif

  /// Makes a sink.
  public init() {
    #if DEBUG
      counter.increment()
    #endif
  }

  deinit {
    #if DEBUG
      counter.decrement()
    #endif
  }

  /// Takes the handle that stops whatever feeds this sink.
  ///
  /// Sources call it before they send, so that a chain can be stopped from within its very
  /// first event. A source that cannot be stopped need not call it.
  open func attach(_ upstream: any Disposable) {}

  /// Takes an element.
  open func next(_ element: Element) {}

  /// Takes the end: by an error, or nil when the sequence completed.
  open func done(_ error: (any Error)?) {}

  /// The hook further down that waits until what feeds this sink was stopped.
  ///
  /// A stage that is followed by another one asks that.
  var disposalHook: DisposalHook? { nil }
}

/// A stage that passes on what it makes of its input: the usual base of an operator.
///
/// The handle of what feeds it goes straight to the stage after it, so a chain of such stages
/// is stopped in one step. Subclasses override `next`, send to `down`, and end with `finish`.
open class OperatorSink<Input, Output>: Sink<Input> {
  /// The stage that takes the output.
  public final let down: Sink<Output>
  /// Whether the end was passed on.
  ///
  /// Protected by the rule that calls to a sink never overlap. The dynamic exclusivity check is
  /// waived: it would cost as much as the rest of a stage.
  @exclusivity(unchecked) public private(set) final var isFinished = false

  /// Makes a stage in front of another.
  public init(_ down: Sink<Output>) {
    self.down = down
  }

  /// Passes on the end, unless that was done before; `next` must send nothing afterwards.
  public final func finish(_ error: (any Error)? = nil) {
    guard !isFinished else { return }
    isFinished = true
    down.done(error)
  }

  /// Passes on the handle.
  open override func attach(_ upstream: any Disposable) { down.attach(upstream) }

  /// Passes on the end.
  open override func done(_ error: (any Error)?) { finish(error) }

  override var disposalHook: DisposalHook? { down.disposalHook }
}
