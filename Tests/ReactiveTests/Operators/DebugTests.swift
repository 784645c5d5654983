import Reactive
import ReactiveTestSupport
import Testing

@Suite(.serialized, .accounted)
struct DebugTests {
  /// What is written for sequences of that name while the body runs; others may write as well.
  private func lines(of name: String, _ body: () -> Void) -> [String] {
    let journal = Journal()
    let before = Hooks.debugWriter
    Hooks.debugWriter = { line in
      if line.contains(name) { journal.write(line) } else { before(line) }
    }
    defer { Hooks.debugWriter = before }
    body()
    return journal.lines
  }

  @Test func writesEverythingThatHappens() {
    let recorder = Recorder<Int>()
    let lines = lines(of: "numbers") {
      _ = Observable.of(1, 2).map(refusing(2)).debug("numbers").subscribe(recorder)
      PublishSubject<Int>().debug("numbers too").subscribe().dispose()
      _ = Observable<String>.just(String(repeating: "long", count: 20))
        .debug("numbers", trimOutput: true).take(1).subscribe()
    }
    #expect(recorder.line == "1 xfirst")
    #expect(
      lines == [
        "numbers -> subscribed", "numbers -> Event next(1)", "numbers -> Event error(first)",
        "numbers -> isDisposed", "numbers too -> subscribed", "numbers too -> isDisposed",
        "numbers -> subscribed", "numbers -> Event next(longlonglonglon...onglonglonglonglong)",
        "numbers -> isDisposed",
      ])
  }

  @Test func namesThePlaceUnlessItIsGivenAName() {
    let lines = lines(of: "namesThePlace") { _ = Observable.just(1).debug().subscribe() }
    #expect(lines.count == 4)
    #expect(lines.allSatisfy { $0.hasPrefix("DebugTests.swift:") })
    #expect(lines.first?.hasSuffix(" (namesThePlaceUnlessItIsGivenAName()) -> subscribed") == true)
  }
}
