public import Synchronization

/// Delivers the events of one source to many observers, in the order of their subscription.
///
/// Events are accepted in one order, also when several threads or handlers emit them, and every
/// observer receives them in that order. An observer receives the events that are accepted after
/// its subscription. With a replay buffer it first receives the elements of the buffer, on its
/// own thread and before its subscription returns.
@usableFromInline
final class Broadcast<Element>: ObserverRegistry, @unchecked Sendable {
  // Unchecked: observers and termination are touched by the serializer's owner alone, the buffer
  // under its lock.

  @usableFromInline let serializer = Serializer()
  /// How many elements are kept for later observers; with none, emitting takes no lock.
  @usableFromInline let capacity: Int
  // Changed by the serializer's owner alone, and never while it is iterated. The dynamic
  // exclusivity check would cost more than the delivery.
  @exclusivity(unchecked) @usableFromInline var observers = Bag<ObserverSlot>()
  /// The end that was delivered; touched by the serializer's owner alone.
  private var termination: BroadcastTermination?
  private let observerCount = Atomic<Int>(0)
  /// Whether an end was accepted; set under the lock, and read without it.
  private let hasEnded = Atomic<Bool>(false)
  @usableFromInline let lock = Locked(())
  // Accessed under the lock only; the exclusivity check is disabled as for the observers.
  @exclusivity(unchecked) @usableFromInline var buffer: ReplayBuffer<Element>

  init(buffer: ReplayBuffer<Element> = ReplayBuffer(capacity: 0)) {
    capacity = buffer.capacity
    self.buffer = buffer
  }

  deinit {
    observers.removeAll().forEach(release)
  }

  var hasObservers: Bool { observerCount.load(ordering: .relaxed) > 0 }

  /// Reads the replay buffer under its lock.
  func withReplayBuffer<Result>(_ body: (borrowing ReplayBuffer<Element>) -> Result) -> Result {
    lock.withLock { _ in body(buffer) }
  }

  @inlinable
  func next(_ element: Element) {
    let isOwner =
      capacity == 0
      ? serializer.tryAcquire() || serializer.enqueue({ self.deliver(element) })
      : keep(element)
    if isOwner {
      deliver(element)
      serializer.release()
    }
  }

  /// Emits the end to all observers, and to those that subscribe later.
  func done(_ error: (any Error)?) {
    end(BroadcastTermination(error: error, isSilent: false))
  }

  /// Removes all observers without an event; those that subscribe later receive the error.
  func close(_ error: any Error) {
    end(BroadcastTermination(error: error, isSilent: true))
  }

  /// Subscribes a sink.
  func add(_ sink: Sink<Element>) {
    let registration = ObserverRegistration(in: self, isReplaying: capacity > 0)
    sink.attach(registration)
    // An end that was accepted is emitted at once, also while it is being delivered to others:
    // an observer that subscribes again from within its handler has to receive it.
    guard capacity > 0 || hasEnded.load(ordering: .acquiring) else {
      if serializer.tryAcquire() || serializer.enqueue({ self.register(registration, sink) }) {
        register(registration, sink)
        serializer.release()
      }
      return
    }
    var replayed: ContiguousArray<Element> = []
    var termination: BroadcastTermination?
    let isOwner = lock.withLock { _ in
      replayed = buffer.replayed
      termination = buffer.termination
      guard termination == nil else { return false }
      return serializer.tryAcquire()
        || serializer.enqueue({ self.register(registration, sink) })
    }
    if isOwner {
      register(registration, sink)
      serializer.release()
    }
    for element in replayed where !registration.isRemoved { sink.next(element) }
    if let termination { conclude(registration, sink, termination) }
    if capacity > 0 { registration.endReplay() }
  }

  @usableFromInline
  func didRemove(_ registration: ObserverRegistration) {
    if serializer.tryAcquire() || serializer.enqueue({ self.unregister(registration) }) {
      unregister(registration)
      serializer.release()
    }
  }
}

// Called by the serializer's owner alone.
extension Broadcast {
  @inlinable
  func deliver(_ element: Element) {
    if let slot = observers.first { deliver(element, to: slot) }
    // By index: an iterator would retain the storage for every event.
    for index in 0..<observers.rest.count {
      if let slot = observers.rest[index].value { deliver(element, to: slot) }
    }
  }

