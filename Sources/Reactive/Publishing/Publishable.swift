/// A property that tells its subscribers when it was assigned.
///
///     final class Profile {
///       @Publishable var name = "Ada"
///     }
///
///     profile.$name.subscribe(by: view) { (view, changes) in view.show(changes.new) }
///     profile.name = "Grace"
///
/// Subscribers are held weakly, and one that is gone is forgotten by itself. It is handed to its
/// callback, which therefore need not capture it. The order of delivery and what happens when
/// callbacks assign, subscribe and unsubscribe is as with subjects; <doc:PublishingAndEvents>
/// lists it.
///
/// Threads: with a `Sendable` property it may be used from any thread. A callback runs on the
/// thread that assigned, or on one that is publishing already; the immediate one runs on the
/// subscriber's. Reading and then assigning (`count += 1`) is two steps, which another thread's
/// assignment may come between.
@propertyWrapper
public final class Publishable<Property> {
  /// What subscribers are told: the value before and the value after.
  public typealias Changes = Reactive.Changes<Property>
  /// What a subscriber has called: it gets the subscriber and the change.
  public typealias EventCallback<S: Subscriber> =
    @Sendable ((subscriber: S, changes: Changes)) -> Void

  private let roster: Roster<Changes>

  /// Makes a property with its first value.
  public init(wrappedValue: Property) {
    roster = Roster(
      Broadcast(memory: Memory(holding: Changes(old: wrappedValue, new: wrappedValue))))
  }

  /// The value; assigning it publishes the change, also when both values are equal.
  public var wrappedValue: Property {
    get {
      guard let last = roster.broadcast.recall({ $0.last }) else {
        preconditionFailure("A property always has a value.")
      }
      return last.new
    }
    set { roster.broadcast.change(to: newValue) }
  }

  /// What `$property` stands for: the side that is subscribed.
  public var projectedValue: Publisher<Property> { self }

  /// Has a callback called at every change from now on, until the subscriber is gone.
  ///
  /// An object has one subscription to a property: subscribing again replaces it.
  ///
  /// - Parameters:
  ///   - subscriber: held weakly, and handed to the callback.
  ///   - immediate: whether the callback is called with the current value, as `old` and as
  ///     `new`, before this returns.
  ///   - callback: takes the subscriber and the change, as a tuple or as two parameters.
  /// - Returns: what stops it. Letting go of it does not.
  @preconcurrency
  @discardableResult
  public func subscribe<S: Subscriber>(
    by subscriber: S, immediate: Bool = false, _ callback: @escaping EventCallback<S>
  ) -> any Disposable {
    let membership = roster.enrol(subscriber, isReplacing: true)
    roster.start(membership, skipsReplay: !immediate) { [weak subscriber] changes in
      guard let subscriber else { return false }
      callback((subscriber, changes))
      return true
    }
    return membership
  }

  /// Ends the subscription of an object; harmless when it has none.
  public func unsubscribe<S: Subscriber>(by subscriber: S) {
    roster.strike(subscriber)
  }

  /// Tells all subscribers of a change, without assigning anything.
  ///
  /// - Parameter changes: what they are told; nil for the current value, as `old` and as `new`.
  public func publish(_ changes: Changes? = nil) {
    if let changes { roster.broadcast.pass(changes) } else { roster.broadcast.resend() }
  }
}

// Unchecked: the roster and its broadcast guard what changes; the property goes to callbacks
// that may run on any thread, and to nobody else.
extension Publishable: @unchecked Sendable where Property: Sendable {}
