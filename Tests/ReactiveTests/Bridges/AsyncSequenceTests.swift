import Reactive
import Testing

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
