import Reactive
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
