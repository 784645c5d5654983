import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

/// H: how one subscription of a source is shared.
@Suite("Laws: sharing", .accounted)
struct SharingLawTests {
  @Test func h1TheFirstSubscriberConnectsAndTheLastOneDisconnects() {
    let subscriptions = Counter()
    let source = PublishSubject<Int>()
    let shared = source.do(onSubscribe: { subscriptions.increment() }).share()
    let recorders = [Recorder<Int>(), Recorder<Int>()]
    let first = shared.subscribe(recorders[0])
    source.onNext(1)
    let second = shared.subscribe(recorders[1])
    source.onNext(2)
    #expect(subscriptions.value == 1)
    #expect(recorders.map(\.line) == ["1 2", "2"])
    first.dispose()
    #expect(source.hasObservers)
    second.dispose()
    #expect(!source.hasObservers)
  }

  @Test func h1ASourceThatCompletesAtOnceRunsAgainForEverySubscriber() {
    let subscriptions = Counter()
    let shared = Observable.of(1, 2).do(onSubscribe: { subscriptions.increment() }).share()
    let recorders = [Recorder<Int>(), Recorder<Int>()]
    for recorder in recorders { _ = shared.subscribe(recorder) }
    #expect(recorders.map(\.line) == ["1 2 |", "1 2 |"])
    #expect(subscriptions.value == 2)
  }

  @Test func h2WhileConnectedForgetsWithoutSubscribersAndAtTheEnd() {
    let source = PublishSubject<Int>()
    let shared = source.share(replay: 1, scope: .whileConnected)
    let recorders = (0..<4).map { _ in Recorder<Int>() }
    let first = shared.subscribe(recorders[0])
    source.onNext(1)
    let second = shared.subscribe(recorders[1])
    #expect(recorders[1].line == "1")
    first.dispose()
    second.dispose()
    let third = shared.subscribe(recorders[2])
    #expect(recorders[2].line == "")
    source.onNext(2)
    source.onCompleted()
    #expect(recorders[2].line == "2 |")
    _ = shared.subscribe(recorders[3])
    #expect(recorders[3].line == "|")
    third.dispose()
  }

  @Test func h2ForeverRemembersWithoutSubscribersAndPastTheEnd() {
    let subscriptions = Counter()
    let source = PublishSubject<Int>()
    let shared = source.do(onSubscribe: { subscriptions.increment() })
      .share(replay: 1, scope: .forever)
    let recorders = (0..<3).map { _ in Recorder<Int>() }
    shared.subscribe(recorders[0]).dispose()
    let first = shared.subscribe(recorders[0])
    source.onNext(1)
    first.dispose()
    #expect(!source.hasObservers)
    _ = shared.subscribe(recorders[1])
    #expect(recorders[1].line == "1")
    source.onNext(2)
    source.onCompleted()
    #expect(recorders[1].line == "1 2 |")
    #expect(subscriptions.value == 3)
    _ = shared.subscribe(recorders[2])
    #expect(recorders[2].line == "2 |")
    #expect(subscriptions.value == 3)
  }

  @Test func h3ARetryBehindAShareResubscribesOnlyWhileConnected() {
    func recorded(_ scope: SubjectLifetimeScope) -> (line: String, subscriptions: Int) {
      let subscriptions = Counter()
      let source = Observable<Int>.deferred {
        let number = subscriptions.increment()
        let failing = Observable<Int>.error(Failure.first).startWith(number)
        return number < 3 ? failing : .just(number)
      }
      let recorder = Recorder<Int>()
      _ = source.share(replay: 1, scope: scope).retry(3).subscribe(recorder)
      return (recorder.line, subscriptions.value)
    }
    #expect(recorded(.whileConnected) == ("1 2 3 |", 3))
    // What it remembers of the end is all that later attempts get.
    #expect(recorded(.forever) == ("1 1 1 xfirst", 1))
  }

  // The end was on its way to the first attempt when the second one subscribed. A subject that
  // remembers nothing put the newcomer in line after that end, so the connection looked new and
  // the source was subscribed again, although nobody could hear it.
  @Test(arguments: [0, 1, 2])
  func h3WhoSubscribesAgainFromWithinTheEndDoesNotSubscribeTheSourceAgain(replay: Int) {
    func subscriptions(_ share: (Observable<Int>) -> Observable<Int>) -> Int {
      let subscriptions = Counter()
      let source = PublishSubject<Int>()
      let counted = source.do(onSubscribe: { subscriptions.increment() })
      let recorder = Recorder<Int>()
      _ = share(counted).retry(2).subscribe(recorder)
      source.onError(Failure.first)
      #expect(recorder.line == "xfirst")
      return subscriptions.value
    }
    #expect(subscriptions { $0.share(replay: replay, scope: .forever) } == 1)
    #expect(
      subscriptions { $0.multicast(ReplaySubject.create(bufferSize: replay)).refCount() } == 1)
    #expect(subscriptions { $0.multicast(PublishSubject()).refCount() } == 1)
    // A subject for each connection is a new beginning, and so is a connection.
    #expect(subscriptions { $0.publish().refCount() } == 2)
    #expect(subscriptions { $0.share(replay: replay) } == 2)
  }

  @Test func h2WithoutAMemoryForeverHandsOutTheEndFromWithinItsHandlers() {
    let subscriptions = Counter()
    let source = PublishSubject<Int>()
    let shared = source.do(onSubscribe: { subscriptions.increment() })
      .share(replay: 0, scope: .forever)
    let journal = Journal()
    _ = shared.subscribe(onCompleted: {
      journal.write("first")
      _ = shared.subscribe(onCompleted: { journal.write("again") })
      journal.write("subscribed")
    })
    _ = shared.subscribe(onCompleted: { journal.write("second") })
    source.onCompleted()
    _ = shared.subscribe(onCompleted: { journal.write("late") })
    #expect(journal.line == "first again subscribed second late")
    #expect(subscriptions.value == 1)
  }

  @Test func h4ManyConcurrentFirstSubscribersMakeOneSubscription() {
    for _ in 0..<20 {
      let subscriptions = Counter()
      let source = PublishSubject<Int>()
      let shared = source.do(onSubscribe: { subscriptions.increment() }).share(replay: 1)
      let bag = DisposeBag()
      let received = Counter()
      inParallel(32) { _ in
        shared.subscribe(onNext: { _ in received.increment() }).disposed(by: bag)
      }
      source.onNext(1)
      #expect(subscriptions.value == 1)
      #expect(received.value == 32)
    }
  }

  @Test func h5ItConnectsAgainAfterTheLastOneLeft() {
    let subscriptions = Counter()
    let source = PublishSubject<Int>()
    let shared = source.do(onSubscribe: { subscriptions.increment() }).share()
    for count in 1...3 {
      let recorder = Recorder<Int>()
      let subscription = shared.subscribe(recorder)
      source.onNext(count)
      subscription.dispose()
      #expect(recorder.line == "\(count)")
      #expect(subscriptions.value == count)
    }
  }
}
