import Reactive
import ReactiveTesting
import Testing

@Suite struct LeakCheckTests {
  #if DEBUG
    @Test func findsASubscriptionThatKeepsItselfAlive() {
      let subject = PublishSubject<Int>()
      #expect(throws: LeakError.self) {
        try withLeakCheck { _ = subject.map { $0 }.subscribe() }
      }
      subject.onCompleted()
    }

    @Test func tellsHowMany() {
      let kept = SerialDisposable()
      #expect(throws: LeakError.outlived(count: 1)) {
        try withLeakCheck { kept.disposable = Observable.just(1).map { $0 }.subscribe() }
      }
    }

    @Test func isContentWithWhatEnded() throws {
      let result = try withLeakCheck {
        let subject = PublishSubject<Int>()
        let subscription = subject.map { $0 }.subscribe()
        subject.onNext(1)
        subscription.dispose()
        return 7
      }
      #expect(result == 7)
    }

    @Test func theErrorOfTheBodyComesFirst() {
      #expect(throws: Sample.a) { try withLeakCheck { throw Sample.a } }
    }
  #else
    @Test func doesNotPassWhereNothingIsCounted() {
      #expect(throws: LeakError.needsDebugBuild) { try withLeakCheck {} }
    }
  #endif
}
