/// Delivers events to the objects that listen for their type.
///
/// ```swift
/// bus.on(TaskDone.self, by: controller) { (controller, payload) in
///   controller.finish(payload.id)
/// }
/// bus.emit(TaskDone(payload: .init(id: 7)))
/// ```
///
/// Listeners are held weakly and need not unregister. A listener is passed to its callback, which
/// therefore need not capture it. The events of one type are delivered like
/// those of a subject; <doc:PublishingAndEvents> lists the rules.
///
/// Threads: any thread may use it. Callbacks run on the thread that emits, or on one that is
/// delivering an event of that type already.
public final class EventBus: Sendable {
  /// The bus of the whole program; tests make one of their own.
  public static let shared = EventBus()

  /// A callback that takes the listener and the payload of an event.
  public typealias EventCallback<L: Listener, E: EventProtocol> =
    @Sendable ((listener: L, payload: E.Payload)) -> Void

  private let channels = Locked<[ObjectIdentifier: any WeakSubscriptionOwner]>([:])

  /// Makes a bus without listeners.
  public init() {}

  /// Calls a callback with every event of a type, until the listener is deallocated.
  ///
  /// Registering twice calls both callbacks, in the order of registration.
  ///
  /// - Parameters:
  ///   - event: the type of the events.
  ///   - listener: held weakly, and passed to the callback.
  ///   - callback: takes the listener and the payload, as a tuple or as two parameters.
  /// - Returns: the handle that removes it. Releasing the handle does not remove it.
  @preconcurrency
  @discardableResult
  public func on<L: Listener, E: EventProtocol>(
    _ event: E.Type, by listener: L, _ callback: @escaping EventCallback<L, E>
  ) -> any Disposable where E.Payload: Sendable {
    openSubscribers(of: event).subscribe(listener, isReplacing: false) { callback(($0, $1)) }
  }

  /// Removes all callbacks of an object for one type; harmless when there are none.
  public func off<L: Listener, E: EventProtocol>(_ event: E.Type, by listener: L) {
    subscribers(of: event)?.removeAll(of: listener)
  }

  /// Removes all callbacks of an object for the type of an event.
  public func off<L: Listener, E: EventProtocol>(_ event: E, by listener: L) {
    off(type(of: event), by: listener)
  }

  /// Removes all callbacks of an object.
  public func reset<L: Listener>(_ listener: L) {
    for channel in channels.withLock({ Array($0.values) }) { channel.removeAll(of: listener) }
  }

  /// Calls the listeners of an event's type, in the order of their registration.
  ///
  /// It returns after they were called. While another event of the same type is being delivered,
  /// further up the stack or on another thread, it returns at once, and the event is delivered
  /// after that one.
  @preconcurrency
  public func emit<E: EventProtocol>(_ event: E) where E.Payload: Sendable {
    subscribers(of: type(of: event))?.broadcast.next(event.payload)
  }

  private func subscribers<E: EventProtocol>(of event: E.Type) -> WeakSubscribers<E.Payload>? {
    // By the identity of the type: two of the same name are two.
    channels.withLock { $0[ObjectIdentifier(event)] }.map { narrow($0, to: event) }
  }

  private func openSubscribers<E: EventProtocol>(of event: E.Type) -> WeakSubscribers<E.Payload> {
    let channel = channels.withLock { channels in
      let key = ObjectIdentifier(event)
      let channel = channels[key] ?? WeakSubscribers<E.Payload>()
      channels[key] = channel
      return channel
    }
    return narrow(channel, to: event)
  }

  private func narrow<E: EventProtocol>(
    _ channel: any WeakSubscriptionOwner, to: E.Type
  ) -> WeakSubscribers<E.Payload> {
    // Safety: the channel stored under a type's identity was made for that type's payload, above;
    // a subclass inherits the conformance, so its payload is that of its superclass.
    unsafeDowncast(channel, to: WeakSubscribers<E.Payload>.self)
  }
}

/// An event that a bus carries, with its payload.
///
/// ```swift
/// struct TaskDone: EventProtocol {
///   struct Payload { let id: Int }
///   let payload: Payload
/// }
/// ```
///
/// A bus tells events apart by their type and by nothing else.
public protocol EventProtocol {
  /// The value that listeners are handed.
  associatedtype Payload

  /// The value that listeners of this event are handed.
  var payload: Payload { get }
}

/// An object that listens to events; every object may.
public typealias Listener = AnyObject

/// A value that emits events; every value may.
public typealias Emitter = Any
