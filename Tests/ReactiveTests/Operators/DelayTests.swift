import Dispatch
import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct DelayTests {
  let time = VirtualTime()

  @Test func keepsTheDistances() {
    let source = time.source("210:1 215:2 300:3 310:|")
    let line = time.run { [time] in source.delay(.seconds(50), scheduler: time.scheduler) }
    #expect(line == "260:1 265:2 350:3 360:|")
  }

  @Test func whatComesAtOneTimeKeepsItsOrder() {
    let line = time.run { [time] in
      Observable.of(1, 2, 3).delay(.seconds(50), scheduler: time.scheduler)
    }
    #expect(line == "250:1 250:2 250:3 250:|")
  }

  @Test func thereIsNoElementAfterDisposal() {
    let source = time.source("210:1 220:2")
    let line = time.run(disposed: 265) { [time] in
      source.delay(.seconds(50), scheduler: time.scheduler)
    }
    #expect(line == "260:1")
  }

  @Test func theSourceIsReleasedWhenItEndsAndNotLater() {
    let source = time.source("210:1 220:|")
    let released = Box(0)
    let line = time.run { [time] in
      source.do(onDispose: { released.value = time.scheduler.clock })
        .delay(.seconds(50), scheduler: time.scheduler)
    }
    #expect(line == "260:1 270:|")
    #expect(released.value == 220)
  }
}
