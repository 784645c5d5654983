import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct FromTests {
  @Test func sendsTheElementsInOrderAndCompletes() {
    let recorder = Recorder<Int>()
    _ = Observable.of(1, 2).subscribe(recorder)
    _ = Observable.from(3...4).subscribe(recorder)
    #expect(recorder.line == "1 2 | 3 4 |")
  }

  @Test func sendsAnOptionalThatIsThere() {
    let recorder = Recorder<Int>()
    _ = Observable.from(optional: 1).subscribe(recorder)
    _ = Observable<Int>.from(optional: nil).subscribe(recorder)
    #expect(recorder.line == "1 | |")
  }

  @Test func onASchedulerEachElementTakesAStep() {
    let time = VirtualTime()
    let scheduler = time.scheduler
    let recorder = Recorder<Int>()
    for source in [
      Observable.from([1, 2], scheduler: scheduler), .of(3, 4, scheduler: scheduler),
      .from(optional: 5, scheduler: scheduler), .from(optional: nil, scheduler: scheduler),
    ] {
      _ = source.subscribe(recorder)
    }
    #expect(recorder.line == "")
    scheduler.start()
    // They take turns, because each step is scheduled by the one before.
    #expect(recorder.elements == [1, 3, 5, 2, 4])
    #expect(recorder.events.count == 9)
  }

  @Test func onASchedulerAnEndlessSequenceCanBeStopped() {
    let time = VirtualTime()
    let scheduler = time.scheduler
    let recorder = Recorder<Int>()
    _ = Observable.from(sequence(first: 1) { $0 + 1 }, scheduler: scheduler).take(3)
      .subscribe(recorder)
    let subscription = Observable.from([7], scheduler: scheduler).subscribe(recorder)
    subscription.dispose()
    scheduler.start()
    #expect(recorder.line == "1 2 3 |")
  }

  @Test func stopsWhenItIsDisposedFromWithinAHandler() {
    let place = SingleAssignmentDisposable()
    let recorder = Recorder<Int>()
    let source = Observable.from(1...9).do(afterNext: { if $0 == 2 { place.dispose() } })
    place.setDisposable(source.startWith(0).subscribe(recorder))
    // Its handle is only there once everything was sent; a chain can stop itself earlier.
    #expect(recorder.elements.count == 10)
    let early = Recorder<Int>()
    _ = Observable.from(1...9).take(2).subscribe(early)
    #expect(early.line == "1 2 |")
  }
}
