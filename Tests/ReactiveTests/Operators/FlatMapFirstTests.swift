import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

@Suite(.accounted)
struct FlatMapFirstTests {
  @Test func dropsWhatComesWhileAnInnerSequenceRuns() {
    let outer = PublishSubject<Int>()
    let inners = (0..<3).map { _ in PublishSubject<Int>() }
    let calls = Counter()
    let recorder = Recorder<Int>()
    let first = outer.flatMapFirst { index in
      calls.increment()
      return inners[index]
    }
    _ = first.subscribe(recorder)
    outer.onNext(0)
    outer.onNext(1)
    inners[0].onNext(10)
    inners[1].onNext(11)
    inners[0].onCompleted()
    outer.onNext(2)
    inners[2].onNext(12)
    outer.onCompleted()
    #expect(recorder.line == "10 12")
    inners[2].onCompleted()
    #expect(recorder.line == "10 12 |")
    #expect(calls.value == 2)
  }

  @Test func anInnerErrorEndsAllOfIt() {
    let outer = PublishSubject<Int>()
    let recorder = Recorder<Int>()
    _ = outer.flatMapFirst { Observable.just($0).map(refusing(1)) }.subscribe(recorder)
    outer.onNext(2)
    outer.onNext(1)
    #expect(recorder.line == "2 xfirst")
    #expect(!outer.hasObservers)
  }
}
