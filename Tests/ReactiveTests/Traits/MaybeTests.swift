import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct MaybeTests {
  @Test func itEndsWithAnElementOrWithoutAndNeverWithBoth() {
    let journal = Journal()
    for event in [MaybeEvent.success(1), .completed, .error(Failure.first)] {
      let maybe = Maybe<Int>.create { end in
        end(event)
        end(.completed)
        return Disposables.create()
      }
      _ = maybe.subscribe(
        onSuccess: { journal.write("\($0)") }, onError: { journal.write("x\($0)") },
        onCompleted: { journal.write("|") }, onDisposed: { journal.write("disposed") })
    }
    #expect(journal.line == "1 disposed | disposed xfirst disposed")
  }

  @Test func theEndArrivesAsOneEvent() {
    let journal = Journal()
    for maybe in [Maybe.just(1), .empty(), .error(Failure.first)] {
      _ = maybe.subscribe { event in
        switch event {
        case .success(let element): journal.write("\(element)")
        case .completed: journal.write("|")
        case .error(let error): journal.write("x\(error)")
        }
      }
    }
    #expect(journal.line == "1 | xfirst")
  }

  @Test func subscribeWithHandsTheObjectToEachClosure() {
    let object = Witness()
    let journal = Journal()
    for maybe in [Maybe.just(1), .empty(), .error(Failure.first)] {
      _ = maybe.subscribe(
        with: object, onSuccess: { journal.write("\($1)") },
        onError: { journal.write("x\($1)") }, onCompleted: { _ in journal.write("|") })
    }
    #expect(journal.line == "1 | xfirst")
    withExtendedLifetime(object) {}
  }

  @Test func anEmptyOneIsReplaced() {
    let recorder = Recorder<Int>()
    let sources: [Observable<Int>] = [
      Maybe<Int>.empty().ifEmpty(default: 5).asObservable(),
      Maybe.just(1).ifEmpty(default: 5).asObservable(),
      Maybe<Int>.empty().ifEmpty(switchTo: Maybe.just(6)).asObservable(),
      Maybe<Int>.empty().ifEmpty(switchTo: Single.just(7)).asObservable(),
      Maybe.just(1).ifEmpty(switchTo: Single.just(7)).asObservable(),
      Maybe<Int>.error(Failure.first).ifEmpty(switchTo: Single.just(7)).asObservable(),
    ]
    for source in sources { _ = source.subscribe(recorder) }
    #expect(recorder.line == "5 | 1 | 6 | 7 | 1 | xfirst")
  }

  @Test func theEmptyOneIsTornDownBeforeTheOtherBegins() {
    let journal = Journal()
    let source = PublishSubject<Int>()
    let other = Maybe<Int>.deferred {
      journal.write("other")
      return .never()
    }
    let subscription = source.asMaybe().do(onDispose: { journal.write("disposed") })
      .ifEmpty(switchTo: other).subscribe()
    source.onCompleted()
    #expect(journal.line == "disposed other")
    subscription.dispose()
  }

  @Test func operatorsKeepIt() {
    let recorder = Recorder<Int>()
    let sources: [Maybe<Int>] = [
      Maybe.just(1).map { $0 + 1 }, Maybe.just(1).filter { $0 > 1 },
      Maybe.just(1).compactMap { Optional($0 + 2) }, Maybe.just(1).flatMap { _ in Maybe.just(4) },
      Maybe.just(5).do(onNext: { _ in throw Failure.second }),
    ]
    for source in sources { _ = source.asObservable().subscribe(recorder) }
    #expect(recorder.line == "2 | | 3 | 4 | xsecond")
  }

  @Test func asASingleItHasToHaveAnElement() {
    let recorder = Recorder<Int>()
    _ = Maybe.just(1).asSingle().asObservable().subscribe(recorder)
    _ = Maybe<Int>.empty().asSingle().asObservable().subscribe(recorder)
    #expect(recorder.line == "1 | xnoElements")
  }
}
