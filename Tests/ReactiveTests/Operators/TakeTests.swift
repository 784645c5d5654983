import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct TakeTests {
  @Test func completesWithTheLastOneAndLetsTheSourceGo() {
    let source = PublishSubject<Int>()
    let recorder = Recorder<Int>()
    _ = source.take(2).subscribe(recorder)
    for element in 1...3 { source.onNext(element) }
    #expect(recorder.line == "1 2 |")
    #expect(!source.hasObservers)
  }

  @Test func stopsASequenceThatWouldNotEnd() {
    let recorder = Recorder<Int>()
    let endless = sequence(first: 1) { $0 + 1 }
    _ = Observable.from(endless).map { $0 }.take(3).subscribe(recorder)
    #expect(recorder.line == "1 2 3 |")
  }

  @Test func takingNothingDoesNotSubscribe() {
    let journal = Journal()
    let recorder = Recorder<Int>()
    let source = Observable.just(1).do(onSubscribe: { journal.write("subscribe") })
    _ = source.take(0).subscribe(recorder)
    #expect(recorder.line == "|")
    #expect(journal.line == "")
  }

  @Test func anInnerSequenceCutOffCountsOnce() {
    let recorder = Recorder<Int>()
    _ = Observable.of(1, 2).flatMap { Observable.just($0).take(1) }.subscribe(recorder)
    #expect(recorder.line == "1 2 |")
  }

  @Test func aNegativeCountTraps() async {
    await #expect(processExitsWith: .failure) { _ = Observable.just(1).take(-1) }
  }
}
