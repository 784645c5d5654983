/// A property that tells its subscribers when it was assigned.
///
/// ```swift
/// final class Profile {
///   @Publishable var name = "Ada"
/// }
///
/// profile.$name.subscribe(by: view) { (view, changes) in view.show(changes.new) }
/// profile.name = "Grace"
/// ```
///
/// Subscribers are held weakly and need not unsubscribe. A subscriber is passed to its callback,
/// which therefore need not capture it. Changes are delivered in the order of
/// a subject's events, also when callbacks assign, subscribe and unsubscribe; the rules are
/// listed in <doc:PublishingAndEvents>.
///
/// Threads: with a `Sendable` property it may be used from any thread. A callback runs on the
/// thread that assigned, or on one that is publishing already; the immediate one runs on the
/// subscriber's. Reading and then assigning (`count += 1`) is two steps, which another thread's
/// assignment may come between.
@propertyWrapper
public final class Publishable<Property> {
  /// The value before an assignment and the value after it.
  public typealias Changes = Reactive.Changes<Property>
  /// A callback that takes the subscriber and the change.
  public typealias EventCallback<S: Subscriber> =
    @Sendable ((subscriber: S, changes: Changes)) -> Void

  private let subscribers: WeakSubscribers<Changes>

  /// Makes a property with its first value.
  public init(wrappedValue: Property) {
    subscribers = WeakSubscribers(
      Broadcast(buffer: ReplayBuffer(holding: Changes(old: wrappedValue, new: wrappedValue))))
  }

  /// The value; assigning it publishes the change, also when both values are equal.
  public var wrappedValue: Property {
    get {
      guard let last = subscribers.broadcast.withReplayBuffer({ $0.last }) else {
        preconditionFailure("A property always has a value.")
      }
      return last.new
    }
    set { subscribers.broadcast.change(to: newValue) }
  }

  /// The value of `$property`, which subscribers subscribe to.
  public var projectedValue: Publisher<Property> { self }

  /// Calls a callback with every later change, until the subscriber is deallocated.
  ///
  /// An object has one subscription to a property: subscribing again replaces it.
  ///
  /// - Parameters:
  ///   - subscriber: held weakly, and passed to the callback.
  ///   - immediate: whether the callback is called with the current value, as `old` and as
  ///     `new`, before this returns.
  ///   - callback: takes the subscriber and the change, as a tuple or as two parameters.
  /// - Returns: the handle that ends it. Releasing the handle does not end it.
  @preconcurrency
  @discardableResult
  public func subscribe<S: Subscriber>(
    by subscriber: S, immediate: Bool = false, _ callback: @escaping EventCallback<S>
  ) -> any Disposable {
    subscribers.subscribe(subscriber, isReplacing: true, skipsReplay: !immediate) {
      callback(($0, $1))
    }
  }

  /// Ends the subscription of an object; harmless when it has none.
  public func unsubscribe<S: Subscriber>(by subscriber: S) {
    subscribers.removeAll(of: subscriber)
  }

  /// Sends a change to all subscribers without assigning anything.
  ///
  /// - Parameter changes: the change; nil for the current value, as `old` and as `new`.
  public func publish(_ changes: Changes? = nil) {
    if let changes { subscribers.broadcast.pass(changes) } else { subscribers.broadcast.resend() }
  }
}

// Unchecked: the subscribers and their broadcast guard what changes.
extension Publishable: @unchecked Sendable where Property: Sendable {}

/// The type of `$property`, which publishes the changes of the property.
public typealias Publisher<Property> = Publishable<Property>

/// An object that subscribes to a property; every object may.
public typealias Subscriber = AnyObject

extension Broadcast {
  /// Makes a value the current one and emits the change from the value before, in one step.
  ///
  /// The replay buffer keeps the current value alone, as a change to itself: an immediate
  /// subscriber receives that, and a value that was replaced is not kept alive.
  fileprivate func change<Value>(to value: Value) where Element == Changes<Value> {
    let current = Changes(old: value, new: value)
    // Released after the lock, because the value may have a deinitialiser.
    var displaced: Element?
    emit { buffer in
      displaced = buffer.append(current)
      return Changes(old: displaced?.new ?? value, new: value)
    }
  }

  /// Emits the element of the replay buffer once more.
  fileprivate func resend() { emit { $0.last } }

  /// Emits an element without keeping it in the replay buffer.
  fileprivate func pass(_ element: Element) { serializer.run { self.deliver(element) } }

  /// Emits the element that a closure returns, in one step with its change of the replay buffer.
  private func emit(_ change: (inout ReplayBuffer<Element>) -> Element?) {
    var element: Element?
    let isOwner = lock.withLock { _ in
      element = change(&buffer)
      guard let element else { return false }
      return serializer.tryAcquire() || serializer.enqueue({ self.deliver(element) })
    }
    if isOwner, let element {
      deliver(element)
      serializer.release()
    }
  }
}
