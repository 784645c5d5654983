import Dispatch
import Reactive
import ReactiveTestSupport
import Testing

/// What drivers are made of and turned into.
@MainActor
@Suite(.accounted)
struct DriverOperatorTests {
  private func line<Element>(_ driver: Driver<Element>) -> String {
    let recorder = Recorder<Element>()
    driver.drive(recorder).dispose()
    return recorder.line
  }

  @Test func theyAreMadeOfElements() {
    #expect(line(Driver<Int>.empty()) == "|")
    #expect(line(Driver<Int>.never()) == "")
    #expect(line(Driver.just(1)) == "1 |")
    #expect(line(Driver.from([1, 2])) == "1 2 |")
    #expect(line(Driver<Int>.from(optional: nil)) == "|")
    #expect(line(Driver.deferred { .just(3) }) == "3 |")
  }

  @Test func elementsAreTransformedAndDropped() {
    let numbers = Driver.of(1, 1, 2, 3)
    #expect(line(numbers.map { "\($0)" }) == "1 1 2 3 |")
    #expect(line(numbers.filter { $0 > 1 }) == "2 3 |")
    #expect(line(numbers.compactMap { $0 > 2 ? $0 : nil }) == "3 |")
    #expect(line(numbers.scan(0) { $0 + $1 }) == "1 2 4 7 |")
    #expect(line(numbers.startWith(0)) == "0 1 1 2 3 |")
    #expect(line(numbers.skip(3)) == "3 |")
    #expect(line(numbers.distinctUntilChanged()) == "1 2 3 |")
    #expect(line(numbers.distinctUntilChanged { $0 / 2 }) == "1 2 |")
    #expect(line(numbers.distinctUntilChanged { $0 == $1 }) == "1 2 3 |")
    #expect(line(numbers.debug("test", trimOutput: true).skip(4)) == "|")
  }

  @Test func driversAreFlattened() {
    let outer = PublishRelay<Int>()
    let inners = [PublishRelay<Int>(), PublishRelay<Int>()]
    let recorders = [Recorder<Int>(), Recorder<Int>(), Recorder<Int>()]
    let driver = outer.asDriver()
    let bag = DisposeBag()
    driver.flatMap { inners[$0].asDriver() }.drive(recorders[0]).disposed(by: bag)
    driver.flatMapLatest { inners[$0].asDriver() }.drive(recorders[1]).disposed(by: bag)
    driver.flatMapFirst { inners[$0].asDriver() }.drive(recorders[2]).disposed(by: bag)
    outer.accept(0)
    outer.accept(1)
    inners[0].accept(1)
    inners[1].accept(2)
    #expect(recorders.map(\.line) == ["1 2", "2", "1"])
  }

  @Test func driversAreCombined() {
    let (numbers, words) = (BehaviorRelay(value: 1), BehaviorRelay(value: "a"))
    var latest: [String] = []
    var zipped: [String] = []
    var tuples: [String] = []
    var all: [[Int]] = []
    let bag = DisposeBag {
      Driver.combineLatest(numbers.asDriver(), words.asDriver()) { "\($0)\($1)" }
        .drive(onNext: { latest.append($0) })
      Driver.zip(numbers.asDriver(), words.asDriver()) { "\($0)\($1)" }
        .drive(onNext: { zipped.append($0) })
      Driver.combineLatest(numbers.asDriver(), words.asDriver())
        .drive(onNext: { tuples.append("\($0.0)\($0.1)") })
      Driver.combineLatest([numbers.asDriver(), numbers.asDriver()])
        .drive(onNext: { all.append($0) })
    }
    numbers.accept(2)
    words.accept("b")
    #expect(latest == ["1a", "2a", "2b"])
    #expect(zipped == ["1a", "2b"])
    #expect(tuples == ["1a", "2a", "2b"])
    #expect(all == [[1, 1], [2, 1], [2, 2]])
    withExtendedLifetime(bag) {}
    #expect(line(Driver.zip(Driver.of(1, 2), Driver.of("a", "b"))).contains("a"))
    #expect(line(Driver.zip([Driver.of(1, 2), Driver.of(3)])) == "[1, 3] |")
    #expect(line(Driver.merge(.of(1), .of(2))) == "1 2 |")
    #expect(line(Driver.concat(.of(1), .of(2))) == "1 2 |")
    #expect(line(Driver.of(1, 2).withLatestFrom(Driver.just(5))) == "5 5 |")
    #expect(line(Driver.of(1, 2).withLatestFrom(Driver.just(5)) { $0 + $1 }) == "6 7 |")
  }

