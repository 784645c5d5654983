public import Synchronization

/// The registration of one observer with a broadcast, and the handle that removes it.
///
/// It does not hold the observer, which the broadcast does. So an observer may hold its own
/// handle without keeping itself alive.
@usableFromInline
final class ObserverRegistration: StoppableDisposable, Sendable {
  @usableFromInline static let live: UInt8 = 0
  @usableFromInline static let replaying: UInt8 = 1
  @usableFromInline static let stopped: UInt8 = 2
  @usableFromInline static let removed: UInt8 = 3

  @usableFromInline let status: Atomic<UInt8>
  /// Holds live events back while the subscriber's thread replays earlier ones.
  @usableFromInline let gate = Serializer()
  private weak let registry: (any ObserverRegistry)?
  private let bagKey = Atomic<UInt64>(0)

  init(in registry: any ObserverRegistry, isReplaying: Bool) {
    self.registry = registry
    status = Atomic(isReplaying ? Self.replaying : Self.live)
    if isReplaying { _ = gate.tryAcquire() }
  }

  /// Whether the observer was stopped or removed, or received its terminal event.
  @usableFromInline
  var isRemoved: Bool { status.load(ordering: .acquiring) >= Self.stopped }

  /// The key of the observer in the registry's bag; zero before it is inserted there.
  var key: UInt64 {
    get { bagKey.load(ordering: .relaxed) }
    set { bagKey.store(newValue, ordering: .relaxed) }
  }

  /// Marks the observer as removed; true for the one caller that did it.
  func remove() -> Bool {
    status.exchange(Self.removed, ordering: .acquiringAndReleasing) != Self.removed
  }

  /// Delivers the live events that were held back, and lets later ones pass directly.
  func endReplay() {
    gate.release()
    // Live events pass the gate only while the broadcast's serializer is owned. From the next
    // event on the owner reads `live` and does not use the gate, so no event overtakes another.
    _ = status.compareExchange(
      expected: Self.replaying, desired: Self.live, ordering: .acquiringAndReleasing)
  }

  @usableFromInline
  func stop() {
    // In this order: replaying becomes live, and live becomes nothing else.
    for running in [Self.replaying, Self.live] {
      _ = status.compareExchange(
        expected: running, desired: Self.stopped, ordering: .acquiringAndReleasing)
    }
  }

  @usableFromInline
  func dispose() {
    if remove() { registry?.didRemove(self) }
  }
}

/// One observer in the list of a broadcast, which retains its registration and its sink.
@usableFromInline
struct ObserverSlot {
  @usableFromInline let registration: Unmanaged<ObserverRegistration>
  // Not typed by the element: so the list is concrete code, which is many times as fast as code
  // that is not specialised for the element's type.
  @usableFromInline let sink: Unmanaged<AnyObject>
}

/// The owner of registrations, which is called when an observer is removed.
@usableFromInline
protocol ObserverRegistry: AnyObject, Sendable {
  func didRemove(_ registration: ObserverRegistration)
}
