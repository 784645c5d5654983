/// Carries events from whoever emits them to the objects that listen for their type.
///
///     bus.on(TaskDone.self, by: controller) { (controller, payload) in
///       controller.finish(payload.id)
///     }
///     bus.emit(TaskDone(payload: .init(id: 7)))
///
/// Listeners are held weakly, and one that is gone is forgotten by itself. It is handed to its
/// callback, which therefore need not capture it. The events of one type are delivered like
/// those of a subject; <doc:PublishingAndEvents> lists the rules.
///
/// Threads: any thread may use it. Callbacks run on the thread that emits, or on one that is
/// delivering an event of that type already.
public final class EventBus: Sendable {
  /// The bus of the whole program; tests make one of their own.
  public static let shared = EventBus()

  /// What a listener has called: it gets the listener and the event's payload.
  public typealias EventCallback<L: Listener, E: EventProtocol> =
    @Sendable ((listener: L, payload: E.Payload)) -> Void

  private let channels = Guarded<[ObjectIdentifier: any Channel]>([:])

  /// Makes a bus without listeners.
  public init() {}

  /// Has a callback called at every event of a type, until the listener is gone.
  ///
  /// Listening twice has both callbacks called, in the order in which they were given.
  ///
  /// - Parameters:
  ///   - event: the type of the events.
  ///   - listener: held weakly, and handed to the callback.
  ///   - callback: takes the listener and the payload, as a tuple or as two parameters.
  /// - Returns: what stops it. Letting go of it does not.
  @preconcurrency
  @discardableResult
  public func on<L: Listener, E: EventProtocol>(
    _ event: E.Type, by listener: L, _ callback: @escaping EventCallback<L, E>
  ) -> any Disposable where E.Payload: Sendable {
    let roster = openRoster(of: event)
    let membership = roster.enrol(listener, isReplacing: false)
    roster.start(membership) { [weak listener] payload in
      guard let listener else { return false }
      callback((listener, payload))
      return true
    }
    return membership
  }

  /// Ends all that an object listens to of one type; harmless when there is nothing.
  public func off<L: Listener, E: EventProtocol>(_ event: E.Type, by listener: L) {
    roster(of: event)?.strike(listener)
  }

  /// Ends all that an object listens to of the type of an event.
  public func off<L: Listener, E: EventProtocol>(_ event: E, by listener: L) {
    off(E.self, by: listener)
  }

  /// Ends all that an object listens to.
  public func reset<L: Listener>(_ listener: L) {
    for channel in channels.withLock({ Array($0.values) }) { channel.strike(listener) }
  }

  /// Delivers an event to all who listen for its type, in the order in which they began to.
  ///
  /// It returns when they were called. Only where an event of the same type is being delivered
  /// already, further up the stack or on another thread, it returns at once, and the event is
  /// delivered after that one.
  @preconcurrency
  public func emit<E: EventProtocol>(_ event: E) where E.Payload: Sendable {
    roster(of: E.self)?.broadcast.next(event.payload)
  }
}

/// What a bus knows of the listeners for one type, whatever the type.
private protocol Channel: AnyObject, Sendable {
  func strike(_ object: AnyObject)
}

extension Roster: Channel {}

extension EventBus {
  private func roster<E: EventProtocol>(of event: E.Type) -> Roster<E.Payload>? {
    // By the identity of the type: two of the same name are two.
    channels.withLock { $0[ObjectIdentifier(event)] }.map { narrow($0, to: event) }
  }

  private func openRoster<E: EventProtocol>(of event: E.Type) -> Roster<E.Payload> {
    let channel = channels.withLock { channels in
      let key = ObjectIdentifier(event)
      let channel = channels[key] ?? Roster<E.Payload>()
      channels[key] = channel
      return channel
    }
    return narrow(channel, to: event)
  }

  private func narrow<E: EventProtocol>(_ channel: any Channel, to: E.Type) -> Roster<E.Payload> {
    // Safety: what is filed under a type's identity was made for that type's payload, above.
    unsafeDowncast(channel, to: Roster<E.Payload>.self)
  }
}
