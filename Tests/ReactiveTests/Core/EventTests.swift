import Reactive
import Testing

@Suite struct EventTests {
  @Test func saysWhatItIs() {
    let next = Event.next(1)
    let error = Event<Int>.error(Failure.first)
    let completed = Event<Int>.completed
    #expect(next.element == 1 && next.error == nil && !next.isStopEvent)
    #expect(error.element == nil && error.error as? Failure == .first && error.isStopEvent)
    #expect(completed.isCompleted && completed.isStopEvent && !next.isCompleted)
    #expect("\(next) \(error) \(completed)" == "next(1) error(first) completed")
  }

  @Test func mapsItsElementAndTurnsAnErrorThrownIntoOne() {
    #expect(Event.next(1).map { $0 + 1 }.element == 2)
    #expect(Event.next(2).map(refusing(2)).error as? Failure == .first)
    #expect(Event<Int>.completed.map(refusing(2)).isCompleted)
  }
}