  @Test func collectionsOfDriversAreCombined() {
    let numbers = [Driver.of(1, 2), Driver.of(10, 20)]
    #expect(line(Driver.merge(numbers)) == "1 2 10 20 |")
    #expect(line(Driver.merge(Array(numbers.prefix(1)))) == "1 2 |")
    #expect(line(Driver<Int>.merge([])) == "|")
    #expect(line(Driver.concat(numbers)) == "1 2 10 20 |")
    #expect(line(Driver.concat(numbers.reversed())) == "10 20 1 2 |")
    #expect(line(Driver.zip(numbers)) == "[1, 10] [2, 20] |")
    #expect(line(Driver.zip(numbers) { $0.reduce(0, +) }) == "11 22 |")
    #expect(line(Driver.zip(numbers) { "\($0)" }) == "[1, 10] [2, 20] |")
    #expect(line(Driver.combineLatest(numbers)) == "[2, 10] [2, 20] |")
    #expect(line(Driver.combineLatest(numbers) { $0.reduce(0, +) }) == "12 22 |")
    #expect(line(Driver.combineLatest(numbers) { "\($0.count)" }) == "2 2 |")
    #expect(line(Driver.from(1...3)) == "1 2 3 |")
    #expect(line(Driver.from(Set([4]))) == "4 |")
  }

  @Test func driversOfDriversAreFlattened() {
    let outer = PublishRelay<Int>()
    let inners = (0..<3).map { _ in BehaviorRelay(value: 0) }
    let drivers = outer.asDriver().map { inners[$0].asDriver() }
    let recorders = (0..<3).map { _ in Recorder<Int>() }
    let bag = DisposeBag()
    drivers.switchLatest().drive(recorders[0]).disposed(by: bag)
    drivers.merge().drive(recorders[1]).disposed(by: bag)
    drivers.merge(maxConcurrent: 2).drive(recorders[2]).disposed(by: bag)
    for index in inners.indices { outer.accept(index) }
    for (index, inner) in inners.enumerated() { inner.accept(index + 1) }
    #expect(recorders.map(\.line) == ["0 0 0 3", "0 0 0 1 2 3", "0 0 1 2"])
    let latest = Driver.of(1, 2).map { Driver.of($0, $0 * 10) }
    #expect(line(latest.switchLatest()) == "1 10 2 20 |")
    #expect(line(latest.merge()) == "1 10 2 20 |")
  }

  @Test func keysMayBeComparedByAClosure() {
    let words = Driver.of("a", "b", "cc", "dd", "e")
    #expect(line(words.distinctUntilChanged({ $0.count }, comparer: { $0 == $1 })) == "a cc e |")
  }

  @Test func doSeesEverythingOnItsWay() {
    var seen: [String] = []
    let driver = Driver.just(1).do(
      onNext: { seen.append("next \($0)") }, afterNext: { seen.append("after \($0)") },
      onCompleted: { seen.append("completed") }, afterCompleted: { seen.append("after completed") },
      onSubscribe: { seen.append("subscribe") }, onSubscribed: { seen.append("subscribed") })
    _ = driver.drive(onNext: { seen.append("\($0)") })
    #expect(
      seen == [
        "subscribe", "next 1", "1", "after 1", "completed", "after completed", "subscribed",
      ])
  }

  @Test func timeRunsOnTheMainQueue() async {
    let ticks = AsyncStream<Int>.makeStream()
    let driver = Driver<Int>.interval(.milliseconds(1)).throttle(.nanoseconds(1))
      .delay(.nanoseconds(1))
    let debounced = Driver<Int>.timer(.nanoseconds(1), period: .seconds(3600))
      .debounce(.nanoseconds(1))
    let bag = DisposeBag {
      driver.drive(onNext: { ticks.continuation.yield($0) })
      debounced.drive(onNext: { ticks.continuation.yield(100 + $0) })
    }
    var seen: Set<Int> = []
    for await tick in ticks.stream {
      MainActor.assertIsolated()
      seen.insert(tick)
      if seen.isSuperset(of: [0, 100]) { break }
    }
    withExtendedLifetime(bag) {}
  }
}
