internal import Reactive

/// Reactive as its users write it.
package enum ReactiveStreams: StreamLibrary {
  package static let name = "reactive"
  package static let version = "this clone"

  package static func subject(subscribers: Int, _ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    let subject = PublishSubject<Int>()
    let bag = DisposeBag()
    for _ in 0..<subscribers {
      subject.subscribe(onNext: { sum.add($0) }).disposed(by: bag)
    }
    meter.measure { for element in 0..<count { subject.onNext(element) } }
    return withExtendedLifetime(bag) { sum.value }
  }

  package static func subjectChain(_ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    let subject = PublishSubject<Int>()
    let bag = DisposeBag()
    subject.map { $0 &+ 1 }.filter { $0 & 3 != 0 }.map { $0 &* 2 }
      .subscribe(onNext: { sum.add($0) }).disposed(by: bag)
    meter.measure { for element in 0..<count { subject.onNext(element) } }
    return withExtendedLifetime(bag) { sum.value }
  }

  package static func rangeChain(_ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    meter.measure {
      _ = Observable.range(start: 0, count: count)
        .map { $0 &+ 1 }.filter { $0 & 3 != 0 }.map { $0 &* 2 }
        .subscribe(onNext: { sum.add($0) })
    }
    return sum.value
  }

  package static func longChain(_ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    let subject = PublishSubject<Int>()
    let bag = DisposeBag()
    twelve(subject).subscribe(onNext: { sum.add($0) }).disposed(by: bag)
    meter.measure { for element in 0..<count { subject.onNext(element) } }
    return withExtendedLifetime(bag) { sum.value }
  }

  package static func longChainBuilt(_ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    let subject = PublishSubject<Int>()
    meter.measure {
      for _ in 0..<count { twelve(subject).subscribe(onNext: { sum.add($0) }).dispose() }
    }
    return sum.value
  }

  package static func currentValue(_ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    let relay = BehaviorRelay(value: 0)
    let bag = DisposeBag()
    relay.asObservable().subscribe(onNext: { sum.add($0) }).disposed(by: bag)
    meter.measure { for element in 0..<count { relay.accept(element) } }
    return withExtendedLifetime(bag) { sum.value }
  }

  package static func combineLatest(_ meter: Meter, _ count: Int) -> Int? {
    let sum = Sum()
    let (first, second) = (PublishSubject<Int>(), PublishSubject<Int>())
    let bag = DisposeBag()
    Observable.combineLatest(first, second) { $0 &+ $1 }
      .subscribe(onNext: { sum.add($0) }).disposed(by: bag)
    second.onNext(0)
    meter.measure {
      for element in 0..<count {
        if element & 1 == 0 { first.onNext(element) } else { second.onNext(element) }
      }
    }
    return withExtendedLifetime(bag) { sum.value }
  }

  package static func zip(_ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    let (first, second) = (PublishSubject<Int>(), PublishSubject<Int>())
    let bag = DisposeBag()
    Observable.zip(first, second) { $0 &+ $1 }
      .subscribe(onNext: { sum.add($0) }).disposed(by: bag)
    meter.measure {
      for element in 0..<count {
        first.onNext(element)
        second.onNext(element)
      }
    }
    return withExtendedLifetime(bag) { sum.value }
  }

  package static func flatMapJust(_ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    let subject = PublishSubject<Int>()
    let bag = DisposeBag()
    subject.flatMap { Observable.just($0) }.subscribe(onNext: { sum.add($0) }).disposed(by: bag)
    meter.measure { for element in 0..<count { subject.onNext(element) } }
    return withExtendedLifetime(bag) { sum.value }
  }

  package static func flatMapLatestJust(_ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    let subject = PublishSubject<Int>()
    let bag = DisposeBag()
    subject.flatMapLatest { Observable.just($0) }
      .subscribe(onNext: { sum.add($0) }).disposed(by: bag)
    meter.measure { for element in 0..<count { subject.onNext(element) } }
    return withExtendedLifetime(bag) { sum.value }
  }

  package static func shareReplay(_ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    let subject = PublishSubject<Int>()
    let shared = subject.share(replay: 1)
    let bag = DisposeBag()
    for _ in 0..<2 { shared.subscribe(onNext: { sum.add($0) }).disposed(by: bag) }
    meter.measure { for element in 0..<count { subject.onNext(element) } }
    return withExtendedLifetime(bag) { sum.value }
  }

  package static func subscription(_ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    let subject = PublishSubject<Int>()
    meter.measure {
      for _ in 0..<count { subject.subscribe(onNext: { sum.add($0) }).dispose() }
    }
    return sum.value
  }

  package static func chainSubscription(_ meter: Meter, _ count: Int) -> Int {
    let sum = Sum()
    let subject = PublishSubject<Int>()
    let chain = subject.map { $0 &+ 1 }.filter { $0 & 3 != 0 }
    meter.measure {
      for _ in 0..<count { chain.subscribe(onNext: { sum.add($0) }).dispose() }
    }
    return sum.value
  }

  private static func twelve(_ source: Observable<Int>) -> Observable<Int> {
    source
      .map { $0 &+ 1 }.filter { $0 & 7 != 0 }.map { $0 &+ 2 }.filter { $0 & 15 != 0 }
      .map { $0 &+ 3 }.filter { $0 & 31 != 0 }.map { $0 &+ 4 }.filter { $0 & 63 != 0 }
      .map { $0 &+ 5 }.filter { $0 & 127 != 0 }.map { $0 &+ 6 }.filter { $0 & 255 != 0 }
  }
}
