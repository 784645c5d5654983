import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

@Suite(.accounted)
struct CompletableTests {
  @Test func itEndsOnce() {
    let journal = Journal()
    for event in [CompletableEvent.completed, .error(Failure.first)] {
      let work = Completable.create { end in
        end(event)
        end(.completed)
        return Disposables.create { journal.write("teardown") }
      }
      _ = work.subscribe { event in
        switch event {
        case .completed: journal.write("|")
        case .error(let error): journal.write("x\(error)")
        }
      }
    }
    #expect(journal.line == "| teardown xfirst teardown")
  }

  @Test func andThenGoesOnWhenItCompleted() {
    let recorder = Recorder<Int>()
    let first = PublishSubject<Never>()
    _ = first.asCompletable().andThen(Single.just(1)).asObservable().subscribe(recorder)
    _ = first.asCompletable().andThen(Maybe<Int>.empty()).asObservable().subscribe(recorder)
    _ = first.asCompletable().andThen(Observable.of(2, 3)).subscribe(recorder)
    #expect(recorder.line == "")
    first.onCompleted()
    #expect(recorder.line == "1 | | 2 3 |")
  }

  @Test func anErrorKeepsWhatFollowsFromBeingSubscribed() {
    let subscribed = Counter()
    let second = Completable.deferred {
      subscribed.increment()
      return .empty()
    }
    let journal = Journal()
    _ = Completable.error(Failure.first).andThen(second).subscribe(onError: {
      journal.write("\($0)")
    })
    _ = Completable.empty().andThen(second).subscribe(onCompleted: { journal.write("|") })
    #expect(journal.line == "first |")
    #expect(subscribed.value == 1)
  }

  @Test func concatRunsOneAfterTheOther() {
    let journal = Journal()
    func work(_ name: String) -> Completable {
      .deferred {
        journal.write(name)
        return .empty()
      }
    }
    _ = Completable.concat(work("a"), work("b").concat(work("c")))
      .subscribe(onCompleted: { journal.write("|") })
    #expect(journal.line == "a b c |")
  }

  @Test func aLongConcatCostsNoStack() {
    let journal = Journal()
    _ = Completable.concat((0..<100_000).lazy.map { _ in Completable.empty() })
      .subscribe(onCompleted: { journal.write("|") })
    #expect(journal.line == "|")
  }

  @Test func zipCompletesWithTheLast() {
    let sources = [PublishSubject<Never>(), PublishSubject<Never>()]
    let journal = Journal()
    _ = Completable.zip(sources[0].asCompletable(), sources[1].asCompletable())
      .subscribe(onCompleted: { journal.write("|") })
    sources[1].onCompleted()
    #expect(journal.line == "")
    sources[0].onCompleted()
    #expect(journal.line == "|")
  }

  @Test func doSeesTheEndOnItsWay() {
    let journal = Journal()
    _ = Completable.empty()
      .do(onCompleted: { journal.write("before") }, afterCompleted: { journal.write("after") })
      .subscribe(onCompleted: { journal.write("|") })
    #expect(journal.line == "before | after")
  }

  @Test func asAMaybeItIsEmpty() {
    let recorder = Recorder<Int>()
    let maybe: Maybe<Int> = Completable.empty().asMaybe()
    _ = maybe.asObservable().subscribe(recorder)
    #expect(recorder.line == "|")
  }

  @Test func subscribeWithHandsTheObjectToEachClosure() {
    let object = Witness()
    let journal = Journal()
    _ = Completable.empty().subscribe(with: object, onCompleted: { _ in journal.write("|") })
    _ = Completable.error(Failure.first)
      .subscribe(with: object, onError: { journal.write("x\($1)") })
    #expect(journal.line == "| xfirst")
    withExtendedLifetime(object) {}
  }
}
