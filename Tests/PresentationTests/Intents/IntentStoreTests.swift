import Presentation
import Reactive
import ReactiveTesting
import ReactiveTestSupport
import Testing

private enum CounterIntent: Equatable, Sendable {
  case add(Int)
  case reset
}

private func makeCounter() -> IntentStore<Int, CounterIntent> {
  IntentStore(0) { count, intent in
    switch intent {
    case .add(let amount): count += amount
    case .reset: count = 0
    }
    return .none
  }
}

@Suite("IntentStore", .accounted)
struct IntentStoreTests {
  private let bag = DisposeBag()

  @Test func intentsChangeTheStateInTheOrderInWhichTheyAreSent() {
    let store = makeCounter()
    let states = store.states.recorded(in: bag)
    store.send(.add(2))
    store.send(.add(3))
    store.send(.reset)
    #expect(states.elements == [0, 2, 5, 0])
    #expect(store.state == 0)
  }

  @Test func whoeverSubscribesLateGetsTheStateFirstAndOnce() {
    let store = makeCounter()
    store.send(.add(7))
    let late = store.states.recorded(in: bag)
    store.send(.add(1))
    #expect(late.elements == [7, 8])
  }

  @Test func aStateIsPublishedForEveryIntentAlsoWhenItIsEqual() {
    let store = makeCounter()
    let states = store.states.recorded(in: bag)
    store.send(.add(0))
    #expect(states.elements == [0, 0])
  }

  @Test func reentrantSendsAreQueuedAndAllObserversSeeOneOrder() {
    let store = makeCounter()
    let first = Recorder<Int>()
    let second = Recorder<Int>()
    store.states.subscribe(onNext: { [weak store] count in
      first.on(.next(count))
      if count == 1 { store?.send(.add(10)) }
    }).disposed(by: bag)
    store.states.subscribe(second).disposed(by: bag)
    store.send(.add(1))
    #expect(first.elements == [0, 1, 11])
    #expect(second.elements == [0, 1, 11])
  }

  @Test func aHundredThousandReentrantSendsDoNotGrowTheStack() {
    let store = makeCounter()
    store.states.subscribe(onNext: { [weak store] count in
      if count > 0, count < 100_000 { store?.send(.add(1)) }
    }).disposed(by: bag)
    store.send(.add(1))
    #expect(store.state == 100_000)
  }

  @Test func intentsFromManyThreadsAreAllHandledOneAtATime() async {
    let store = makeCounter()
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { for _ in 0..<1_000 { store.send(.add(1)) } }
      }
    }
    #expect(store.state == 8_000)
  }

  @Test func nothingIsLeftRunningWhenAStoreGoesAway() throws {
    try withLeakCheck {
      let source = PublishSubject<CounterIntent>()
      var store: IntentStore<Int, Bool>? = IntentStore(0) { _, _ in
        .run(source.map { _ in true })
      }
      store?.send(true)
      #expect(source.hasObservers)
      store = nil
      #expect(!source.hasObservers)
    }
  }

  @Test func aStoreIsFreedWhileItsStatesAreStillHeld() {
    var store: IntentStore<Int, CounterIntent>? = makeCounter()
    let weak = WeakRef(store)
    let states = store?.states
    store = nil
    #expect(weak.value == nil)
    #expect(states != nil)
  }
}

@Suite("IntentStore, shown by a test store", .accounted)
struct TestStoreTests {
  private struct Search: Equatable, Sendable {
    var text = ""
    var found: [String] = []
  }

  private enum Intent: Sendable {
    case type(String)
    case found([String])
  }

  @Test func everyStateOfAScreenCanBeForetold() throws {
    try withLeakCheck {
      let answers = PublishSubject<[String]>()
      let store = TestStore<Search, Intent>(Search()) { state, intent in
        switch intent {
        case .type(let text):
          state.text = text
          return .run(answers.map { .found($0) }, id: "search")
        case .found(let found):
          state.found = found
          return .none
        }
      }
      store.send(.type("a")) { $0.text = "a" }
      answers.onNext(["apple"])
      store.receive { $0.found = ["apple"] }
      store.expectNothing()
    }
  }
}
