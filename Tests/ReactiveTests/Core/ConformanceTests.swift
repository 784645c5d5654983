import Dispatch
import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

/// Every protocol of the module takes a type of a user's own.
@Suite(.accounted)
struct ConformanceTests {
  @Test func aUsersObservableHasEveryOperator() {
    let recorder = Recorder<Int>()
    _ = Countdown(from: 3).map { $0 * 2 }.filter { $0 > 2 }.subscribe(recorder)
    _ = Observable.merge(Countdown(from: 1).asObservable(), .just(9)).subscribe(recorder)
    #expect(recorder.line == "6 4 | 1 9 |")
  }

  @Test func aUsersObserverIsSubscribedAndBound() {
    let sum = Adding()
    _ = Observable.of(1, 2).subscribe(sum)
    _ = Observable.of(3, 4).bind(to: sum)
    sum.asObserver().onNext(5)
    sum.onNext(6)
    #expect(sum.total.value == 6)
  }

  @Test func elementsReachAUsersObserverThroughItsFasterWay() {
    let journal = Journal()
    let observer = Forked(journal: journal)
    _ = Observable.just(1).subscribe(observer)
    _ = Observable.just(2).bind(to: observer)
    _ = Observable<Int>.just(3).bind(to: OptionallyForked(journal: journal))
    observer.asObserver().onNext(4)
    #expect(
      journal.line == "element(1) completed element(2) completed optional(3) completed element(4)")
  }

  @Test func aUsersSchedulerSaysWhetherEachEventTakesAStep() {
    for schedulesEachEvent in [false, true] {
      let clock = VirtualTimeScheduler()
      let steps = Counter()
      let scheduler = Counting(clock: clock, schedulesEachEvent: schedulesEachEvent, steps: steps)
      let recorder = Recorder<Int>()
      _ = Observable.of(1, 2).observe(on: scheduler).subscribe(recorder)
      clock.start()
      #expect(recorder.line == "1 2 |")
      #expect(steps.value == (schedulesEachEvent ? 3 : 1))
    }
  }

  @Test func aUsersDisposableGoesWhereAnyGoes() {
    let handle = Handle()
    do {
      let bag = DisposeBag()
      handle.disposed(by: bag)
      #expect(!handle.isDisposed)
    }
    #expect(handle.isDisposed)
    let second = Handle()
    _ = Observable<Int>.create { observer in
      observer.onCompleted()
      return second
    }.subscribe()
    #expect(second.isDisposed)
  }

  @Test func aUsersSchedulerRunsOperatorsAndRepeatsByItself() {
    let clock = VirtualTimeScheduler()
    let scheduler = Borrowed(clock: clock)
    let recorder = Recorder<Int>()
    let bag = DisposeBag()
    Observable<Int>.interval(.seconds(10), scheduler: scheduler).take(3)
      .delay(.seconds(1), scheduler: scheduler).observe(on: scheduler)
      .subscribe(recorder).disposed(by: bag)
    clock.start()
    #expect(recorder.line == "0 1 2 |")
    #expect(clock.clock >= 31)
  }

  @Test func aUsersImmediateSchedulerRunsWhatNeedsNoClock() {
    let recorder = Recorder<Int>()
    _ = Observable.of(1, 2, scheduler: AtOnce()).subscribe(on: AtOnce()).observe(on: AtOnce())
      .subscribe(recorder)
    #expect(recorder.line == "1 2 |")
  }

  @Test func aUsersRelayIsBoundAndDriven() {
    let relay = Doubling()
    let recorder = Recorder<Int>()
    let subscription = relay.subscribe(recorder)
    _ = Observable.of(1, 2).bind(to: relay)
    #expect(recorder.line == "2 4")
    subscription.dispose()
  }
}

private struct Countdown: ObservableType {
  typealias Element = Int

  private let start: Int

  init(from start: Int) { self.start = start }

  func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
  where Observer.Element == Int {
    for element in (1...start).reversed() { observer.onNext(element) }
    observer.onCompleted()
    return Disposables.create()
  }
}

private final class Adding: ObserverType, Sendable {
  let total = Counter()

  func on(_ event: Event<Int>) {
    if event.element != nil { total.increment() }
  }
}

private struct Forked: ObserverType {
  let journal: Journal

  func on(_ event: Event<Int>) { journal.write("\(event)") }

  func onNext(_ element: Int) { journal.write("element(\(element))") }
}

private struct OptionallyForked: ObserverType {
  let journal: Journal

  func on(_ event: Event<Int?>) { journal.write("\(event)") }

  func onNext(_ element: Int?) { journal.write("optional(\(element ?? 0))") }
}

private struct Counting: ImmediateSchedulerType {
  let clock: VirtualTimeScheduler
  let schedulesEachEvent: Bool
  let steps: Counter

  func schedule<State: Sendable>(
    _ state: State, action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    steps.increment()
    return clock.schedule(state, action: action)
  }
}

private final class Handle: Cancelable {
  private let flag = BooleanDisposable()

  var isDisposed: Bool { flag.isDisposed }

  func dispose() { flag.dispose() }
}

private struct Borrowed: SchedulerType {
  let clock: VirtualTimeScheduler

  var now: RxTime { clock.now }

  func schedule<State: Sendable>(
    _ state: State, action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    clock.schedule(state, action: action)
  }

  func scheduleRelative<State: Sendable>(
    _ state: State, dueTime: RxTimeInterval,
    action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    clock.scheduleRelative(state, dueTime: dueTime, action: action)
  }
}

private struct AtOnce: ImmediateSchedulerType {
  func schedule<State: Sendable>(
    _ state: State, action: @escaping @Sendable (State) -> any Disposable
  ) -> any Disposable {
    action(state)
  }
}

private final class Doubling: RelayType, Sendable {
  typealias Element = Int

  private let relay = PublishRelay<Int>()

  func accept(_ event: Int) { relay.accept(event * 2) }

  func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
  where Observer.Element == Int {
    relay.subscribe(observer)
  }
}
