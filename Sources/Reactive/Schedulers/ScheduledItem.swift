/// Work that waits in a scheduler, and the handle that takes it back.
///
/// Disposed before its time, it lets go of the work at once, whatever else still refers to it.
final class ScheduledItem: Cancelable {
  private let work: Locked<(@Sendable () -> any Disposable)?>
  /// What the work started.
  private let started = SingleAssignmentHandle()

  init<State: Sendable>(_ state: State, _ action: @escaping @Sendable (State) -> any Disposable) {
    work = Locked({ action(state) })
  }

  var isDisposed: Bool { started.isDisposed }

  /// Does the work, unless that was done or taken back.
  func invoke() {
    if let work = take() { started.attach(work()) }
  }

  func dispose() {
    // Released here, and not under the lock: what it captured may have deinitialisers.
    _ = take()
    started.dispose()
  }

  private func take() -> (@Sendable () -> any Disposable)? {
    work.withLock { held in
      defer { held = nil }
      return held
    }
  }
}
