import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct FlatMapLatestTests {
  @Test func sendsOnlyWhatTheLatestInnerSends() {
    let outer = PublishSubject<Int>()
    let inners = [PublishSubject<Int>(), PublishSubject<Int>()]
    let recorder = Recorder<Int>()
    _ = outer.flatMapLatest { inners[$0] }.subscribe(recorder)
    outer.onNext(0)
    inners[0].onNext(1)
    outer.onNext(1)
    #expect(!inners[0].hasObservers)
    inners[1].onNext(2)
    inners[1].onCompleted()
    #expect(recorder.line == "1 2")
    outer.onCompleted()
    #expect(recorder.line == "1 2 |")
  }

  @Test func anInnerThatWasReplacedCannotEndIt() {
    let kept = Box<AnyObserver<Int>>()
    let first = Observable<Int>.create { observer in
      kept.value = observer
      return Disposables.create()
    }
    let outer = PublishSubject<Int>()
    let recorder = Recorder<Int>()
    let subscription = outer.flatMapLatest { $0 == 0 ? first : .never() }.subscribe(recorder)
    outer.onNext(0)
    outer.onNext(1)
    kept.value?.onNext(1)
    kept.value?.onError(Failure.first)
    #expect(recorder.line == "")
    subscription.dispose()
    kept.value = nil
  }

  @Test func anElementSentFromWithinReplacesTheInnerThatIsSending() {
    let outer = PublishSubject<Int>()
    let recorder = Recorder<Int>()
    let bag = DisposeBag()
    let latest = outer.flatMapLatest { Observable.of($0, $0 + 1) }
      .do(onNext: { if $0 == 10 { outer.onNext(20) } })
    latest.subscribe(recorder).disposed(by: bag)
    outer.onNext(10)
    #expect(recorder.line == "10 11 20 21")
  }

  @Test func whatAnInnerSendsBeforeItEndsArrivesAlsoWhenAskedForFromWithinAHandler() {
    let (outer, first) = (PublishSubject<Int>(), PublishSubject<Int>())
    let recorder = Recorder<Int>()
    _ = outer.flatMapLatest { $0 == 1 ? first.asObservable() : .of(21, 22) }
      .do(onNext: { if $0 == 11 { outer.onNext(2) } }).subscribe(recorder)
    outer.onNext(1)
    first.onNext(11)
    outer.onCompleted()
    #expect(recorder.line == "11 21 22 |")
  }
}
