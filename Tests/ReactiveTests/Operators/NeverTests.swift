import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct NeverTests {
  @Test func sendsNothingAndCanBeDisposed() {
    let recorder = Recorder<Int>()
    let journal = Journal()
    let subscription = Observable<Int>.never().do(onNext: recorder.onNext)
      .subscribe(onDisposed: { journal.write("disposed") })
    #expect(journal.line == "")
    subscription.dispose()
    #expect(journal.line == "disposed")
    #expect(recorder.line == "")
  }
}
