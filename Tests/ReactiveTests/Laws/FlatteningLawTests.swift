import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

/// F: how sequences of sequences are flattened.
@Suite("Laws: flattening", .accounted)
struct FlatteningLawTests {
  @Test func f1FlatMapInterleavesAndCompletesWhenAllDid() {
    let outer = PublishSubject<Int>()
    let inners = [PublishSubject<Int>(), PublishSubject<Int>()]
    let recorder = Recorder<Int>()
    _ = outer.flatMap { inners[$0] }.subscribe(recorder)
    outer.onNext(0)
    outer.onNext(1)
    inners[0].onNext(1)
    inners[1].onNext(2)
    inners[0].onNext(3)
    outer.onCompleted()
    inners[0].onCompleted()
    #expect(recorder.line == "1 2 3")
    inners[1].onCompleted()
    #expect(recorder.line == "1 2 3 |")
  }

  @Test func f2FlatMapLatestDisposesThePreviousInnerBeforeTheNextIsSubscribed() {
    let journal = Journal()
    let outer = PublishSubject<Int>()
    let inners = [PublishSubject<Int>(), PublishSubject<Int>()]
    let recorder = Recorder<Int>()
    let latest = outer.flatMapLatest { index in
      inners[index].do(
        onSubscribe: { journal.write("subscribe \(index)") },
        onDispose: { journal.write("dispose \(index)") })
    }
    _ = latest.subscribe(recorder)
    outer.onNext(0)
    inners[0].onNext(1)
    outer.onNext(1)
    inners[0].onNext(2)
    outer.onCompleted()
    inners[1].onNext(3)
    #expect(journal.line == "subscribe 0 dispose 0 subscribe 1")
    #expect(recorder.line == "1 3")
    inners[1].onCompleted()
    #expect(recorder.line == "1 3 |")
  }

  @Test func f3ConcatMapSubscribesTheNextInnerOnlyAfterTheOneBeforeCompleted() {
    let journal = Journal()
    let inners = (0..<3).map { _ in PublishSubject<String>() }
    let outer = PublishSubject<Int>()
    let recorder = Recorder<String>()
    _ = outer.concatMap { index in
      inners[index].do(onSubscribe: { journal.write("\(index)") })
    }.subscribe(recorder)
    for index in 0..<3 { outer.onNext(index) }
    outer.onCompleted()
    #expect(journal.line == "0")
    inners[1].onNext("early")
    inners[0].onNext("a")
    inners[0].onCompleted()
    #expect(journal.line == "0 1")
    inners[1].onNext("b")
    inners[1].onCompleted()
    inners[2].onNext("c")
    inners[2].onCompleted()
    #expect(recorder.line == "a b c |")
  }

  @Test func f4FlatMapFirstIgnoresOuterEventsWhileAnInnerIsActive() {
    let outer = PublishSubject<Int>()
    let inners = (0..<3).map { _ in PublishSubject<Int>() }
    let asked = Recorder<Int>()
    let recorder = Recorder<Int>()
    let first = outer.flatMapFirst { index in
      asked.onNext(index)
      return inners[index]
    }
    _ = first.subscribe(recorder)
    outer.onNext(0)
    outer.onNext(1)
    inners[0].onCompleted()
    outer.onNext(2)
    inners[2].onNext(5)
    outer.onCompleted()
    inners[2].onCompleted()
    #expect(asked.line == "0 2")
    #expect(recorder.line == "5 |")
  }

  @Test func f5AHundredThousandInnersThatCompleteAtOnceCostNoStack() {
    let count = 100_000
    let sum = Counter()
    _ = Observable.from(0..<count).concatMap { Observable.just($0) }
      .subscribe(onNext: { _ in sum.increment() }, onCompleted: { sum.increment() })
    #expect(sum.value == count + 1)
  }

  @Test(arguments: [1, 2])
  func f5InnersThatWaitedCostNoStackEither(limit: Int) {
    let count = 100_000
    let first = PublishSubject<Int>()
    let sum = Counter()
    let inners = [first] + (0..<count).map { Observable.just($0) }
    let outer = limit == 1 ? [first] : [first, first]
    _ = Observable.from(outer + inners).merge(maxConcurrent: limit)
      .subscribe(onNext: { _ in sum.increment() }, onCompleted: { sum.increment() })
    #expect(sum.value == 0)
    first.onCompleted()
    #expect(sum.value == count + 1)
  }

  @Test(arguments: ["flatMap", "concatMap", "flatMapLatest"])
  func f6TheSelectorRunsWithoutALock(name: String) {
    // The selector sends to the very sequence that is flattened, and ends an inner one: with a
    // lock held this would deadlock, and on one stack it would recurse.
    let outer = PublishSubject<Int>()
    let inner = BehaviorSubject(value: 0)
    let recorder = Recorder<Int>()
    let selector: @Sendable (Int) -> Observable<Int> = { element in
      if element < 3 { outer.onNext(element + 1) }
      inner.onNext(element * 10)
      return name == "concatMap" ? inner.take(1) : inner
    }
    let flattened =
      switch name {
      case "flatMap": outer.flatMap(selector)
      case "concatMap": outer.concatMap(selector)
      default: outer.flatMapLatest(selector)
      }
    let subscription = flattened.subscribe(recorder)
    outer.onNext(1)
    let expected =
      switch name {
      case "flatMap": "10 20 20 30 30 30"
      case "concatMap": "10 20 30"
      default: "10 20 20 30 30"
      }
    #expect(recorder.line == expected)
    subscription.dispose()
  }
}
