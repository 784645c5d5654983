import Synchronization

/// The handle of what feeds a sink, and whether the sink still wants it.
///
/// It may be closed before, while or after the handle arrives, from any thread; the handle is
/// disposed exactly once in each case.
struct Upstream: ~Copyable, Sendable {
  private let isClosed = Atomic<Bool>(false)
  private let handle = Guarded<(any Disposable)?>(nil)

  /// Whether it was closed.
  var isDisposed: Bool { isClosed.load(ordering: .acquiring) }

  /// Keeps the handle, or disposes it at once and returns true when this was closed already.
  @discardableResult
  func attach(_ disposable: any Disposable) -> Bool {
    let isLate = handle.withLock { held in
      if isDisposed { return true }
      held = disposable
      return false
    }
    if isLate { disposable.dispose() }
    return isLate
  }

  /// Closes without disposing yet; true for the one caller that did it.
  func close() -> Bool {
    !isClosed.exchange(true, ordering: .acquiringAndReleasing)
  }

  /// Disposes the handle, and returns whether there was one; to be called after closing.
  @discardableResult
  func release() -> Bool {
    let held = handle.withLock { held in
      defer { held = nil }
      return held
    }
    held?.dispose()
    return held != nil
  }

  /// Closes and disposes; harmless when repeated.
  func dispose() {
    if close() { release() }
  }
}
