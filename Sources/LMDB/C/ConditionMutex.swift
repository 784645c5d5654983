internal import CroftLibc

/// A mutex that protects a value, with a condition variable to wait until the value has changed.
///
/// The standard library's mutex cannot wait for a condition with a deadline.
///
/// Threads: any. It is `@unchecked` because `state` and `waiters` are used only with `mutex` held.
@safe final class ConditionMutex<State>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  // Protected by `mutex`.
  private var state: State
  // Protected by `mutex`.
  private var waiters = 0

  init(_ state: State) {
    self.state = state
    // Safety: both objects live at a fixed address until deinit; a default mutex cannot fail.
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe condition.initialize(to: pthread_cond_t())
    _ = unsafe pthread_mutex_init(mutex, nil)
    #if canImport(Darwin)
      _ = unsafe pthread_cond_init(condition, nil)
    #else
      var attributes = pthread_condattr_t()
      _ = unsafe pthread_condattr_init(&attributes)
      _ = unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      _ = unsafe pthread_cond_init(condition, &attributes)
      _ = unsafe pthread_condattr_destroy(&attributes)
    #endif
  }

  deinit {
    // Safety: no thread has a reference any more, so none waits.
    _ = unsafe pthread_cond_destroy(condition)
    _ = unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Changes the value, then wakes the threads that wait for a change.
  func withLock<R, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
    lock()
    defer { unlock() }
    return try body(&state)
  }

  /// Waits until the value matches a condition, then changes it; nil when the deadline comes first.
  ///
  /// The deadline is evaluated only when the condition is not met at once.
  func withLock<R>(
    when isReady: (State) -> Bool, before deadline: @autoclosure () -> Deadline,
    _ body: (inout State) -> R
  ) -> R? {
    lock()
    defer { unlock() }
    if !isReady(state) {
      let deadline = deadline()
      waiters += 1
      defer { waiters -= 1 }
      while !isReady(state) {
        guard deadline.remainingNanoseconds > 0 else { return nil }
        wait(until: deadline)
      }
    }
    return body(&state)
  }

  private func lock() {
    // Safety: the mutex is initialised; locking a default mutex twice is excluded by the callers.
    _ = unsafe pthread_mutex_lock(mutex)
  }

  private func unlock() {
    // Safety: the thread holds the mutex.
    if waiters > 0 { _ = unsafe pthread_cond_broadcast(condition) }
    _ = unsafe pthread_mutex_unlock(mutex)
  }

  private func wait(until deadline: Deadline) {
    var time = deadline.timespecForWaiting
    // Safety: the thread holds the mutex; the caller's loop handles spurious wake-ups.
    #if canImport(Darwin)
      _ = unsafe pthread_cond_timedwait_relative_np(condition, mutex, &time)
    #else
      _ = unsafe pthread_cond_timedwait(condition, mutex, &time)
    #endif
  }
}
