import Reactive

/// What a property and a bus have in common: objects that are told numbers.
protocol Station: Sendable {
  @discardableResult
  func listen(_ object: Somebody, _ handler: @escaping @Sendable (Int) -> Void) -> any Disposable
  func leave(_ object: Somebody)
  func send(_ number: Int)
}

extension Station {
  /// Ends what callbacks that capture the station would keep alive.
  func close(for everybody: Somebody...) {
    for somebody in everybody { leave(somebody) }
  }
}

/// A property that is assigned.
struct PropertyStation: Station {
  let property = Publishable(wrappedValue: 0)

  func listen(
    _ object: Somebody, _ handler: @escaping @Sendable (Int) -> Void
  ) -> any Disposable {
    property.subscribe(by: object) { _, changes in handler(changes.new) }
  }

  func leave(_ object: Somebody) { property.unsubscribe(by: object) }

  func send(_ number: Int) { property.wrappedValue = number }
}

/// A bus that events are emitted on.
struct BusStation: Station {
  struct Sent: EventProtocol {
    let payload: Int
  }

  let bus = EventBus()

  func listen(
    _ object: Somebody, _ handler: @escaping @Sendable (Int) -> Void
  ) -> any Disposable {
    bus.on(Sent.self, by: object) { _, payload in handler(payload) }
  }

  func leave(_ object: Somebody) { bus.off(Sent.self, by: object) }

  func send(_ number: Int) { bus.emit(Sent(payload: number)) }
}

/// Both kinds, as arguments of a test.
enum StationKind: String, CaseIterable {
  case property, bus

  func make() -> any Station {
    switch self {
    case .property: PropertyStation()
    case .bus: BusStation()
    }
  }
}

/// Somebody who subscribes or listens.
final class Somebody: Sendable {
  let name: String

  init(_ name: String = "somebody") {
    self.name = name
  }
}
