import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

@Suite(.accounted)
struct ShareTests {
  @Test func aLateSubscriberGetsTheLatestElementsFirst() {
    let source = PublishSubject<Int>()
    let shared = source.share(replay: 3)
    let early = shared.subscribe()
    for element in 1...5 { source.onNext(element) }
    let recorder = Recorder<Int>()
    let late = shared.subscribe(recorder)
    source.onNext(6)
    #expect(recorder.line == "3 4 5 6")
    early.dispose()
    late.dispose()
  }

  @Test func whoSubscribesAgainFromTheEndGetsANewConnection() {
    let connections = Counter()
    let shared = Observable<Int>.deferred {
      connections.increment() == 1 ? .error(Failure.first) : .just(1)
    }.share()
    let recorder = Recorder<Int>()
    _ = shared.subscribe(onError: { _ in _ = shared.subscribe(recorder) })
    #expect(recorder.line == "1 |")
    #expect(connections.value == 2)
  }

  @Test func anErrorReachesEverybody() {
    let source = PublishSubject<Int>()
    let shared = source.share()
    let recorders = [Recorder<Int>(), Recorder<Int>()]
    for recorder in recorders { _ = shared.subscribe(recorder) }
    source.onError(Failure.first)
    #expect(recorders.map(\.line) == ["xfirst", "xfirst"])
  }

  @Test func subscribersMayComeAndGoOnSeveralThreads() {
    let source = PublishSubject<Int>()
    let shared = source.share(replay: 1)
    inParallel(4) { thread in
      for element in 0..<300 {
        if thread == 0 {
          source.onNext(element)
        } else {
          shared.subscribe().dispose()
        }
      }
    }
    #expect(!source.hasObservers)
  }
}
