import Dispatch
import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

@Suite(.accounted)
struct SubscribeOnTests {
  let time = VirtualTime()

  @Test(arguments: ["210:1 220:2 230:|", "210:1 230:x", "250:|"])
  func passesEverythingOn(script: String) {
    let source = time.source(script)
    let line = time.run { [time] in source.subscribe(on: time.scheduler) }
    #expect(line == script.replacing("x", with: "xfirst"))
    #expect(!source.hasObservers)
  }

  @Test func disposedBeforeItNeverSubscribes() {
    let subscribed = Counter()
    let source = Observable<Int>.never().do(onSubscribe: { subscribed.increment() })
    source.subscribe(on: time.scheduler).subscribe().dispose()
    time.scheduler.start()
    #expect(subscribed.value == 0)
  }
}
