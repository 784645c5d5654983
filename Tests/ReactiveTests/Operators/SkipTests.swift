import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct SkipTests {
  @Test func dropsSoManyAndSendsTheRest() {
    let recorder = Recorder<Int>()
    _ = Observable.of(1, 2, 3).skip(2).subscribe(recorder)
    _ = Observable.of(1, 2, 3).skip(0).subscribe(recorder)
    _ = Observable.of(1, 2, 3).skip(9).subscribe(recorder)
    #expect(recorder.line == "3 | 1 2 3 | |")
  }

  @Test func aNegativeCountTraps() async {
    await #expect(processExitsWith: .failure) { _ = Observable.just(1).skip(-1) }
  }
}
