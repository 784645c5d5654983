import Reactive
import Synchronization

/// The running effects of one store.
final class EffectTasks: Sendable {
  private struct State {
    var slots: [EffectID: SingleAssignmentDisposable] = [:]
    /// The number of the last effect without an identity.
    var lastAnonymousID: UInt64 = 0
    var isClosed = false
  }

  /// The identity of an effect that was started without one.
  private struct AnonymousID: Hashable { let number: UInt64 }

  private let state = Mutex(State())

  /// Runs and stops effects, in order.
  ///
  /// - Parameter send: Called with each intent of an effect, and with the handle of the effect.
  func perform<Intent>(
    _ effect: Effect<Intent>, send: @escaping @Sendable (Intent, any Cancelable) -> Void
  ) {
    for step in effect.steps {
      switch step {
      case .run(let intents, let id, let policy): run(intents, id, policy, send)
      case .cancel(let id): state.withLock { $0.slots.removeValue(forKey: id) }?.dispose()
      }
    }
  }

  /// Stops all effects; effects that are started later do not run.
  func close() {
    let slots = state.withLock { state in
      state.isClosed = true
      defer { state.slots = [:] }
      return Array(state.slots.values)
    }
    for slot in slots { slot.dispose() }
  }

  private func run<Intent>(
    _ intents: Observable<Intent>, _ id: EffectID?, _ policy: EffectPolicy,
    _ send: @escaping @Sendable (Intent, any Cancelable) -> Void
  ) {
    let slot = SingleAssignmentDisposable()
    guard let (id, replaced) = take(slot, id, policy) else { return }
    // Stopped before the new work is subscribed, so that the two never run at once.
    replaced?.dispose()
    slot.setDisposable(
      intents.subscribe(
        onNext: { [weak slot] intent in if let slot { send(intent, slot) } },
        onDisposed: { [weak self, weak slot] in self?.release(id, slot) }))
  }

  /// Stores the handle under its name; nil when the effect must not run.
  private func take(
    _ slot: SingleAssignmentDisposable, _ id: EffectID?, _ policy: EffectPolicy
  ) -> (EffectID, replaced: SingleAssignmentDisposable?)? {
    state.withLock { state in
      if state.isClosed { return nil }
      guard let id else {
        state.lastAnonymousID += 1
        let id = EffectID(AnonymousID(number: state.lastAnonymousID))
        state.slots[id] = slot
        return (id, nil)
      }
      if policy == .first, state.slots[id] != nil { return nil }
      return (id, state.slots.updateValue(slot, forKey: id))
    }
  }

  /// Removes the handle, unless another one has replaced it.
  private func release(_ id: EffectID, _ slot: SingleAssignmentDisposable?) {
    // Released here and not under the lock, because it holds a chain.
    _ = state.withLock { state in
      state.slots[id] === slot ? state.slots.removeValue(forKey: id) : nil
    }
  }
}
