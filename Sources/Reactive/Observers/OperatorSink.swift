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
