import Foundation
import Reactive
import Testing

/// L: no user code runs under a lock of the library.
///
/// One thread sends, and the user code that this reaches wants a lock of the user's. Another
/// thread holds that lock and uses the same chain. Whoever holds a lock of the library across
/// user code has both wait for each other.
@Suite("Laws: locks", .accounted)
struct LockLawTests {
  typealias Visit = @Sendable () -> Void
  typealias Pipeline = @Sendable (Observable<Int>, @escaping Visit) -> Observable<Int>

  /// Every operator, passing on what it is sent, with the visit made in its own closure.
  static let pipelines: [(name: String, pipeline: Pipeline)] = [
    ("none", { source, _ in source }),
    (
      "map",
      { source, visit in
        source.map {
          visit(); return $0
        }
      }
    ),
    (
      "filter",
      { source, visit in
        source.filter { _ in
          visit(); return true
        }
      }
    ),
    (
      "compactMap",
      { source, visit in
        source.compactMap {
          visit(); return $0
        }
      }
    ),
    (
      "flatMap",
      { source, visit in
        source.flatMap {
          visit(); return Observable.just($0)
        }
      }
    ),
    (
      "flatMapLatest",
      { source, visit in
        source.flatMapLatest {
          visit(); return Observable.just($0)
        }
      }
    ),
    (
      "concatMap",
      { source, visit in
        source.concatMap {
          visit(); return Observable.just($0)
        }
      }
    ),
    ("merge", { source, visit in Observable.merge(source.do(onNext: { _ in visit() }), .never()) }),
    (
      "combineLatest",
      { source, visit in
        Observable.combineLatest(source, Observable.just(0)) {
          visit(); return $0 + $1
        }
      }
    ),
    (
      "withLatestFrom",
      { source, visit in
        source.withLatestFrom(Observable.just(0)) {
          visit(); return $0 + $1
        }
      }
    ),
    ("startWith", { source, _ in source.startWith(0) }),
    (
      "distinctUntilChanged",
      { source, visit in
        source.startWith(0).distinctUntilChanged { _, _ in
          visit(); return false
        }
      }
    ),
    ("take", { source, _ in source.take(9) }),
    ("do", { source, visit in source.do(onNext: { _ in visit() }, afterNext: { _ in visit() }) }),
    ("share", { source, _ in source.share() }),
    ("share replay", { source, _ in source.share(replay: 2) }),
    ("share forever", { source, _ in source.share(replay: 2, scope: .forever) }),
    ("refCount", { source, _ in source.publish().refCount() }),
    (
      "multicast",
      { source, visit in
        source.multicast({
          visit(); return PublishSubject<Int>()
        }) {
          visit(); return $0
        }
      }
    ),
    (
      "from scheduler",
      { source, _ in
        source.concatMap { Observable.just($0, scheduler: CurrentThreadScheduler.instance) }
      }
    ),
    (
      "asSingle",
      { source, visit in
        source.flatMap { element in
          Single<Int>.create {
            visit(); $0(.success(element)); return Disposables.create()
          }
        }
      }
    ),
    ("create", { source, _ in Observable.create { source.subscribe($0) } }),
    (
      "deferred",
      { source, visit in
        Observable.deferred {
          visit(); return source
        }
      }
    ),
  ]

  @Test(arguments: pipelines.map(\.name), ["observer", "operator"])
  func l1NoUserCodeRunsUnderALock(name: String, place: String) throws {
    let pipeline = try #require(Self.pipelines.first { $0.name == name }).pipeline
    let source = PublishSubject<Int>()
    let meeting = Meeting()
    let visit: Visit = { if place == "operator" { meeting.attend() } }
    let chain = pipeline(source, visit)
    let subscription = chain.subscribe(onNext: { element in
      if place == "observer", element > 0 { meeting.attend() }
    })
    meeting.hold(
      sending: { source.onNext(1) },
      meanwhile: {
        let another = chain.subscribe(onNext: { _ in })
        source.onNext(2)
        another.dispose()
        subscription.dispose()
        _ = source.hasObservers
      })
    subscription.dispose()
  }

