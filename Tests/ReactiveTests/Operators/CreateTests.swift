import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

@Suite(.accounted)
struct CreateTests {
  @Test func runsOncePerSubscription() {
    let runs = Counter()
    let source = Observable<Int>.create { observer in
      observer.onNext(runs.increment())
      observer.onCompleted()
      return Disposables.create()
    }
    let recorder = Recorder<Int>()
    _ = source.subscribe(recorder)
    _ = source.subscribe(recorder)
    #expect(recorder.line == "1 | 2 |")
  }

  @Test func sendsAnError() {
    let source = Observable<Int>.create { observer in
      observer.onError(Failure.first)
      return Disposables.create()
    }
    let recorder = Recorder<Int>()
    _ = source.subscribe(recorder)
    #expect(recorder.line == "xfirst")
  }

  @Test func anObserverMayBeUsedFromWithinAHandler() {
    let kept = Box<AnyObserver<Int>>()
    let source = Observable<Int>.create { observer in
      kept.value = observer
      return Disposables.create()
    }
    let journal = Journal()
    let subscription = source.subscribe(onNext: { element in
      if element == 1 { kept.value?.onNext(2) }
      journal.write("\(element)")
    })
    kept.value?.onNext(1)
    #expect(journal.line == "1 2")
    subscription.dispose()
    kept.value = nil
  }
}
