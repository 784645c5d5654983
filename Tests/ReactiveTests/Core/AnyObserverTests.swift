import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct AnyObserverTests {
  @Test func handsEventsToItsClosureOrObserver() {
    let recorder = Recorder<Int>()
    let observers = [
      AnyObserver { recorder.on($0) }, AnyObserver(recorder), recorder.asObserver(),
    ]
    for observer in observers { observer.onNext(1) }
    observers[1].on(.completed)
    observers[2].onError(Failure.first)
    #expect(recorder.line == "1 1 1 | xfirst")
  }
}
