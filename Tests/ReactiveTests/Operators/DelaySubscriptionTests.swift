import Dispatch
import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

@Suite(.accounted)
struct DelaySubscriptionTests {
  let time = VirtualTime()

  @Test func missesWhatComesBeforeAndDelaysNothing() {
    let source = time.source("210:1 240:2 260:|")
    let line = time.run { [time] in
      source.delaySubscription(.seconds(30), scheduler: time.scheduler)
    }
    #expect(line == "240:2 260:|")
  }

  @Test func disposedBeforeItNeverSubscribes() {
    let source = time.source("210:1")
    let subscribed = Counter()
    let line = time.run(disposed: 220) { [time] in
      source.do(onSubscribe: { subscribed.increment() })
        .delaySubscription(.seconds(30), scheduler: time.scheduler)
    }
    #expect(line == "")
    #expect(subscribed.value == 0)
  }
}
