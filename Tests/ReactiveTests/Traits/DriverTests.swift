import Dispatch
import Reactive
import ReactiveTestSupport
import Testing
import TestSupport

@MainActor
@Suite(.accounted)
struct DriverTests {
  @Test func itDeliversAtOnceOnTheMainActorAndReplaysTheLatest() {
    let relay = BehaviorRelay(value: 1)
    let driver = relay.asDriver().map { $0 * 10 }
    var received: [Int] = []
    let bag = DisposeBag()
    driver.drive(onNext: { received.append($0) }).disposed(by: bag)
    relay.accept(2)
    driver.drive(onNext: { received.append($0 + 1) }).disposed(by: bag)
    #expect(received == [10, 20, 21])
  }

  @Test func driversShareOneSubscription() {
    let subscriptions = Counter()
    let source = PublishSubject<Int>()
    let driver = source.do(onSubscribe: { subscriptions.increment() })
      .asDriver(onErrorJustReturn: -1)
    let bag = DisposeBag {
      driver.drive()
      driver.map { $0 }.drive()
    }
    #expect(subscriptions.value == 1)
    withExtendedLifetime(bag) {}
  }

  @Test func anErrorIsTurnedIntoElements() {
    let recorder = Recorder<Int>()
    let failing = Observable<Int>.error(Failure.first)
    _ = failing.asDriver(onErrorJustReturn: 1).drive(recorder)
    _ = failing.asDriver(onErrorDriveWith: .of(2, 3)).drive(recorder)
    _ = failing.asDriver(onErrorRecover: { error in .just(error is Failure ? 4 : 5) })
      .drive(recorder)
    #expect(recorder.line == "1 | 2 3 | 4 |")
  }

  @Test func whatComesFromAnotherThreadIsDeliveredOnTheMainActor() async {
    let source = PublishSubject<Int>()
    let ends = AsyncStream<Void>.makeStream()
    var received: [Int] = []
    let subscription = source.asDriver(onErrorJustReturn: -1).map { element in
      MainActor.assertIsolated()
      return element
    }.drive(onNext: { received.append($0) }, onCompleted: { ends.continuation.yield() })
    await Task.detached {
      for element in 1...3 { source.onNext(element) }
      source.onCompleted()
    }.value
    for await _ in ends.stream { break }
    #expect(received == [1, 2, 3])
    subscription.dispose()
  }

  @Test func drivenFromAnotherThreadItIsSubscribedOnTheMainActor() async {
    let relay = BehaviorRelay(value: 1)
    let driver = relay.asDriver().map { element in
      MainActor.assertIsolated()
      return element
    }
    // Somebody drives it already, so that the next one gets a replayed element.
    let first = driver.drive()
    let received = AsyncStream<Int>.makeStream()
    let disposed = AsyncStream<Void>.makeStream()
    let second = await Task.detached {
      driver.drive(
        onNext: {
          MainActor.assertIsolated()
          received.continuation.yield($0)
        }, onDisposed: { disposed.continuation.yield() })
    }.value
    for await element in received.stream {
      #expect(element == 1)
      break
    }
    await Task.detached { second.dispose() }.value
    for await _ in disposed.stream { break }
    first.dispose()
    // A subscription disposed elsewhere is released on the main actor.
    await Task.yield()
    await mainQueueIsDrained()
  }

  @Test func nothingIsDeliveredAfterDisposalOnTheMainActor() {
    let source = PublishSubject<Int>()
    var received: [Int] = []
    let subscription = source.asDriver(onErrorJustReturn: -1)
      .drive(onNext: { received.append($0) })
    source.onNext(1)
    subscription.dispose()
    source.onNext(2)
    #expect(received == [1])
    #expect(!source.hasObservers)
  }

  @Test func driveWithKeepsNoObjectAlive() {
    let source = PublishSubject<Int>()
    let journal = Journal()
    var object: Witness? = Witness()
    let bag = DisposeBag()
    if let object {
      source.asDriver(onErrorJustReturn: -1)
        .drive(with: object, onNext: { _, element in journal.write("\(element)") })
        .disposed(by: bag)
    }
    source.onNext(1)
    object = nil
    source.onNext(2)
    #expect(journal.line == "1")
  }

  @Test func relaysAndObserversAreDriven() {
    let (behavior, publish) = (BehaviorRelay(value: 0), PublishRelay<Int>())
    let optional = BehaviorRelay<Int?>(value: nil)
    let recorder = Recorder<Int>()
    let optionals = Recorder<Int?>()
    let published = Recorder<Int>()
    let bag = DisposeBag()
    publish.subscribe(published).disposed(by: bag)
    let driver = Driver.of(1, 2)
    _ = driver.drive(behavior)
    _ = driver.drive(publish)
    _ = driver.drive(optional)
    _ = driver.drive(recorder, recorder)
    _ = driver.drive(optionals)
    #expect(behavior.value == 2 && optional.value == 2)
    #expect(published.line == "1 2" && recorder.line == "1 1 2 2 | |")
    #expect(optionals.elements == [1, 2])
    #expect(driver.drive { _ in 7 } == 7)
  }

  /// Waits until the main queue did what was put into it before.
  private func mainQueueIsDrained() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume() }
    }
  }
}
