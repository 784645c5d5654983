import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

/// L: no user code runs under a lock of the library.
///
/// One thread sends, and the user code that this reaches wants a lock of the user's. Another
/// thread holds that lock and uses the same chain. Code that holds a lock of the library across
/// user code makes both wait for each other. The law suite does this with every operator; here are
/// subjects and relays.
@Suite("Laws: locks", .accounted)
struct LockLawTests {
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
