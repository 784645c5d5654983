/// A reference that does not keep its object alive, as a value that collections can hold.
public struct WeakRef<T: AnyObject> {
  /// The object; nil once it is deallocated.
  public weak var value: T?

  /// Makes a reference to an object, or to none.
  public init(_ value: T?) {
    self.value = value
  }
}

extension WeakRef: Sendable where T: Sendable {}

/// The objects that are subscribed to a broadcast, each held weakly.
///
/// The order of delivery is the broadcast's; this maps objects to their subscriptions. No
/// callback runs, and no reference to a user's object is released, under its lock.
final class WeakSubscribers<Element>: WeakSubscriptionOwner, @unchecked Sendable {
  // Unchecked: the broadcast and the state guard themselves.

  private struct State {
    /// By the address of the object.
    ///
    /// After an object was deallocated, another one may have its address. The subscriptions of
    /// both are then under one key: those of the first are never called any more, and are
    /// removed together with those of the second.
    var subscriptions: [ObjectIdentifier: [WeakSubscription]] = [:]
    var count = 0
    /// The number of subscriptions at which those of deallocated objects are looked for.
    var sweepThreshold = 32
  }

  let broadcast: Broadcast<Element>
  private let state = Locked(State())

  init(_ broadcast: Broadcast<Element> = Broadcast()) {
    self.broadcast = broadcast
  }

  /// Subscribes an object, in place of its earlier subscriptions or beside them.
  ///
  /// - Parameters:
  ///   - object: held weakly.
  ///   - isReplacing: whether its earlier subscriptions end.
  ///   - skipsReplay: whether it does not receive the broadcast's replay buffer.
  ///   - callback: takes the object and an element.
  func subscribe<Object: AnyObject>(
    _ object: Object, isReplacing: Bool, skipsReplay: Bool = false,
    _ callback: @escaping (Object, Element) -> Void
  ) -> WeakSubscription {
    let subscription = WeakSubscription(of: object, in: self)
    let (replaced, mustSweep) = state.withLock { state in
      let earlier = state.subscriptions[subscription.key] ?? []
      state.subscriptions[subscription.key] =
        isReplacing ? [subscription] : earlier + [subscription]
      state.count += isReplacing ? 1 - earlier.count : 1
      return (isReplacing ? earlier : [], state.count >= state.sweepThreshold)
    }
    for subscription in replaced { subscription.dispose() }
    if mustSweep { sweep() }
    broadcast.add(
      WeakSubscriptionSink(subscription, skipsReplay: skipsReplay) { [weak object] element in
        guard let object else { return false }
        callback(object, element)
        return true
      })
    return subscription
  }

  func removeAll(of object: AnyObject) {
    let key = ObjectIdentifier(object)
    let removed = state.withLock { state in
      let removed = state.subscriptions.removeValue(forKey: key) ?? []
      state.count -= removed.count
      return removed
    }
    for subscription in removed { subscription.dispose() }
  }

  func remove(_ subscription: WeakSubscription) {
    state.withLock { state in
      guard var subscriptions = state.subscriptions[subscription.key],
        let index = subscriptions.firstIndex(where: { $0 === subscription })
      else { return }
      subscriptions.remove(at: index)
      state.subscriptions[subscription.key] = subscriptions.isEmpty ? nil : subscriptions
      state.count -= 1
    }
  }

  /// Ends the subscriptions of deallocated objects, which a broadcast without events never does.
  ///
  /// It runs whenever their number has doubled, so its cost per subscription is constant.
  private func sweep() {
    let subscriptions = state.withLock { $0.subscriptions.values.flatMap { $0 } }
    // Outside of the lock: reading a weak reference may release the last strong one.
    for subscription in subscriptions where subscription.isOrphaned { subscription.dispose() }
    state.withLock { $0.sweepThreshold = max(32, 2 * $0.count) }
  }
}

/// One subscription of an object, and the handle that ends it.
final class WeakSubscription: Cancelable, @unchecked Sendable {
  // Unchecked: the reference to the object never changes, and is only compared with nil.

  let key: ObjectIdentifier
  private let object: WeakRef<AnyObject>
  private weak let owner: (any WeakSubscriptionOwner)?
  private let upstream = SingleAssignmentHandle()

  init(of object: AnyObject, in owner: any WeakSubscriptionOwner) {
    key = ObjectIdentifier(object)
    self.object = WeakRef(object)
    self.owner = owner
  }

  var isDisposed: Bool { upstream.isDisposed }

  var isOrphaned: Bool { object.value == nil }

  /// Keeps the handle that stops the delivery.
  func attach(_ disposable: any Disposable) { upstream.attach(disposable) }

  func dispose() {
    guard upstream.markDisposed() else { return }
    upstream.disposeHandle()
    owner?.remove(self)
  }
}

/// The owner of subscriptions, without the type of what is delivered to them.
protocol WeakSubscriptionOwner: AnyObject, Sendable {
  /// Called when a subscription was disposed.
  func remove(_ subscription: WeakSubscription)
  func removeAll(of object: AnyObject)
}

private final class WeakSubscriptionSink<Element>: Sink<Element> {
  private let subscription: WeakSubscription
  /// Whether the next element is the replayed one, which the subscriber does not want.
  ///
  /// Protected by the rule that calls to a sink never overlap.
  private var isSkipping: Bool
  /// Takes an element; returns false when the subscribed object is gone.
  private let handler: (Element) -> Bool

  init(_ subscription: WeakSubscription, skipsReplay: Bool, _ handler: @escaping (Element) -> Bool)
  {
    self.subscription = subscription
    isSkipping = skipsReplay
    self.handler = handler
  }

  override func attach(_ upstream: any Disposable) { subscription.attach(upstream) }

  override func next(_ element: Element) {
    if isSkipping {
      isSkipping = false
    } else if !subscription.isDisposed, !handler(element) {
      subscription.dispose()
    }
  }
}
