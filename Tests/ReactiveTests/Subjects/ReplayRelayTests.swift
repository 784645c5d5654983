import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct ReplayRelayTests {
  @Test func itRemembersTheLatestElements() {
    let relay = ReplayRelay<Int>.create(bufferSize: 2)
    _ = Observable.of(1, 2, 3).bind(to: relay)
    let recorder = Recorder<Int>()
    let subscription = relay.subscribe(recorder)
    relay.accept(4)
    #expect(recorder.line == "2 3 4")
    subscription.dispose()
  }

  @Test func unboundItForgetsNothing() {
    let relay = ReplayRelay<Int>.createUnbound()
    for element in 0..<100 { relay.accept(element) }
    let recorder = Recorder<Int>()
    relay.asObservable().subscribe(recorder).dispose()
    #expect(recorder.elements == Array(0..<100))
  }
}
