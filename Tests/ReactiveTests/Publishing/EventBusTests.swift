import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

private struct Renamed: EventProtocol {
  struct Payload {
    let name: String
  }

  let payload: Payload
}

private struct Deleted: EventProtocol {
  let payload: Int
}

private class Moved: EventProtocol {
  let payload: Int

  init(_ payload: Int) { self.payload = payload }
}

private final class MovedUp: Moved {}

private final class MovedDown: Moved {}

@Suite(.accounted) struct EventBusTests {
  @Test func anEventReachesThoseWhoListenForItsTypeWithItsPayload() {
    let bus = EventBus()
    let (first, second) = (Somebody("first"), Somebody("second"))
    let journal = Journal()
    bus.on(Renamed.self, by: first) { (listener, payload) in
      journal.write("\(listener.name) \(payload.name)")
    }
    bus.on(Deleted.self, by: second) { listener, payload in
      journal.write("\(listener.name) \(payload)")
    }
    bus.emit(Renamed(payload: .init(name: "home")))
    bus.emit(Deleted(payload: 7))
    #expect(journal.lines == ["first home", "second 7"])
  }

  @Test func anEventNobodyListensForIsHarmless() {
    EventBus().emit(Deleted(payload: 7))
  }

  @Test func busesAreApart() {
    let (one, other) = (EventBus(), EventBus())
    let somebody = Somebody()
    let calls = Counter()
    one.on(Deleted.self, by: somebody) { _, _ in calls.increment() }
    other.emit(Deleted(payload: 7))
    #expect(calls.value == 0)
    one.emit(Deleted(payload: 7))
    #expect(calls.value == 1)
  }

  @Test func aListenerMayListenTwiceAndEndsBothAtOnce() {
    let bus = EventBus()
    let somebody = Somebody()
    let journal = Journal()
    bus.on(Deleted.self, by: somebody) { _, _ in journal.write("a") }
    let second = bus.on(Deleted.self, by: somebody) { _, _ in journal.write("b") }
    bus.on(Deleted.self, by: somebody) { _, _ in journal.write("c") }
    bus.emit(Deleted(payload: 1))
    second.dispose()
    bus.emit(Deleted(payload: 2))
    bus.off(Deleted.self, by: somebody)
    bus.emit(Deleted(payload: 3))
    #expect(journal.line == "a b c a c")
  }

  @Test func offTakesTheTypeOrAnEventOfIt() {
    let bus = EventBus()
    let (byType, byEvent, stays) = (Somebody("type"), Somebody("event"), Somebody("stays"))
    let journal = Journal()
    for somebody in [byType, byEvent, stays] {
      bus.on(Deleted.self, by: somebody) { listener, _ in journal.write(listener.name) }
    }
    bus.on(Renamed.self, by: byType) { listener, _ in journal.write("\(listener.name) renamed") }
    bus.off(Deleted.self, by: byType)
    bus.off(Deleted(payload: 1), by: byEvent)
    bus.off(Renamed.self, by: stays)
    bus.emit(Deleted(payload: 2))
    bus.emit(Renamed(payload: .init(name: "home")))
    #expect(journal.lines == ["stays", "type renamed"])
  }

  @Test func resetEndsEverythingOfOneListener() {
    let bus = EventBus()
    let (leaver, stays) = (Somebody("leaver"), Somebody("stays"))
    let journal = Journal()
    for somebody in [leaver, stays] {
      bus.on(Deleted.self, by: somebody) { listener, _ in journal.write(listener.name) }
      bus.on(Renamed.self, by: somebody) { listener, _ in journal.write(listener.name) }
    }
    bus.reset(leaver)
    bus.reset(leaver)
    bus.emit(Deleted(payload: 1))
    bus.emit(Renamed(payload: .init(name: "home")))
    #expect(journal.line == "stays stays")
    bus.on(Deleted.self, by: leaver) { listener, _ in journal.write(listener.name) }
    bus.emit(Deleted(payload: 2))
    #expect(journal.line == "stays stays stays leaver")
  }

  @Test func theListenerIsNotKeptAliveAndIsForgottenWithItsCallbacks() throws {
    let bus = EventBus()
    let calls = Counter()
    let released = Counter()
    let witness = Box(Witness { released.increment() })
    var somebody: Somebody? = Somebody()
    weak let observed = somebody
    bus.on(Deleted.self, by: try #require(somebody)) { [held = witness.value] _, _ in
      held?.touch()
      calls.increment()
    }
    witness.value = nil
    bus.emit(Deleted(payload: 1))
    somebody = nil
    #expect(observed == nil)
    #expect(released.value == 0)
    bus.emit(Deleted(payload: 2))
    #expect(calls.value == 1)
    #expect(released.value == 1)
  }

  @Test func anEventOfAnotherTypeEmittedByAListenerIsDeliveredAtOnce() {
    let bus = EventBus()
    let somebody = Somebody()
    let journal = Journal()
    bus.on(Deleted.self, by: somebody) { _, payload in
      bus.emit(Renamed(payload: .init(name: "\(payload)")))
      journal.write("deleted")
    }
    bus.on(Renamed.self, by: somebody) { _, payload in journal.write("renamed \(payload.name)") }
    bus.emit(Deleted(payload: 7))
    #expect(journal.lines == ["renamed 7", "deleted"])
    bus.reset(somebody)
  }

  @Test func anEventWhoseTypeIsNotWrittenOutReachesTheListenersForIt() {
    let bus = EventBus()
    let somebody = Somebody()
    let calls = Counter()
    bus.on(Deleted.self, by: somebody) { _, _ in calls.increment() }
    func emitAny<E: EventProtocol>(_ event: E) where E.Payload: Sendable { bus.emit(event) }
    emitAny(Deleted(payload: 1))
    #expect(calls.value == 1)
  }

  /// An event in a variable of its superclass's type reached nobody.
  @Test func anEventOfASubclassReachesItsListenersAlsoThroughItsSuperclass() {
    let bus = EventBus()
    let somebody = Somebody()
    let journal = Journal()
    bus.on(MovedUp.self, by: somebody) { _, payload in journal.write("up \(payload)") }
    bus.on(MovedDown.self, by: somebody) { _, payload in journal.write("down \(payload)") }
    for isUp in [true, false] {
      let event = isUp ? MovedUp(1) : MovedDown(2)
      bus.emit(event)
    }
    let up: Moved = MovedUp(3)
    bus.off(up, by: somebody)
    bus.emit(up)
    bus.emit(MovedDown(4))
    #expect(journal.lines == ["up 1", "down 2", "down 4"])
  }
}
