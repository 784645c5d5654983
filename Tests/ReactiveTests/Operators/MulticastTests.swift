import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

/// `multicast`, `publish`, `replay` and `replayAll`.
@Suite(.accounted)
struct MulticastTests {
  @Test func nothingIsSubscribedBeforeItIsConnected() {
    let source = PublishSubject<Int>()
    let published = source.publish()
    let recorder = Recorder<Int>()
    let subscription = published.subscribe(recorder)
    #expect(!source.hasObservers)
    let connection = published.connect()
    source.onNext(1)
    connection.dispose()
    #expect(!source.hasObservers)
    source.onNext(2)
    #expect(recorder.line == "1")
    subscription.dispose()
  }

  @Test func connectingTwiceSubscribesTheSourceOnce() {
    let subscriptions = Counter()
    let published = Observable<Int>.never().do(onSubscribe: { subscriptions.increment() }).publish()
    let connections = [published.connect(), published.connect()]
    #expect(subscriptions.value == 1)
    connections[1].dispose()
    let third = published.connect()
    #expect(subscriptions.value == 2)
    connections[0].dispose()
    third.dispose()
  }

  @Test func manyThreadsThatConnectSubscribeTheSourceOnce() {
    for _ in 0..<20 {
      let subscriptions = Counter()
      let published = PublishSubject<Int>().do(onSubscribe: { subscriptions.increment() })
        .publish()
      let bag = DisposeBag()
      inParallel(8) { _ in published.connect().disposed(by: bag) }
      #expect(subscriptions.value == 1)
    }
  }

  @Test func replayGivesALateSubscriberTheLatest() {
    let source = PublishSubject<Int>()
    let replayed = source.replay(2)
    let all = source.replayAll()
    let bag = DisposeBag {
      replayed.connect()
      all.connect()
    }
    for element in 1...4 { source.onNext(element) }
    let recorders = [Recorder<Int>(), Recorder<Int>()]
    replayed.subscribe(recorders[0]).disposed(by: bag)
    all.subscribe(recorders[1]).disposed(by: bag)
    #expect(recorders.map(\.line) == ["3 4", "1 2 3 4"])
  }

  @Test func afterTheEndItConnectsAnewToANewSubject() {
    let subscriptions = Counter()
    let published = Observable.of(1, 2).do(onSubscribe: { subscriptions.increment() }).replayAll()
    let recorder = Recorder<Int>()
    for _ in 0..<2 {
      _ = published.subscribe(recorder)
      _ = published.connect()
    }
    #expect(recorder.line == "1 2 | 1 2 |")
    #expect(subscriptions.value == 2)
  }

  @Test func aSubjectThatIsGivenOutlivesConnections() {
    let source = PublishSubject<Int>()
    let subject = ReplaySubject<Int>.createUnbounded()
    let connectable = source.multicast(subject)
    let first = connectable.connect()
    source.onNext(1)
    first.dispose()
    source.onNext(2)
    let second = connectable.connect()
    source.onNext(3)
    let recorder = Recorder<Int>()
    connectable.subscribe(recorder).dispose()
    #expect(recorder.line == "1 3")
    second.dispose()
  }

  @Test func aSubjectIsMadeForEachConnection() {
    let made = Counter()
    let connectable = Observable.just(1).multicast {
      made.increment()
      return BehaviorSubject(value: 0)
    }
    let recorder = Recorder<Int>()
    for _ in 0..<2 {
      _ = connectable.subscribe(recorder)
      _ = connectable.connect()
    }
    #expect(recorder.line == "0 1 | 0 1 |")
    #expect(made.value == 2)
  }

  @Test func aUsersSubjectMayTakeOneTypeAndSendAnother() {
    let recorder = Recorder<String>()
    let connectable = Observable.of(1, 2).multicast(Describing())
    let bag = DisposeBag()
    connectable.subscribe(recorder).disposed(by: bag)
    connectable.connect().disposed(by: bag)
    #expect(recorder.line == "<1> <2> |")
  }

  @Test func aSelectorUsesTheSequenceTwiceWithOneSubscription() {
    let subscriptions = Counter()
    let source = Observable.of(1, 2).do(onSubscribe: { subscriptions.increment() })
    let twice = source.multicast({ PublishSubject<Int>() }) { shared in
      Observable.merge(shared, shared.map { $0 * 10 })
    }
    let recorder = Recorder<Int>()
    _ = twice.subscribe(recorder)
    #expect(recorder.line == "1 10 2 20 |")
    #expect(subscriptions.value == 1)
  }

  @Test func whatASelectorThrowsIsSent() {
    let recorder = Recorder<Int>()
    let source = Observable.just(1)
    _ = source.multicast({ PublishSubject<Int>() }, selector: { _ in throw Failure.first })
      .subscribe(recorder)
    _ = source.multicast({ () throws -> PublishSubject<Int> in throw Failure.second }) { $0 }
      .subscribe(recorder)
    #expect(recorder.line == "xfirst xsecond")
  }

  @Test func disposingASelectorsResultDisposesTheSource() {
    let source = PublishSubject<Int>()
    let recorder = Recorder<Int>()
    let subscription = source.multicast({ PublishSubject<Int>() }) { $0.map { $0 } }
      .subscribe(recorder)
    source.onNext(1)
    subscription.dispose()
    #expect(!source.hasObservers)
    #expect(recorder.line == "1")
  }

  @Test func aConnectionDoesNotKeepTheConnectableAlive() {
    weak var connectable: ConnectableObservable<Int>?
    let source = PublishSubject<Int>()
    let connection: any Disposable
    do {
      let published = source.publish()
      connectable = published
      connection = published.connect()
    }
    #expect(connectable == nil)
    connection.dispose()
    #expect(!source.hasObservers)
  }
}

/// A subject of a user's own.
private final class Describing: SubjectType, Sendable {
  typealias Element = String

  private let subject = PublishSubject<String>()

  func asObserver() -> AnyObserver<Int> {
    AnyObserver { [subject] event in subject.on(event.map { "<\($0)>" }) }
  }

  func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
  where Observer.Element == String {
    subject.subscribe(observer)
  }
}