  @inlinable
  func deliver(_ element: Element, to slot: ObserverSlot) {
    // Safety: the list retains both objects, and nobody changes it during a delivery.
    slot.registration._withUnsafeGuaranteedRef { registration in
      slot.sink._withUnsafeGuaranteedRef { object in
        let sink = unsafeDowncast(object, to: Sink<Element>.self)
        let status = registration.status.load(ordering: .acquiring)
        if status == ObserverRegistration.live {
          sink.next(element)
        } else if status == ObserverRegistration.replaying {
          deliverThroughGate(element, registration, sink)
        }
      }
    }
  }

  @inline(never)
  @usableFromInline
  func deliverThroughGate(
    _ element: Element, _ registration: ObserverRegistration, _ sink: Sink<Element>
  ) {
    registration.gate.run {
      if !registration.isRemoved { sink.next(element) }
    }
  }

  private func register(_ registration: ObserverRegistration, _ sink: Sink<Element>) {
    if let termination {
      finish(registration, sink, termination)
    } else if !registration.isRemoved {
      let slot = ObserverSlot(registration: .passRetained(registration), sink: .passRetained(sink))
      registration.key = observers.insert(slot)
      observerCount.add(1, ordering: .relaxed)
    }
  }

  private func unregister(_ registration: ObserverRegistration) {
    guard let slot = observers.remove(registration.key) else { return }
    observerCount.subtract(1, ordering: .relaxed)
    release(slot)
  }

  private func terminate(_ termination: BroadcastTermination) {
    self.termination = termination
    let slots = observers.removeAll()
    observerCount.store(0, ordering: .relaxed)
    slots.forEach { slot in
      // Safety: the list owned these references, and every sink in it takes this broadcast's
      // elements.
      let registration = slot.registration.takeRetainedValue()
      let object = slot.sink.takeRetainedValue()
      if termination.isSilent {
        _ = registration.remove()
      } else {
        finish(registration, unsafeDowncast(object, to: Sink<Element>.self), termination)
      }
    }
  }

  private func finish(
    _ registration: ObserverRegistration, _ sink: Sink<Element>, _ termination: BroadcastTermination
  ) {
    registration.gate.run { self.conclude(registration, sink, termination) }
  }

  private func conclude(
    _ registration: ObserverRegistration, _ sink: Sink<Element>, _ termination: BroadcastTermination
  ) {
    if !registration.isRemoved, registration.remove() { sink.done(termination.error) }
  }

  private func release(_ slot: ObserverSlot) {
    slot.registration.release()
    slot.sink.release()
  }
}

// Accepts an event: the buffer changes, and the delivery is put in order, under one lock.
extension Broadcast {
  @inlinable
  func keep(_ element: Element) -> Bool {
    var displaced: Element?
    let isOwner = lock.withLock { _ in
      guard buffer.termination == nil else { return false }
      displaced = buffer.append(element)
      return serializer.tryAcquire() || serializer.enqueue({ self.deliver(element) })
    }
    // Released here and not under the lock, because elements may have deinitialisers.
    _ = displaced
    return isOwner
  }

  private func end(_ termination: BroadcastTermination) {
    // Released outside of the lock, because elements may have deinitialisers.
    var discarded: ContiguousArray<Element> = []
    let isOwner = lock.withLock { _ in
      // A broadcast that has ended can still be closed.
      if let earlier = buffer.termination, earlier.isSilent || !termination.isSilent {
        return false
      }
      buffer.termination = termination
      hasEnded.store(true, ordering: .releasing)
      if termination.isSilent { swap(&discarded, &buffer.elements) }
      return serializer.tryAcquire() || serializer.enqueue({ self.terminate(termination) })
    }
    if isOwner {
      terminate(termination)
      serializer.release()
    }
  }
}

/// How a broadcast ended.
@usableFromInline
struct BroadcastTermination {
  /// The error it failed with; nil when it completed.
  let error: (any Error)?
  /// Whether the current observers are removed without receiving the end.
  let isSilent: Bool
}
