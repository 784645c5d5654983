import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

@Suite(.accounted)
struct RangeTests {
  @Test func sendsNumbersAndCompletes() {
    let recorder = Recorder<Int>()
    _ = Observable.range(start: 3, count: 4).subscribe(recorder)
    #expect(recorder.line == "3 4 5 6 |")
  }

  @Test func ofNoneJustCompletes() {
    let recorder = Recorder<Int>()
    _ = Observable.range(start: 3, count: 0).subscribe(recorder)
    #expect(recorder.line == "|")
  }

  @Test func goesToTheVeryEndOfTheType() {
    let recorder = Recorder<UInt8>()
    _ = Observable<UInt8>.range(start: 253, count: 3).subscribe(recorder)
    _ = Observable<UInt8>.range(
      start: 253, count: 3, scheduler: CurrentThreadScheduler.instance
    ).subscribe(recorder)
    #expect(recorder.line == "253 254 255 | 253 254 255 |")
  }

  @Test func sendsNoMoreThanIsWanted() {
    let sent = Counter()
    let recorder = Recorder<Int>()
    let numbers = Observable.range(start: 0, count: .max).do(onNext: { _ in sent.increment() })
    _ = numbers.map(refusing(2)).subscribe(recorder)
    #expect(recorder.line == "0 1 xfirst")
    #expect(sent.value == 3)
  }

  @Test func manyStepsOnASchedulerCostNoStack() {
    let count = Counter()
    _ = Observable.range(
      start: 0, count: 200_000, scheduler: CurrentThreadScheduler.instance
    ).subscribe(onNext: { _ in count.increment() })
    #expect(count.value == 200_000)
  }

  @Test func stopsWithinAStepWhenItIsDisposed() {
    let time = VirtualTime()
    let recorder = Recorder<Int>()
    let subscription = SerialDisposable()
    subscription.disposable = Observable.range(start: 1, count: 9, scheduler: time.scheduler)
      .do(afterNext: { if $0 == 2 { subscription.dispose() } }).subscribe(recorder)
    time.scheduler.start()
    #expect(recorder.line == "1 2")
  }

  @Test func aNegativeCountTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = Observable.range(start: 0, count: -1)
    }
  }

  @Test func numbersOutOfBoundsTrap() async {
    await #expect(processExitsWith: .failure) {
      _ = Observable<UInt8>.range(start: 254, count: 3)
    }
  }
}
