import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

@Suite(.accounted)
struct SkipWhileTests {
  @Test func sendsEverythingFromTheFirstThatFailsTheCondition() {
    let asked = Counter()
    let recorder = Recorder<Int>()
    let source = Observable.of(1, 2, 3, 1).skip { element in
      asked.increment()
      return element < 3
    }
    _ = source.subscribe(recorder)
    #expect(recorder.line == "3 1 |")
    #expect(asked.value == 3)
  }

  @Test func anErrorThrownEndsIt() {
    let recorder = Recorder<Int>()
    _ = Observable.of(1, 2).skip(while: { try refusing(2)($0) > 0 }).subscribe(recorder)
    #expect(recorder.line == "xfirst")
  }
}
