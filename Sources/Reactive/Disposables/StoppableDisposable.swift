/// A handle whose source can be stopped before it is disposed.
///
/// `subscribe(on:)` schedules the disposal of its source. A source that emits everything during its
/// subscription occupies the scheduler until it ends, so the disposal would be too late for it.
/// Such a source is stopped at once, on the thread that disposes, and disposed when the scheduler
/// runs the disposal.
///
/// Handles that retain others pass the call on. Handles of sources that emit later need not
/// conform.
protocol StoppableDisposable: Disposable {
  /// Makes the source emit nothing more; runs no teardown, and is followed by a disposal.
  func stop()
}

extension Disposable {
  /// Stops the source, if the handle is one that can.
  func stopIfPossible() { (self as? any StoppableDisposable)?.stop() }
}
