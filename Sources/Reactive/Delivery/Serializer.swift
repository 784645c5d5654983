public import Synchronization

/// Runs work of several threads one piece at a time, without making any of them wait.
///
/// This is the queue-drain loop of Rx. A thread that finds the serializer free acquires it and
/// delivers; a thread that finds it taken enqueues its work and returns, and the owner runs that
/// work before it releases the serializer. So events to one observer never overlap, an event sent
/// from within a handler waits until the running one is delivered, and no lock is held while a
/// handler runs.
///
/// ```swift
/// if serializer.tryAcquire() || serializer.enqueue({ self.deliver(element) }) {
///   deliver(element)
///   serializer.release()
/// }
/// ```
///
/// The state goes from idle to busy when it is acquired; from busy to pending, under the lock of
/// the queue, when work is enqueued; back to busy when the owner takes that work; and from busy to
/// idle when the owner releases it. Acquiring and releasing order memory accordingly, so a field
/// that only the owner touches needs no lock.
@usableFromInline
struct Serializer: ~Copyable, Sendable {
  @usableFromInline static var idle: UInt8 { 0 }
  @usableFromInline static var busy: UInt8 { 1 }
  @usableFromInline static var pending: UInt8 { 2 }

  @usableFromInline let state = Atomic<UInt8>(0)
  private let queue = Locked<[() -> Void]>([])

  @usableFromInline
  init() {}

  /// Makes the caller the owner, unless there is one.
  @inlinable
  func tryAcquire() -> Bool {
    state.compareExchange(
      expected: Self.idle, desired: Self.busy,
      successOrdering: .acquiring, failureOrdering: .relaxed
    ).exchanged
  }

  /// Leaves work to the owner, or returns true when the caller has become the owner instead.
  ///
  /// In that case the work is not enqueued: the caller does it, and releases the serializer.
  @inline(never)
  @usableFromInline
  func enqueue(_ work: @escaping () -> Void) -> Bool {
    queue.withLock { queue in
      while !tryAcquire() {
        let seen = state.compareExchange(
          expected: Self.busy, desired: Self.pending, ordering: .relaxed
        ).original
        if seen != Self.idle {
          queue.append(work)
          return false
        }
      }
      return true
    }
  }

  /// Does work now, or leaves it to the owner.
  ///
  /// For work that is rare: unlike the steps above it may allocate the closure in every case.
  func run(_ work: @escaping () -> Void) {
    if tryAcquire() || enqueue(work) {
      work()
      release()
    }
  }

  /// Gives up ownership, after running the work that was enqueued meanwhile.
  @inlinable
  func release() {
    let wasBusy = state.compareExchange(
      expected: Self.busy, desired: Self.idle,
      successOrdering: .releasing, failureOrdering: .relaxed
    ).exchanged
    if !wasBusy { drain() }
  }

  /// Runs the enqueued work in order, a batch at a time, until there is none.
  @inline(never)
  @usableFromInline
  func drain() {
    var batch: [() -> Void] = []
    while takeBatch(&batch) {
      for work in batch { work() }
      batch.removeAll(keepingCapacity: true)
    }
  }

  private func takeBatch(_ batch: inout [() -> Void]) -> Bool {
    queue.withLock { queue in
      // The two buffers are swapped, so that a long re-entrant run allocates no arrays.
      swap(&batch, &queue)
      state.store(batch.isEmpty ? Self.idle : Self.busy, ordering: .releasing)
      return !batch.isEmpty
    }
  }
}
