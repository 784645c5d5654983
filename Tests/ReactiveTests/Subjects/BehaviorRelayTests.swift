import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct BehaviorRelayTests {
  @Test func sendsTheValueFirstAndThenWhatIsAccepted() {
    let relay = BehaviorRelay(value: 1)
    let recorder = Recorder<Int>()
    let subscription = relay.asObservable().subscribe(recorder)
    relay.accept(2)
    #expect(recorder.line == "1 2")
    #expect(relay.value == 2)
    subscription.dispose()
    relay.accept(3)
    #expect(recorder.line == "1 2")
    #expect(relay.value == 3)
  }

  @Test func keepsWhatWasAcceptedUnobserved() {
    let relay = BehaviorRelay(value: 1)
    relay.accept(2)
    let recorder = Recorder<Int>()
    relay.subscribe(recorder).dispose()
    #expect(recorder.line == "2")
  }
}
