import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct ObserveOnTests {
  let time = VirtualTime()

  @Test(arguments: ["210:1 220:2 230:|", "210:1 230:x", "250:|"])
  func handsOnEverything(script: String) {
    let source = time.source(script)
    let line = time.run { [time] in source.observe(on: time.scheduler) }
    #expect(line == script.replacing("x", with: "xfirst"))
  }

  @Test func everyEventTakesAStepOfItsOwnInVirtualTime() {
    let slow = SlowScheduler()
    let journal = Journal()
    _ = Observable.of(1, 2).observe(on: slow).subscribe { event in
      journal.write("\(slow.clock):\(event)")
    }
    slow.start()
    #expect(journal.line == "1:next(1) 2:next(2) 3:completed")
  }

  @Test func eventsFromWithinTheHandlerComeAfterwards() {
    let source = PublishSubject<Int>()
    let journal = Journal()
    let subscription = source.observe(on: CurrentThreadScheduler.instance).subscribe(
      onNext: { element in
        journal.write("\(element)(")
        if element < 3 { source.onNext(element + 1) }
        journal.write(")")
      })
    source.onNext(1)
    #expect(journal.line == "1( ) 2( ) 3( )")
    subscription.dispose()
  }

  @Test func afterDisposalTheRestOfAStepIsDroppedToo() {
    let source = PublishSubject<Int>()
    let journal = Journal()
    let subscription = SerialDisposable()
    subscription.disposable = source.observe(on: CurrentThreadScheduler.instance)
      .do(onNext: { element in
        journal.write("\(element)")
        if element == 2 { subscription.dispose() }
      }).subscribe()
    // From within scheduled work, so that all of them wait for one step.
    _ = CurrentThreadScheduler.instance.schedule(()) {
      for element in 1...3 { source.onNext(element) }
      return Disposables.create()
    }
    #expect(journal.line == "1 2")
  }

  /// Puts everything off by a unit.
  private final class SlowScheduler: VirtualTimeScheduler, @unchecked Sendable {
    override func adjustScheduledTime(_ time: Int) -> Int { max(time, clock + 1) }
  }
}
