import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

/// What flattens or repeats, with as many inner sequences that end at once as break any stack.
@Suite("Law suite: flat stacks", .accounted)
struct FlatteningSuiteTests {
  static let count = 100_000

  typealias Pipeline = @Sendable (_ count: Int) -> Observable<Int>

  static let pipelines: [(name: String, pipeline: Pipeline)] = [
    ("flatMap", { Observable.from(0..<$0).flatMap { Observable.just($0) } }),
    ("flatMapLatest", { Observable.from(0..<$0).flatMapLatest { Observable.just($0) } }),
    ("flatMapFirst", { Observable.from(0..<$0).flatMapFirst { Observable.just($0) } }),
    ("concatMap", { Observable.from(0..<$0).concatMap { Observable.just($0) } }),
    ("switchLatest", { Observable.from(0..<$0).map { Observable.just($0) }.switchLatest() }),
    ("merge()", { Observable.from(0..<$0).map { Observable.just($0) }.merge() }),
    ("merge(collection)", { Observable.merge((0..<$0).map { Observable.just($0) }) }),
    (
      "merge(maxConcurrent:)",
      { Observable.from(0..<$0).map { Observable.just($0) }.merge(maxConcurrent: 2) }
    ),
    ("concat()", { Observable.from(0..<$0).map { Observable.just($0) }.concat() }),
    ("concat(sequence)", { Observable.concat((0..<$0).lazy.map { Observable.just($0) }) }),
    (
      "catch(sequence:)",
      { count in
        Observable<Int>.catch(
          sequence: (1...count).lazy.map { number in
            Observable.just(number).concat(number == count ? .empty() : failing)
          })
      }
    ),
    ("retry()", { succeedingAtLast($0).retry() }),
    ("retry(n)", { succeedingAtLast($0).retry($0) }),
    ("retry(when:)", { succeedingAtLast($0).retry(when: { $0 }) }),
  ]

  static let failing = Observable<Int>.error(Failure.first)

  /// Sends one element and fails, but for the last of so many times.
  static func succeedingAtLast(_ count: Int) -> Observable<Int> {
    let attempts = Counter()
    return .deferred {
      let attempt = attempts.increment()
      return Observable.just(attempt).concat(attempt == count ? .empty() : failing)
    }
  }

  @Test(arguments: pipelines.map(\.name))
  func f5AHundredThousandInnersThatEndAtOnceCostNoStack(name: String) throws {
    let pipeline = try #require(Self.pipelines.first { $0.name == name }).pipeline
    let elements = Counter()
    let ends = Counter()
    _ = pipeline(Self.count).subscribe(
      onNext: { _ in elements.increment() }, onCompleted: { ends.increment() })
    #expect(elements.value == Self.count)
    #expect(ends.value == 1)
  }
}
