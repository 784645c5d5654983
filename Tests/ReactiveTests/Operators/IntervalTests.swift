import Dispatch
import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct IntervalTests {
  let time = VirtualTime()

  @Test func countsWithAPeriodInBetween() {
    let line = time.run(disposed: 450) { [time] in
      Observable<Int>.interval(.seconds(100), scheduler: time.scheduler)
    }
    #expect(line == "300:0 400:1")
  }

  @Test func everySubscriberHasACountOfItsOwn() {
    let source = Observable<Int>.interval(.seconds(100), scheduler: time.scheduler)
    let late = Recorder<Int>()
    time.at(350) { [time] in
      let subscription = source.subscribe(late)
      time.at(460) { subscription.dispose() }
    }
    #expect(time.run(disposed: 450) { source } == "300:0 400:1")
    #expect(late.line == "0")
  }
}
