import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

@Suite(.accounted)
struct RefCountTests {
  @Test func theFirstConnectsAndTheLastDisconnects() {
    let source = PublishSubject<Int>()
    let counted = source.publish().refCount()
    let subscriptions = [counted.subscribe(), counted.subscribe()]
    #expect(source.hasObservers)
    subscriptions[0].dispose()
    #expect(source.hasObservers)
    subscriptions[1].dispose()
    #expect(!source.hasObservers)
  }

  @Test func itSharesTheConnectionThatSomebodyElseMade() {
    let subscriptions = Counter()
    let source = PublishSubject<Int>()
    let published = source.do(onSubscribe: { subscriptions.increment() }).publish()
    let connection = published.connect()
    let recorder = Recorder<Int>()
    let subscription = published.refCount().subscribe(recorder)
    source.onNext(1)
    #expect(recorder.line == "1")
    #expect(subscriptions.value == 1)
    subscription.dispose()
    connection.dispose()
  }

  /// An observer that joined while the last one left got the connection that was about to be disposed,
  /// and never received an event.
  @Test func anObserverThatJoinsWhileTheLastOneLeavesIsConnected() {
    let source = PublishSubject<Int>()
    let counted = source.publish().refCount()
    for round in 0..<4_000 {
      let first = counted.subscribe()
      let recorder = Recorder<Int>()
      let second = SingleAssignmentDisposable()
      Threads.run(2) { thread in
        if thread == 0 {
          first.dispose()
        } else {
          second.setDisposable(counted.subscribe(recorder))
        }
      }
      source.onNext(round)
      #expect(recorder.line == "\(round)")
      second.dispose()
      #expect(!source.hasObservers)
    }
  }

  @Test func aConnectionThatSomebodyElseDisposedIsReplaced() {
    let source = PublishSubject<Int>()
    let published = source.publish()
    let counted = published.refCount()
    let recorders = [Recorder<Int>(), Recorder<Int>()]
    let first = counted.subscribe(recorders[0])
    published.connect().dispose()
    #expect(!source.hasObservers)
    let second = counted.subscribe(recorders[1])
    source.onNext(1)
    first.dispose()
    source.onNext(2)
    #expect(recorders.map(\.line) == ["", "1 2"])
    second.dispose()
    #expect(!source.hasObservers)
  }

  @Test func aUsersConnectableIsCountedToo() {
    let connectable = Switchboard()
    let counted = connectable.refCount()
    let recorder = Recorder<Int>()
    for element in 1...2 {
      let subscriptions = [counted.subscribe(recorder), counted.subscribe(recorder)]
      connectable.subject.onNext(element)
      for subscription in subscriptions { subscription.dispose() }
    }
    #expect(recorder.line == "1 1 2 2")
    #expect(connectable.connections.value == 2)
    #expect(connectable.disconnections.value == 2)
  }

  @Test func whoJoinsWhileItEndsHearsTheEnd() {
    for _ in 0..<200 {
      let source = PublishSubject<Int>()
      let counted = source.publish().refCount()
      let ends = Counter()
      let first = counted.subscribe(onCompleted: { ends.increment() })
      inParallel(2) { thread in
        if thread == 0 {
          source.onCompleted()
        } else {
          _ = counted.subscribe(onCompleted: { ends.increment() })
        }
      }
      // Either it joined the connection that ended, or it connected again to a source that has
      // ended: both emit the end.
      #expect(ends.value == 2)
      first.dispose()
    }
  }
}

/// A connectable of a user's own.
private final class Switchboard: ConnectableObservableType, Sendable {
  typealias Element = Int

  let subject = PublishSubject<Int>()
  let connections = Counter()
  let disconnections = Counter()

  func connect() -> any Disposable {
    connections.increment()
    return Disposables.create { self.disconnections.increment() }
  }

  func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
  where Observer.Element == Int {
    subject.subscribe(observer)
  }
}
