/// Runs sequences one after the other: the end of each decides whether another one follows.
///
/// They are started in a loop rather than from within each other's end, so that any number of
/// them that end at once costs no stack.
final class SuccessionSink<Element>: Sink<Element>, Disposable, @unchecked Sendable {
  // Unchecked: what follows is asked by the drain's owner alone, the rest guards itself.
  private let down: Sink<Element>
  private let following: (_ error: (any Error)?) throws -> Observable<Element>?
  private let drain = Drain()
  /// The handle of the sequence that runs.
  private let current = SerialDisposable()

  /// Makes a stage in front of another.
  ///
  /// - Parameter following: says what follows an end, by an error or by completion; nil passes
  ///   that end on, and so does what it throws.
  init(
    _ down: Sink<Element>,
    following: @escaping (_ error: (any Error)?) throws -> Observable<Element>?
  ) {
    self.down = down
    self.following = following
  }

  /// Starts with a sequence, or completes when there is none.
  func begin(with first: Observable<Element>?) {
    down.attach(self)
    guard let first else { return conclude(nil) }
    if drain.enter() || drain.post({ first.run(self) }) {
      first.run(self)
      drain.leave()
    }
  }

  override func attach(_ upstream: any Disposable) { current.disposable = upstream }

  override var disposalHook: DisposalHook? { down.disposalHook }

  override func next(_ element: Element) {
    if !current.isDisposed { down.next(element) }
  }

  override func done(_ error: (any Error)?) {
    if drain.enter() || drain.post({ self.advance(after: error) }) {
      advance(after: error)
      drain.leave()
    }
  }

  func dispose() { current.dispose() }

  private func advance(after error: (any Error)?) {
    if current.isDisposed { return }
    // The one that ended is let go before the next one is asked for.
    current.disposable = Disposables.create()
    let next: Observable<Element>?
    do { next = try following(error) } catch { return conclude(error) }
    if let next { next.run(self) } else { conclude(error) }
  }

  private func conclude(_ error: (any Error)?) {
    down.done(error)
    dispose()
  }
}
