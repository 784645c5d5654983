import Presentation
import Reactive
import ReactiveTesting
import ReactiveTestSupport
import Testing
import TestSupport

@Suite("Command", .accounted)
struct CommandTests {
  private let bag = DisposeBag()

  @Test func whatTheWorkSendsIsAValue() {
    let command = Command<Int, Int> { .of($0, $0 * 2) }
    let values = command.values.recorded(in: bag)
    command.execute(1)
    command.execute(5)
    #expect(values.elements == [1, 2, 5, 10])
  }

  @Test func whatIsAskedForWhileItIsBusyIsDropped() {
    let work = PublishSubject<Int>()
    let calls = Counter()
    let command = Command<Int, Int> { _ in
      calls.increment()
      return work
    }
    command.execute(1)
    command.execute(2)
    #expect(calls.value == 1)
    work.onCompleted()
    command.execute(3)
    #expect(calls.value == 2)
  }

  @Test func executingFromWithinAValueIsTheSameWorkStill() {
    let calls = Counter()
    let command = Command<Int, Int> { number in
      calls.increment()
      return .just(number)
    }
    command.values.subscribe(onNext: { [weak command] in command?.execute($0 + 1) })
      .disposed(by: bag)
    command.execute(1)
    #expect(calls.value == 1)
  }

  @Test func itSaysWhetherItIsExecutingAndWhetherItCanBe() {
    let work = PublishSubject<Int>()
    let command = Command<Void, Int> { work }
    let executing = command.isExecuting.recorded(in: bag)
    let enabled = command.isEnabled.recorded(in: bag)
    command.execute()
    work.onNext(1)
    work.onCompleted()
    #expect(executing.elements == [false, true, false])
    #expect(enabled.elements == [true, false, true])
  }

  @Test func whatIsAskedForWhileItIsNotEnabledIsDropped() {
    let isAllowed = PublishSubject<Bool>()
    let calls = Counter()
    let command = Command<Void, Int>(isEnabled: isAllowed) {
      calls.increment()
      return .empty()
    }
    let enabled = command.isEnabled.recorded(in: bag)
    command.execute()
    isAllowed.onNext(true)
    command.execute()
    isAllowed.onNext(false)
    command.execute()
    #expect(calls.value == 1)
    #expect(enabled.elements == [false, true, false, true, false])
  }

  @Test func anErrorIsAnElementAndTheCommandLivesOn() {
    let command = Command<Bool, Int> { $0 ? .error(Refusal.broken) : .just(1) }
    let errors = command.errors.recorded(in: bag)
    let values = command.values.recorded(in: bag)
    let executing = command.isExecuting.recorded(in: bag)
    command.execute(true)
    command.execute(false)
    #expect(errors.elements == [PresentableError(Refusal.broken)])
    #expect(values.elements == [1] && !values.hasEnded && !errors.hasEnded)
    #expect(executing.elements == [false, true, false, true, false])
  }

  @Test func ofManyThreadsThatAskAtOnceOneIsHeard() async {
    let work = PublishSubject<Int>()
    let calls = Counter()
    let command = Command<Void, Int> {
      calls.increment()
      return work
    }
    await withTaskGroup { group in
      for _ in 0..<32 { group.addTask { command.execute() } }
    }
    #expect(calls.value == 1)
    work.onCompleted()
  }

  @Test func whatRunsIsStoppedWithTheCommand() {
    let work = PublishSubject<Int>()
    var command: Command<Void, Int>? = Command { work }
    command?.execute()
    #expect(work.hasObservers)
    command = nil
    #expect(!work.hasObservers)
  }
}
