import Dispatch
import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct ThrottleTests {
  let time = VirtualTime()

  @Test func sendsTheFirstAtOnceAndTheLatestOfEachWhile() {
    let source = time.source("210:1 250:2 310:3 350:4 410:5 450:6 500:|")
    let line = time.run { [time] in source.throttle(.seconds(200), scheduler: time.scheduler) }
    #expect(line == "210:1 410:5 610:6 610:|")
  }

  @Test func withoutLatestItDropsAllButTheFirst() {
    let source = time.source("210:1 250:2 310:3 350:4 410:5 450:6 500:|")
    let line = time.run { [time] in
      source.throttle(.seconds(200), latest: false, scheduler: time.scheduler)
    }
    #expect(line == "210:1 410:5 500:|")
  }

  @Test func afterAQuietWhileTheNextOneGoesAtOnce() {
    let source = time.source("210:1 300:2")
    let line = time.run { [time] in source.throttle(.seconds(50), scheduler: time.scheduler) }
    #expect(line == "210:1 300:2")
  }

  @Test func nothingArrivesAfterDisposal() {
    let source = time.source("210:1 220:2")
    let line = time.run(disposed: 240) { [time] in
      source.throttle(.seconds(50), scheduler: time.scheduler)
    }
    #expect(line == "210:1")
  }
}
