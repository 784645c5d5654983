import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

/// Traits that a task waits for, and traits made of tasks.
@Suite(.accounted)
struct PrimitiveSequenceConcurrencyTests {
  @Test func aTaskWaitsForTheAnswer() async throws {
    #expect(try await Single.just(1).value == 1)
    #expect(try await Maybe.just(1).value == 1)
    #expect(try await Maybe<Int>.empty().value == nil)
    try await Completable.empty().value
  }

  @Test func anErrorIsThrown() async {
    await #expect(throws: Failure.first) { try await Single<Int>.error(Failure.first).value }
    await #expect(throws: Failure.first) { try await Maybe<Int>.error(Failure.first).value }
    await #expect(throws: Failure.first) { try await Completable.error(Failure.first).value }
  }

  @Test func cancellingTheTaskDisposesTheSubscription() async {
    let subscribed = AsyncStream<Void>.makeStream()
    let disposed = Counter()
    let single = Single<Int>.create { _ in
      subscribed.continuation.yield()
      return Disposables.create { disposed.increment() }
    }
    let task = Task { try await single.value }
    for await _ in subscribed.stream { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(disposed.value == 1)
  }

  @Test func aTaskThatWasCancelledBeforeThrowsAtOnce() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await Single<Int>.never().value
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func ofAnswersFromSeveralThreadsOneResumesTheTask() async throws {
    for _ in 0..<50 {
      let subject = PublishSubject<Int>()
      let ready = AsyncStream<Void>.makeStream()
      let single = Single<Int>.create { answer in
        let subscription = subject.subscribe(onNext: { answer(.success($0)) })
        ready.continuation.yield()
        return subscription
      }
      async let value = single.value
      for await _ in ready.stream { break }
      await withTaskGroup(of: Void.self) { group in
        for thread in 1...3 { group.addTask { subject.onNext(thread) } }
      }
      #expect((1...3).contains(try await value))
    }
  }

  @Test func aSingleIsMadeOfAsynchronousWork() async throws {
    let answer = Single.create {
      await Task.yield(); return 42
    }
    #expect(try await answer.value == 42)
    let failing = Single<Int>.create(detached: true) { throw Failure.second }
    await #expect(throws: Failure.second) { try await failing.value }
  }

  // Only singles could be made of asynchronous work; for the others it did not compile.
  @Test func aMaybeAndACompletableAreMadeOfAsynchronousWork() async throws {
    let some = Maybe.create {
      await Task.yield(); return Optional(42)
    }
    #expect(try await some.value == 42)
    #expect(
      try await Maybe<Int>.create {
        await Task.yield(); return nil
      }.value == nil)
    let failing = Maybe<Int>.create { throw Failure.second }
    await #expect(throws: Failure.second) { try await failing.value }
    let saved = Counter()
    let completable = Completable.create {
      await Task.yield()
      saved.increment()
    }
    try await completable.value
    try await completable.value
    #expect(saved.value == 2)
    let refused = Completable.create(detached: true) { throw Failure.second }
    await #expect(throws: Failure.second) { try await refused.value }
  }

  @Test func disposingCancelsTheWork() async {
    let began = AsyncStream<Void>.makeStream()
    let ended = AsyncStream<Bool>.makeStream()
    let forever = AsyncStream<Void>.makeStream()
    let single = Single<Int>.create {
      began.continuation.yield()
      for await _ in forever.stream {}
      ended.continuation.yield(Task.isCancelled)
      return 1
    }
    let subscription = single.subscribe()
    for await _ in began.stream { break }
    subscription.dispose()
    for await wasCancelled in ended.stream {
      #expect(wasCancelled)
      break
    }
    withExtendedLifetime(forever) {}
  }
}
