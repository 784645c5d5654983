import Reactive
import Synchronization
import Testing
import TodoKit
import TodoScreens
import TodoTestSupport

private final class Doubled: RequestEvent<Int, Int> {}

private final class Doubler {
  let bus: EventBus

  init(_ bus: EventBus) {
    self.bus = bus
    bus.on(Doubled.self, by: self) { (_, request) in
      request.complete(with: .success(2 * request.input))
    }
  }
}

@Suite("RequestEvent")
struct RequestEventTests {
  private let bus = EventBus()

  @Test func theAnswerComesBeforeEmitReturns() throws {
    let doubler = Doubler(bus)
    #expect(try bus.result(of: Doubled.self, 4)?.get() == 8)
    // Nobody need care for an answer.
    bus.emit(Doubled(4))
    withExtendedLifetime(doubler) {}
  }

  /// A request whose type is in a variable of the superclass's type reached nobody.
  @Test func aRequestIsAnsweredAlsoThroughItsSuperclass() throws {
    let doubler = Doubler(bus)
    let event: RequestEvent<Int, Int>.Type = Doubled.self
    #expect(try bus.result(of: event, 4)?.get() == 8)
    withExtendedLifetime(doubler) {}
  }

  @Test func withoutAListenerThereIsNoAnswer() {
    #expect(bus.result(of: Doubled.self, 4) == nil)
  }

  @Test func whatIsAskedFromWithinAnAnswerIsAnsweredAfterIt() {
    let doubler = Doubler(bus)
    let log = Mutex<[Int]>([])
    bus.emit(
      Doubled(1) { [bus] _ in
        bus.emit(Doubled(10) { _ in log.withLock { $0.append(10) } })
        log.withLock { $0.append(1) }
      })
    #expect(log.withLock(\.self) == [1, 10])
    withExtendedLifetime(doubler) {}
  }
}
