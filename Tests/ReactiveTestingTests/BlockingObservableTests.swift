import Dispatch
import Foundation
import Reactive
import ReactiveTesting
import Testing

@Suite struct BlockingObservableTests {
  let elsewhere = ConcurrentDispatchQueueScheduler(qos: .userInitiated)

  @Test func waitsForWhatComesFromElsewhere() throws {
    let numbers = Observable.of(1, 2, 3).observe(on: elsewhere).toBlocking(timeout: 20)
    #expect(try numbers.toArray() == [1, 2, 3])
    #expect(try numbers.first() == 1)
    #expect(try numbers.last() == 3)
  }

  @Test func anEmptySequenceHasNoFirstAndNoLast() throws {
    let nothing = Observable<Int>.empty().toBlocking()
    #expect(try nothing.toArray() == [])
    #expect(try nothing.first() == nil)
    #expect(try nothing.last() == nil)
    #expect(throws: RxError.noElements) { try nothing.single() }
  }

  @Test func singleWantsExactlyOne() throws {
    #expect(try Observable.just(7).toBlocking().single() == 7)
    #expect(throws: RxError.moreThanOneElement) { try Observable.of(1, 2).toBlocking().single() }
    let two = try Observable.of(1, 2, 3).toBlocking().single { $0 == 2 }
    #expect(two == 2)
    #expect(throws: Sample.a) {
      try Observable.just(1).toBlocking().single { _ in throw Sample.a }
    }
  }

  @Test func theFirstElementEndsTheWaitAndTheSource() throws {
    try withLeakCheck {
      let subject = PublishSubject<Int>()
      let endless = Observable<Int>.range(start: 0, count: .max)
      let first = try Observable.merge(endless, subject).toBlocking().first()
      #expect(first == 0)
      #expect(!subject.hasObservers)
    }
  }

  // A wait for the first element disposed the source, which then passed its completion to `do`.
  @Test func anEndAfterTheWaitIsDropped() throws {
    let scheduler = TestScheduler(initialClock: 0)
    let calls = scheduler.createObserver(String.self)
    let source = Observable.just(1).do(
      onCompleted: { calls.onNext("completed") }, onDispose: { calls.onNext("disposed") })
    #expect(try source.toBlocking().first() == 1)
    #expect(calls.events == [.next(0, "disposed")])
  }

  @Test func anErrorIsThrown() {
    let failing = Observable<Int>.of(1, 2).concat(error: Sample.a).toBlocking()
    #expect(throws: Sample.a) { try failing.toArray() }
    #expect(throws: Sample.a) { try failing.last() }
  }

  @Test func materializeTellsHowItWent() {
    guard case .completed(let elements) = Observable.of(1, 2).toBlocking().materialize() else {
      Issue.record("it completed")
      return
    }
    #expect(elements == [1, 2])
    let failing = Observable<Int>.of(1, 2).concat(error: Sample.a)
    guard case .failed(let before, let error) = failing.toBlocking().materialize() else {
      Issue.record("it failed")
      return
    }
    #expect(before == [1, 2])
    #expect(error as? Sample == .a)
  }

  static let asynchronous: [@Sendable (Int) -> Observable<Int>] = [
    { number in
      Single.create {
        await Task.yield()
        return number
      }.asObservable()
    },
    { number in
      Maybe.create {
        await Task.yield()
        return number
      }.asObservable()
    },
    { number in
      Completable.create { await Task.yield() }.andThen(Observable.just(number))
    },
    { number in
      AsyncStream { continuation in
        continuation.yield(number)
        continuation.finish()
      }.asObservable()
    },
    { number in
      Observable.just(number).flatMapLatest { number in
        await Task.yield()
        return number
      }
    },
    { Observable.just($0).observe(on: TaskScheduler()) },
    { Observable.just($0).delay(.microseconds(1), scheduler: TaskScheduler()) },
    { Observable.just($0).observe(on: ActorScheduler(Desk())) },
  ]

  // Tests that wait occupy the threads of the cooperative pool: the tasks that they waited for got
  // none, and `swift test` never ended.
  @Test(arguments: asynchronous.indices)
  func tasksGetAThreadWhileEveryThreadOfThePoolWaits(index: Int) async throws {
    let source = Self.asynchronous[index]
    let count = 2 * ProcessInfo.processInfo.activeProcessorCount + 2
    let sum = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 1...count {
        group.addTask { try source(number).toBlocking(timeout: 60).single() }
      }
      var sum = 0
      for try await number in group { sum += number }
      return sum
    }
    #expect(sum == count * (count + 1) / 2)
  }

  @Test func whatDoesNotEndInTimeIsDisposed() {
    let subject = PublishSubject<Int>()
    #expect(throws: RxError.timeout) { try subject.toBlocking(timeout: 0.001).toArray() }
    #expect(!subject.hasObservers)
  }
}

private actor Desk {}

extension Observable {
  /// Its elements, and then an error.
  fileprivate func concat(error: any Error) -> Observable<Element> where Element: Sendable {
    Observable<Observable<Element>>.of(self, .error(error)).concatMap { $0 }
  }
}
