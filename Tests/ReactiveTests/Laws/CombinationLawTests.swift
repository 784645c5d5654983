import Reactive
import ReactiveTestSupport
import Testing

/// C: how sequences are combined.
@Suite("Laws: combination", .accounted)
struct CombinationLawTests {
  @Test func c1CombineLatestSendsOnceAllHaveAValueAndThenPerEvent() {
    let (left, right) = (PublishSubject<Int>(), PublishSubject<Int>())
    let recorder = Recorder<String>()
    let subscription = Observable.combineLatest(left, right) { "\($0),\($1)" }
      .subscribe(recorder)
    left.onNext(1)
    left.onNext(2)
    #expect(recorder.line == "")
    right.onNext(1)
    left.onNext(3)
    right.onNext(2)
    #expect(recorder.line == "2,1 3,1 3,2")
    subscription.dispose()
  }

  @Test func c1ADiamondFromOneSourceSendsTheCombinationsInBetween() {
    let source = BehaviorRelay(value: 1)
    let recorder = Recorder<String>()
    let subscription = Observable.combineLatest(
      source.map { $0 * 10 }, source.asObservable()
    ) { "\($0),\($1)" }.subscribe(recorder)
    source.accept(2)
    #expect(recorder.line == "10,1 20,1 20,2")
    subscription.dispose()
  }

  @Test func c2CombineLatestCompletesWhenAllCompleted() {
    let (left, right) = (PublishSubject<Int>(), PublishSubject<Int>())
    let recorder = Recorder<Int>()
    _ = Observable.combineLatest(left, right) { $0 + $1 }.subscribe(recorder)
    left.onNext(1)
    left.onCompleted()
    right.onNext(1)
    right.onNext(2)
    #expect(recorder.line == "2 3")
    right.onCompleted()
    #expect(recorder.line == "2 3 |")
  }

  @Test func c2AnElementThatLeavesASourceSilentWhileAllOthersAreDoneCompletesIt() {
    let (silent, speaking) = (PublishSubject<Int>(), PublishSubject<Int>())
    let recorder = Recorder<Int>()
    _ = Observable.combineLatest(silent, speaking) { $0 + $1 }.subscribe(recorder)
    silent.onCompleted()
    #expect(recorder.line == "")
    speaking.onNext(1)
    #expect(recorder.line == "|")
    #expect(!speaking.hasObservers)
  }

  @Test func c3ZipCompletesOnlyWhenAllSourcesDid() {
    let (left, right) = (PublishSubject<Int>(), PublishSubject<Int>())
    let recorder = Recorder<Int>()
    _ = Observable.zip(left, right) { $0 + $1 }.subscribe(recorder)
    left.onNext(1)
    left.onCompleted()
    right.onNext(2)
    right.onNext(3)
    #expect(recorder.line == "3")
    right.onCompleted()
    #expect(recorder.line == "3 |")
  }

  @Test func c3ZipOfACollectionCompletesAtTheNextUnpairedElementOnceAllOthersAreDone() {
    let (left, right) = (PublishSubject<Int>(), PublishSubject<Int>())
    let recorder = Recorder<Int>()
    _ = Observable.zip([left, right]) { $0.reduce(0, +) }.subscribe(recorder)
    left.onNext(1)
    left.onCompleted()
    right.onNext(2)
    #expect(recorder.line == "3")
    right.onNext(3)
    #expect(recorder.line == "3 |")
    #expect(!right.hasObservers)
  }

  @Test func c4MergeCompletesWhenAllCompleted() {
    let subjects = (0..<3).map { _ in PublishSubject<Int>() }
    let recorder = Recorder<Int>()
    _ = Observable.merge(subjects[0], subjects[1], subjects[2]).subscribe(recorder)
    for (index, subject) in subjects.enumerated() { subject.onNext(index) }
    subjects[2].onCompleted()
    subjects[0].onCompleted()
    #expect(recorder.line == "0 1 2")
    subjects[1].onCompleted()
    #expect(recorder.line == "0 1 2 |")
  }

  @Test func c5WithLatestFromSendsOnlyWhenTheSecondHasAValueAndOutlivesIt() {
    let (first, second) = (PublishSubject<Int>(), PublishSubject<String>())
    let recorder = Recorder<String>()
    _ = first.withLatestFrom(second) { "\($0)\($1)" }.subscribe(recorder)
    first.onNext(1)
    second.onNext("a")
    first.onNext(2)
    second.onNext("b")
    second.onCompleted()
    first.onNext(3)
    first.onCompleted()
    #expect(recorder.line == "2a 3b |")
  }

  @Test func c5TheSecondIsSubscribedFirstAndItsErrorEndsAll() {
    let journal = Journal()
    let (first, second) = (PublishSubject<Int>(), PublishSubject<Int>())
    let recorder = Recorder<Int>()
    _ = first.do(onSubscribe: { journal.write("first") })
      .withLatestFrom(second.do(onSubscribe: { journal.write("second") })).subscribe(recorder)
    #expect(journal.line == "second first")
    second.onError(Failure.first)
    #expect(recorder.line == "xfirst")
    #expect(!first.hasObservers)
  }

  @Test func c6StartWithSendsOnSubscribeBeforeTheSourceIsSubscribed() {
    let journal = Journal()
    let source = Observable.just(3).do(onSubscribe: { journal.write("subscribe") })
    _ = source.startWith(1, 2).subscribe(onNext: { journal.write("\($0)") })
    #expect(journal.line == "1 2 subscribe 3")
  }
}
