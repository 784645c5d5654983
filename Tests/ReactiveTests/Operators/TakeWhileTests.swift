import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct TakeWhileTests {
  @Test func completesWithTheFirstThatFailsTheCondition() {
    let source = PublishSubject<Int>()
    let recorders = [Recorder<Int>(), Recorder<Int>()]
    _ = source.take(while: { $0 < 3 }).subscribe(recorders[0])
    _ = source.take(while: { $0 < 3 }, behavior: .inclusive).subscribe(recorders[1])
    for element in [1, 2, 3, 1] { source.onNext(element) }
    #expect(recorders.map(\.line) == ["1 2 |", "1 2 3 |"])
    #expect(!source.hasObservers)
  }

  @Test func anErrorThrownEndsIt() {
    let recorder = Recorder<Int>()
    _ = Observable.of(1, 2).take(while: { try refusing(2)($0) > 0 }).subscribe(recorder)
    #expect(recorder.line == "1 xfirst")
  }
}
