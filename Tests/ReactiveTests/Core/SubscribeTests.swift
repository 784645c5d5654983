import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct SubscribeTests {
  @Test func callsAClosureWithEveryEvent() {
    let recorder = Recorder<Int>()
    _ = Observable.of(1, 2).subscribe { recorder.on($0) }
    #expect(recorder.line == "1 2 |")
  }

  @Test func callsTheObjectsClosures() {
    let journal = Journal()
    let object = Witness()
    _ = Observable.just(1).subscribe(
      with: object, onNext: { journal.write("\($0 === object) \($1)") },
      onCompleted: { _ in journal.write("|") }, onDisposed: { _ in journal.write("disposed") })
    _ = Observable<Int>.error(Failure.first).subscribe(
      with: object, onError: { journal.write("x\($1)") })
    #expect(journal.line == "true 1 | disposed xfirst")
  }

  @Test func liftPutsAStageInFrontOfEveryObserver() {
    final class Doubled: OperatorSink<Int, Int> {
      override func next(_ element: Int) {
        down.next(element)
        down.next(element)
      }
    }
    let recorder = Recorder<Int>()
    _ = Observable.of(1, 2).lift { Doubled($0) }.take(3).subscribe(recorder)
    #expect(recorder.line == "1 1 2 |")
  }

  @Test func aChainOfElementsThatAreNotSendableStaysOnItsThread() {
    final class Draft { var title = "" }
    let drafts = PublishSubject<Draft>()
    let recorder = Recorder<String>()
    _ = drafts.map { draft in draft.title + "!" }.subscribe(recorder)
    let draft = Draft()
    draft.title = "buy milk"
    drafts.onNext(draft)
    drafts.onCompleted()
    #expect(recorder.line == "buy milk! |")
  }
}
