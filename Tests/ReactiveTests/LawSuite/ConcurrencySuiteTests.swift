import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

/// What joins several sequences, each of which sends on a thread of its own.
@Suite("Law suite: several threads", .accounted)
struct ConcurrencySuiteTests {
  typealias Pipeline = @Sendable (Observable<Int>, Observable<Int>) -> Observable<Int>

  static let pipelines: [(name: String, pipeline: Pipeline)] = [
    ("merge", { Observable.merge($0, $1) }),
    ("combineLatest", { Observable.combineLatest($0, $1) { $0 + $1 } }),
    ("combineLatest(collection)", { Observable.combineLatest([$0, $1]) { $0.reduce(0, +) } }),
    ("zip", { Observable.zip($0, $1) { $0 + $1 } }),
    ("zip(collection)", { Observable.zip([$0, $1]) { $0.reduce(0, +) } }),
    ("withLatestFrom", { $0.withLatestFrom($1) }),
    ("sample", { $0.sample($1) }),
    ("take(until:)", { first, second in first.take(until: second.skip(200)) }),
    ("skip(until:)", { $0.skip(until: $1) }),
    ("flatMap", { first, second in first.flatMap { _ in second.take(3) } }),
    ("flatMapLatest", { first, second in first.flatMapLatest { _ in second } }),
    ("flatMapFirst", { first, second in first.flatMapFirst { _ in second.take(3) } }),
    ("concatMap", { first, second in first.take(50).concatMap { _ in second.take(3) } }),
    ("concat", { first, second in first.take(100).concat(second) }),
    ("catch", { first, second in first.map(refusing(100)).catch { _ in second } }),
    (
      "retry(when:)",
      { first, second in first.map(refusing(100)).retry(when: { _ in second }) }
    ),
    ("share", { Observable.merge($0, $1).share(replay: 1) }),
  ]

  @Test(arguments: pipelines.map(\.name))
  func g2EventsNeverOverlapAndTheEndComesOnce(name: String) throws {
    let pipeline = try #require(Self.pipelines.first { $0.name == name }).pipeline
    for _ in 0..<5 {
      let sources = [PublishSubject<Int>(), PublishSubject<Int>()]
      let turnstile = Turnstile()
      let ends = Counter()
      let late = Counter()
      let subscription = pipeline(sources[0], sources[1]).subscribe(
        onNext: { _ in turnstile.pass { if ends.value > 0 { late.increment() } } },
        onError: { _ in turnstile.pass { ends.increment() } },
        onCompleted: { turnstile.pass { ends.increment() } })
      inParallel(4) { thread in
        for element in 0..<200 { sources[thread % 2].onNext(element) }
      }
      // Those that subscribe later may find that it ended already: they end all the same.
      for source in sources { source.onCompleted() }
      #expect(!turnstile.wasShared)
      #expect(ends.value == 1)
      #expect(late.value == 0)
      subscription.dispose()
    }
  }

  @Test(arguments: pipelines.map(\.name))
  func disposalFromAnotherThreadIsTheLastWord(name: String) throws {
    let pipeline = try #require(Self.pipelines.first { $0.name == name }).pipeline
    for _ in 0..<10 {
      let sources = [PublishSubject<Int>(), PublishSubject<Int>()]
      let ends = Counter()
      let subscription = pipeline(sources[0], sources[1]).subscribe(
        onError: { _ in }, onDisposed: { ends.increment() })
      inParallel(3) { thread in
        if thread == 2 { return subscription.dispose() }
        for element in 0..<100 { sources[thread].onNext(element) }
      }
      #expect(ends.value == 1)
      #expect(sources.allSatisfy { !$0.hasObservers })
    }
  }
}
