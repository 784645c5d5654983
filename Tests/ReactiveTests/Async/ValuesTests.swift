import Foundation
import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

@Suite(.accounted)
struct ValuesTests {
  @Test func nobodySubscribesBeforeALoopBegins() {
    let subject = PublishSubject<Int>()
    let values = subject.values
    #expect(!subject.hasObservers)
    let iterator = values.makeAsyncIterator()
    #expect(subject.hasObservers)
    withExtendedLifetime(iterator) {}
  }

  @Test func everyLoopHasASubscriptionOfItsOwn() async throws {
    let subscriptions = Counter()
    let values = Observable.of(1, 2).do(onSubscribe: { subscriptions.increment() }).values
    for _ in 0..<2 {
      var elements: [Int] = []
      for try await element in values { elements.append(element) }
      #expect(elements == [1, 2])
    }
    #expect(subscriptions.value == 2)
  }

  @Test func whatWaitsComesBeforeTheEnd() async throws {
    let subject = PublishSubject<Int>()
    var completed = subject.values.makeAsyncIterator()
    for element in 1...3 { subject.onNext(element) }
    subject.onCompleted()
    for element in 1...3 { #expect(try await completed.next() == element) }
    #expect(try await completed.next() == nil)
    #expect(try await completed.next() == nil)
    var failed = Observable.of(1, 2).map(refusing(2)).values.makeAsyncIterator()
    #expect(try await failed.next() == 1)
    await #expect(throws: Failure.first) { try await failed.next() }
    #expect(try await failed.next() == nil)
  }

  @Test(arguments: [
    (ValuesBuffering.unbounded, "1 2 3 4", ""), (.bufferingNewest(2), "3 4", "1 2"),
    (.bufferingOldest(2), "1 2", "3 4"), (.bufferingNewest(1), "4", "1 2 3"),
    (.bufferingNewest(0), "", "1 2 3 4"), (.bufferingOldest(0), "", "1 2 3 4"),
  ])
  func aBoundedBufferTellsWhatItDrops(
    policy: ValuesBuffering, kept: String, dropped: String
  ) async throws {
    let journal = Journal()
    let subject = PublishSubject<Int>()
    let values = subject.values(bufferingPolicy: policy, onOverflow: { journal.write("\($0)") })
    var iterator = values.makeAsyncIterator()
    for element in 1...4 { subject.onNext(element) }
    subject.onCompleted()
    var elements: [String] = []
    while let element = try await iterator.next() { elements.append("\(element)") }
    #expect(elements.joined(separator: " ") == kept)
    #expect(journal.line == dropped)
  }

  @Test func cancellingTheTaskDisposesTheSubscription() async {
    let subject = PublishSubject<Int>()
    let values = subject.values
    let task = Task {
      for try await _ in values {}
    }
    task.cancel()
    // Whether it waits by then or not: the end is the same.
    let result = await task.result
    #expect(throws: CancellationError.self) { try result.get() }
    #expect(!subject.hasObservers)
  }

  @Test func cancellingATaskThatWaitsResumesIt() async {
    let source = Accounting()
    let values = source.observable.values
    let task = Task {
      var iterator = values.makeAsyncIterator()
      return try await iterator.next()
    }
    await source.subscribed()
    task.cancel()
    let result = await task.result
    #expect(throws: CancellationError.self) { try result.get() }
    #expect(source.teardowns.value == 1)
  }

  @Test func leavingTheLoopDisposesTheSubscription() async throws {
    let subject = BehaviorSubject(value: 1)
    for try await element in subject.values {
      #expect(element == 1)
      break
    }
    #expect(!subject.hasObservers)
  }

  @Test func elementsOfAnotherThreadArriveInOrder() async throws {
    let source = Observable<Int>.create { observer in
      let thread = Task.detached {
        for element in 0..<2000 { observer.onNext(element) }
        observer.onCompleted()
      }
      return Disposables.create { thread.cancel() }
    }
    var elements: [Int] = []
    for try await element in source.values { elements.append(element) }
    #expect(elements == Array(0..<2000))
  }

  @Test func singlesHaveValuesToo() async throws {
    var elements: [Int] = []
    for try await element in Single.just(7).values { elements.append(element) }
    #expect(elements == [7])
  }

  // The story: a continuation was resumed under the bridge's lock. A task that runs at once where
  // it is resumed asks for the next element, which takes that lock: the program hung.
  @Test func aTaskIsResumedUnderNoLock() async throws {
    let subject = PublishSubject<Int>()
    let reader = Reader()
    let values = subject.values(bufferingPolicy: .bufferingNewest(0))
    let task = Task(executorPreference: Inline()) { try await reader.collect(values) }
    await reader.begins()
    let here = Box<ObjectIdentifier>()
    inParallel(1) { _ in
      here.value = threadOfCaller()
      // Sooner or later the reader waits, and is then resumed within the call to onNext.
      for element in 0..<2_000_000 where reader.place.value != here.value {
        subject.onNext(element)
      }
      subject.onCompleted()
    }
    try await task.value
    #expect(reader.place.value == here.value)
  }

  @Test func oneIteratorForTwoTasksTraps() async {
    await #expect(processExitsWith: .failure) {
      struct Shared: @unchecked Sendable {
        let iterator: ObservableValues<Int>.Iterator

        func next() async throws -> Int? {
          var iterator = iterator
          return try await iterator.next()
        }
      }
      let shared = Shared(iterator: Observable<Int>.never().values.makeAsyncIterator())
      async let first = shared.next()
      async let second = shared.next()
      _ = try await (first, second)
    }
  }
}

/// A source that never sends and tells when somebody subscribed.
private final class Accounting: Sendable {
  let teardowns = Counter()
  private let arrivals = AsyncStream<Void>.makeStream()

  var observable: Observable<Int> {
    .create { [self] _ in
      arrivals.continuation.yield()
      return Disposables.create { [teardowns] in teardowns.increment() }
    }
  }

  func subscribed() async {
    for await _ in arrivals.stream { return }
  }
}

/// Runs a task at once, where it is resumed.
private final class Inline: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    job.runSynchronously(on: asUnownedTaskExecutor())
  }
}

private final class Reader: Sendable {
  /// The thread that the latest element was taken on.
  let place = Box<ObjectIdentifier>()
  private let beginnings = AsyncStream<Void>.makeStream()

  func collect(_ values: ObservableValues<Int>) async throws {
    var iterator = values.makeAsyncIterator()
    beginnings.continuation.yield()
    while try await iterator.next() != nil { place.value = threadOfCaller() }
  }

  func begins() async {
    for await _ in beginnings.stream { return }
  }
}

private func threadOfCaller() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }
