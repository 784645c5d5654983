import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct StartWithTests {
  @Test func sendsTheElementsBeforeTheSource() {
    let recorder = Recorder<Int>()
    _ = Observable.of(3, 4).startWith(1, 2).subscribe(recorder)
    #expect(recorder.line == "1 2 3 4 |")
  }

  @Test func aSourceNobodyWantsAnyMoreIsNotSubscribed() {
    let journal = Journal()
    let source = Observable.just(3).do(onSubscribe: { journal.write("subscribe") })
    let recorder = Recorder<Int>()
    _ = source.startWith(1, 2).take(1).subscribe(recorder)
    #expect(recorder.line == "1 |")
    #expect(journal.line == "")
  }
}
