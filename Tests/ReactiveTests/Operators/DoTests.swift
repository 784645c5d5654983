import Reactive
import Testing

@Suite(.accounted)
struct DoTests {
  private func traced(_ source: Observable<Int>, _ journal: Journal) -> Observable<Int> {
    source.do(
      onNext: { journal.write("onNext\($0)") }, afterNext: { journal.write("afterNext\($0)") },
      onError: { journal.write("onError \($0)") },
      afterError: { journal.write("afterError \($0)") },
      onCompleted: { journal.write("onCompleted") },
      afterCompleted: { journal.write("afterCompleted") },
      onSubscribe: { journal.write("onSubscribe") },
      onSubscribed: { journal.write("onSubscribed") }, onDispose: { journal.write("onDispose") })
  }

  @Test func callsEveryClosureInItsTurn() {
    let journal = Journal()
    let source = PublishSubject<Int>()
    _ = traced(source, journal).subscribe(
      onNext: { journal.write("\($0)") }, onCompleted: { journal.write("|") })
    source.onNext(1)
    source.onCompleted()
    #expect(
      journal.lines == [
        "onSubscribe", "onSubscribed", "onNext1", "1", "afterNext1", "onCompleted", "|",
        "onDispose", "afterCompleted",
      ])
  }

  @Test func hearsOfErrors() {
    let journal = Journal()
    _ = traced(.error(Failure.first), journal).subscribe(onError: { journal.write("x\($0)") })
    #expect(
      journal.lines == [
        "onSubscribe", "onError first", "xfirst", "onDispose", "afterError first", "onSubscribed",
      ])
  }

  @Test func hearsOfDisposalOnce() {
    let journal = Journal()
    let subscription = traced(PublishSubject(), journal).subscribe()
    subscription.dispose()
    subscription.dispose()
    #expect(journal.lines == ["onSubscribe", "onSubscribed", "onDispose"])
  }

  @Test func whatAClosureThrowsEndsIt() {
    let recorder = Recorder<Int>()
    _ = Observable<Int>.empty().do(onCompleted: { throw Failure.second }).subscribe(recorder)
    _ = Observable<Int>.error(Failure.first).do(onError: { _ in throw Failure.second })
      .subscribe(recorder)
    #expect(recorder.line == "xsecond xsecond")
  }
}
