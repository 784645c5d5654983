import Reactive
import ReactiveTestSupport
import Testing

/// What makes a trait of a sequence: `asSingle`, `asMaybe`, `asCompletable`.
@Suite(.accounted)
struct ObservableTraitsTests {
  @Test func aSingleIsHeldToOneElement() {
    let recorder = Recorder<Int>()
    for source in [Observable.just(1), .empty(), .of(1, 2), .error(Failure.first)] {
      _ = source.asSingle().asObservable().subscribe(recorder)
    }
    #expect(recorder.line == "1 | xnoElements xmoreThanOneElement xfirst")
  }

  @Test func aMaybeIsHeldToOneElementOrNone() {
    let recorder = Recorder<Int>()
    for source in [Observable.just(1), .empty(), .of(1, 2), .error(Failure.first)] {
      _ = source.asMaybe().asObservable().subscribe(recorder)
    }
    #expect(recorder.line == "1 | | xmoreThanOneElement xfirst")
  }

  @Test func theElementIsSentWhenTheSequenceCompleted() {
    let source = PublishSubject<Int>()
    let recorder = Recorder<Int>()
    _ = source.asSingle().asObservable().subscribe(recorder)
    source.onNext(1)
    #expect(recorder.line == "")
    source.onCompleted()
    #expect(recorder.line == "1 |")
  }

  @Test func aSecondElementDisposesTheSource() {
    let source = PublishSubject<Int>()
    let recorder = Recorder<Int>()
    _ = source.asSingle().asObservable().subscribe(recorder)
    source.onNext(1)
    source.onNext(2)
    #expect(recorder.line == "xmoreThanOneElement")
    #expect(!source.hasObservers)
  }

  @Test func aSequenceOfNeverIsACompletable() {
    let journal = Journal()
    _ = Observable<Never>.empty().asCompletable().subscribe(onCompleted: { journal.write("|") })
    #expect(journal.line == "|")
  }

  @Test func usersExtendOneTraitThroughItsProtocol() {
    let recorder = Recorder<Int>()
    _ = Single.just(2).doubled().asObservable().subscribe(recorder)
    #expect(recorder.line == "4 |")
  }
}

extension PrimitiveSequenceType where Trait == SingleTrait, Element == Int {
  fileprivate func doubled() -> Single<Int> { primitiveSequence.map { $0 * 2 } }
}
