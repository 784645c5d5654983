import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

@Suite("Asynchronous sequences as observables", .accounted)
struct AsyncSequenceTests {
  @Test func sendsTheElementsToEverySubscriberFromATaskOfItsOwn() async throws {
    let tasks = Counter()
    let numbers = Observable.from(Countdown(from: 3, begins: tasks))
    #expect(tasks.value == 0)
    for _ in 0..<2 {
      var elements: [Int] = []
      for try await element in numbers.values { elements.append(element) }
      #expect(elements == [3, 2, 1])
    }
    #expect(tasks.value == 2)
  }

  @Test func sendsWhatItThrows() async {
    let stream = AsyncThrowingStream<Int, any Error> { continuation in
      continuation.yield(1)
      continuation.finish(throwing: Failure.first)
    }
    var iterator = stream.asObservable().values.makeAsyncIterator()
    await #expect(throws: Failure.first) {
      #expect(try await iterator.next() == 1)
      _ = try await iterator.next()
    }
  }

  @Test func disposingCancelsTheTask() async {
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    let received = Recorder<Int>()
    let isOver = AsyncStream<Bool>.makeStream()
    continuation.onTermination = { reason in
      if case .cancelled = reason { isOver.continuation.yield(true) }
    }
    let first = AsyncStream<Void>.makeStream()
    let subscription = Observable.from(stream).subscribe(onNext: { element in
      received.onNext(element)
      first.continuation.yield()
    })
    continuation.yield(1)
    for await _ in first.stream { break }
    subscription.dispose()
    for await isCancelled in isOver.stream {
      #expect(isCancelled)
      break
    }
    continuation.yield(2)
    #expect(received.line == "1")
    await settle()
  }

  // A sequence that never waits for anything does not look whether its task was cancelled, and
  // nobody else did: the task went through all of it after the subscription was over.
  @Test func aSequenceThatNeverSuspendsIsLeftWhenTheSubscriptionIsOver() async {
    let (begin, continuation) = AsyncStream<Void>.makeStream()
    let ends = AsyncStream<Void>.makeStream()
    let steps = Counter()
    let received = Recorder<Int>()
    do {
      let witness = Witness { ends.continuation.yield() }
      let steady = Steady(begin: begin, steps: steps, witness: witness)
      _ = steady.asObservable().take(1).subscribe(received)
    }
    continuation.yield()
    for await _ in ends.stream { break }
    #expect(received.line == "1 |")
    #expect(steps.value == 1)
    await settle()
  }

  @Test func flatMapLatestCancelsTheWorkOfTheElementBefore() async throws {
    let queries = PublishSubject<String>()
    let journal = Journal()
    let begun = AsyncStream<String>.makeStream()
    let results = queries.flatMapLatest { query in
      begun.continuation.yield(query)
      // Ends when the task is cancelled, and not before.
      if query == "slow" {
        for await _ in AsyncStream<Never>.makeStream().stream {}
        journal.write(Task.isCancelled ? "cancelled" : "ended")
      }
      return query.uppercased()
    }
    var found = results.values.makeAsyncIterator()
    var begins = begun.stream.makeAsyncIterator()
    queries.onNext("slow")
    #expect(await begins.next() == "slow")
    queries.onNext("quick")
    queries.onCompleted()
    #expect(try await found.next() == "QUICK")
    #expect(try await found.next() == nil)
  }

  @Test func flatMapLatestSendsWhatTheWorkThrows() async {
    let results = Observable.just(1).flatMapLatest { element -> Int in
      await Task.yield()
      throw Failure.first
    }
    await #expect(throws: Failure.first) { for try await _ in results.values {} }
  }

  /// Lets tasks that were cancelled come to their end.
  private func settle() async {
    #if DEBUG
      for _ in 0..<100_000 where Resources.total > 0 { await Task.yield() }
    #endif
  }
}

/// Numbers down to one; counts how often it was begun.
private struct Countdown: AsyncSequence, Sendable {
  typealias Element = Int

  let start: Int
  let begins: Counter

  init(from start: Int, begins: Counter) {
    self.start = start
    self.begins = begins
  }

  struct AsyncIterator: AsyncIteratorProtocol {
    var number: Int

    mutating func next() async -> Int? {
      defer { number -= 1 }
      return number > 0 ? number : nil
    }
  }

  func makeAsyncIterator() -> AsyncIterator {
    begins.increment()
    return AsyncIterator(number: start)
  }
}

/// Numbers, once it may begin; it never suspends after that.
private struct Steady: AsyncSequence, Sendable {
  typealias Element = Int

  let begin: AsyncStream<Void>
  let steps: Counter
  let witness: Witness

  struct AsyncIterator: AsyncIteratorProtocol {
    let sequence: Steady
    var hasBegun = false

    mutating func next() async -> Int? {
      if !hasBegun {
        hasBegun = true
        for await _ in sequence.begin { break }
      }
      // An end, so that an endless sequence fails the test instead of hanging it.
      let step = sequence.steps.increment()
      return step < 100_000 ? step : nil
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(sequence: self) }
}