  @Test func l1ARelayCanBeReadAndChangedWhileItsObserversRun() {
    let relay = BehaviorRelay(value: 0)
    let meeting = Meeting()
    let received = Recorder<Int>()
    let bag = DisposeBag()
    relay.asObservable().subscribe(onNext: { element in
      if element == 1 { meeting.attend() }
      received.onNext(element)
    }).disposed(by: bag)
    meeting.hold(
      sending: { relay.accept(1) },
      meanwhile: {
        relay.accept(2)
        #expect(relay.value == 2)
        let recorder = Recorder<Int>()
        relay.subscribe(recorder).dispose()
        #expect(recorder.line == "2")
      })
    #expect(received.line == "0 1 2")
  }

  @Test func l1AReplayRunsUnderNoLock() {
    let relay = BehaviorRelay(value: 1)
    let meeting = Meeting()
    let received = Recorder<Int>()
    let bag = DisposeBag()
    meeting.hold(
      sending: {
        relay.asObservable().subscribe(onNext: { element in
          if element == 1 { meeting.attend() }
          received.onNext(element)
        }).disposed(by: bag)
      },
      meanwhile: { relay.accept(2) })
    #expect(received.line == "1 2")
  }

  @Test func l1AReplaySubjectReplaysUnderNoLock() {
    let subject = ReplaySubject<Int>.createUnbounded()
    subject.onNext(1)
    let meeting = Meeting()
    let received = Recorder<Int>()
    let bag = DisposeBag()
    meeting.hold(
      sending: {
        subject.subscribe(onNext: { element in
          if element == 1 { meeting.attend() }
          received.onNext(element)
        }).disposed(by: bag)
      },
      meanwhile: {
        subject.onNext(2)
        subject.subscribe().disposed(by: bag)
      })
    #expect(received.line == "1 2")
  }

  @Test func l1ASubjectIsMadeUnderNoLock() {
    let meeting = Meeting()
    let connectable = Observable<Int>.never().multicast {
      meeting.attend()
      return PublishSubject<Int>()
    }
    let shared = connectable.refCount()
    let bag = DisposeBag()
    meeting.hold(
      sending: { shared.subscribe().disposed(by: bag) },
      meanwhile: {
        shared.subscribe().disposed(by: bag)
        connectable.connect().disposed(by: bag)
      })
  }

  @Test func l1ElementsAreReleasedUnderNoLock() {
    let relay = Box<BehaviorRelay<Witness>>()
    let released = Counter()
    let readsItsRelay: @Sendable () -> Void = {
      relay.value?.value.touch()
      released.increment()
    }
    relay.value = BehaviorRelay(value: Witness(readsItsRelay))
    relay.value?.accept(Witness(readsItsRelay))
    relay.value?.accept(Witness())
    #expect(released.value == 2)
    relay.value = nil
  }
}

/// Brings two threads into the order that makes a held lock show.
private final class Meeting: Sendable {
  private let lock = NSLock()
  private let isReached = Gate()
  private let isHeld = Gate()
  private let visits = Counter()
  private let isArmed = Box(false)

  /// Called by the user code: the first visit waits until the other thread holds the lock, and
  /// then wants it.
  func attend() {
    guard isArmed.value == true, visits.increment() == 1 else { return }
    isReached.open()
    isHeld.pass("nobody took the lock")
    lock.withLock {}
  }

  /// Sends on one thread and, while that is in user code, does the rest with the lock held.
  func hold(
    sending send: @escaping @Sendable () -> Void, meanwhile body: @escaping @Sendable () -> Void
  ) {
    isArmed.value = true
    inParallel(2) { thread in
      if thread == 0 {
        send()
        // Chains without user code of their own have nothing to attend.
        if self.visits.value == 0 { self.attend() }
      } else {
        self.isReached.pass("the user code was not reached")
        self.lock.withLock {
          self.isHeld.open()
          body()
        }
      }
    }
  }
}
