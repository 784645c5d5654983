public import Synchronization

/// Lets one thread deliver at a time; whoever comes meanwhile leaves its work and goes on.
///
/// The one mechanism behind three laws: events to an observer never overlap, events sent from
/// within a handler wait their turn, and no lock is held while a handler runs.
///
///     if drain.enter() || drain.post({ self.deliver(element) }) {
///       deliver(element)
///       drain.leave()
///     }
///
/// State: idle -> busy by whoever enters; busy -> pending under the inbox lock, with work in it;
/// pending -> busy when the owner takes the work out; busy -> idle by the owner, and only then.
/// Entering acquires and leaving releases, so fields touched by the owner alone need no lock.
@usableFromInline
struct Drain: ~Copyable, Sendable {
  @usableFromInline static var idle: UInt8 { 0 }
  @usableFromInline static var busy: UInt8 { 1 }
  @usableFromInline static var pending: UInt8 { 2 }

  @usableFromInline let state = Atomic<UInt8>(0)
  let inbox = Guarded<[() -> Void]>([])

  @usableFromInline
  init() {}

  /// Becomes the owner if nobody is.
  @inlinable
  func enter() -> Bool {
    state.compareExchange(
      expected: Self.idle, desired: Self.busy,
      successOrdering: .acquiring, failureOrdering: .relaxed
    ).exchanged
  }

  /// Leaves work for the owner; true when there is none any more and the caller became it.
  ///
  /// The work is then not queued: the caller does it, and leaves.
  @inline(never)
  @usableFromInline
  func post(_ work: @escaping () -> Void) -> Bool {
    inbox.withLock { queue in
      while !enter() {
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

  /// Does work now, or leaves it for the owner.
  ///
  /// It is for what happens seldom: the closure may be allocated even when nobody is the owner.
  func run(_ work: @escaping () -> Void) {
    if enter() || post(work) {
      work()
      leave()
    }
  }

  /// Gives up ownership, after doing whatever was left meanwhile.
  @inlinable
  func leave() {
    let left = state.compareExchange(
      expected: Self.busy, desired: Self.idle,
      successOrdering: .releasing, failureOrdering: .relaxed
    ).exchanged
    if !left { workOff() }
  }

  /// Does the queued work in order, a batch at a time, until there is none.
  @inline(never)
  @usableFromInline
  func workOff() {
    var batch: [() -> Void] = []
    while takeBatch(&batch) {
      for work in batch { work() }
      batch.removeAll(keepingCapacity: true)
    }
  }

  private func takeBatch(_ batch: inout [() -> Void]) -> Bool {
    inbox.withLock { queue in
      // The two buffers swap places, so that a long re-entrant run allocates no arrays.
      swap(&batch, &queue)
      state.store(batch.isEmpty ? Self.idle : Self.busy, ordering: .releasing)
      return !batch.isEmpty
    }
  }
}
