import Presentation
import Reactive
import ReactiveTesting
import ReactiveTestSupport
import Testing

private enum Intent: Equatable, Sendable {
  case load(Int)
  case loaded(Int)
  case stop
  case both
}

@Suite("Effect", .accounted)
struct EffectTests {
  private let bag = DisposeBag()
  private let first = PublishSubject<Intent>()
  private let second = PublishSubject<Intent>()

  /// A store whose state is what was loaded; loading 1 and 2 is answered by the subjects.
  private func makeStore(
    id: EffectID? = "load", policy: EffectPolicy = .latest
  ) -> IntentStore<[Int], Intent> {
    let sources = [1: first, 2: second]
    return IntentStore([]) { loaded, intent in
      switch intent {
      case .load(let number):
        return .run(sources[number] ?? .empty(), id: id, policy: policy)
      case .loaded(let number): loaded.append(number)
      case .stop: return .cancel("load")
      case .both: return .merge(.send(.loaded(8)), .none, .send(.loaded(9)))
      }
      return .none
    }
  }

  @Test func whatWorkSendsGoesBackIntoTheStore() {
    let store = makeStore()
    store.send(.load(1))
    first.onNext(.loaded(1))
    first.onNext(.loaded(10))
    #expect(store.state == [1, 10])
  }

  @Test func theLatestWorkOfANameStopsTheOneBefore() {
    let store = makeStore()
    store.send(.load(1))
    store.send(.load(2))
    #expect(!first.hasObservers)
    first.onNext(.loaded(1))
    second.onNext(.loaded(2))
    #expect(store.state == [2])
  }

  @Test func theOneBeforeIsStoppedBeforeTheNextOneIsSubscribed() {
    let log = Recorder<String>()
    let store = IntentStore<Int, Int>(0) { _, number in
      .run(
        .create { _ in
          log.on(.next("begin \(number)"))
          return Disposables.create { log.on(.next("stop \(number)")) }
        }, id: "one")
    }
    store.send(1)
    store.send(2)
    #expect(log.elements == ["begin 1", "stop 1", "begin 2"])
  }

  @Test func workIsDroppedWhileTheFirstOfItsNameRuns() {
    let store = makeStore(policy: .first)
    store.send(.load(1))
    store.send(.load(2))
    #expect(!second.hasObservers)
    first.onCompleted()
    store.send(.load(2))
    second.onNext(.loaded(2))
    #expect(store.state == [2])
  }

  @Test func workWithoutANameRunsBesideAllOther() {
    let store = makeStore(id: nil)
    store.send(.load(1))
    store.send(.load(2))
    first.onNext(.loaded(1))
    second.onNext(.loaded(2))
    #expect(store.state == [1, 2])
  }

  @Test func cancellingStopsTheWorkOfANameAndIsHarmlessWithout() {
    let store = makeStore()
    store.send(.stop)
    store.send(.load(1))
    store.send(.stop)
    #expect(!first.hasObservers)
    first.onNext(.loaded(1))
    #expect(store.state == [])
  }

  @Test func anIntentThatWaitedWhenItsWorkWasReplacedIsDropped() {
    // The search for "a" answers while the intent to search for "b" is being handled: the answer
    // waits its turn, and by then nobody wants it any more.
    let answers = first
    let store = IntentStore<[String], String>([]) { seen, intent in
      seen.append(intent)
      switch intent {
      case "a": return .run(answers.map { _ in "stale" }, id: "search")
      case "b":
        answers.onNext(.stop)
        return .run(.never(), id: "search")
      default: return .none
      }
    }
    store.send("a")
    store.send("b")
    #expect(store.state == ["a", "b"])
  }

  @Test func severalEffectsHappenInOrder() {
    let store = makeStore()
    store.send(.both)
    #expect(store.state == [8, 9])
  }

  @Test func aNewStateIsPublishedBeforeItsEffectsBegin() {
    let log = Recorder<String>()
    let store = IntentStore<Int, Int>(0) { state, intent in
      state = intent
      return .run(
        .deferred {
          log.on(.next("effect \(intent)"))
          return .empty()
        })
    }
    store.states.subscribe(onNext: { log.on(.next("state \($0)")) }).disposed(by: bag)
    store.send(1)
    #expect(log.elements == ["state 0", "state 1", "effect 1"])
  }

  @Test func mappedEffectsKeepTheirNames() {
    let source = first
    let store = IntentStore<Int, String>(0) { count, intent in
      switch intent {
      case "load": return Effect<Intent>.run(source, id: "x").map { "\($0)" }
      case "stop": return Effect<Intent>.cancel("x").map { "\($0)" }
      default:
        count += 1
        return .none
      }
    }
    store.send("load")
    source.onNext(.both)
    #expect(store.state == 1)
    store.send("stop")
    #expect(!source.hasObservers)
  }

  @Test func endedWorkLeavesNothingBehind() throws {
    try withLeakCheck {
      let store = makeStore()
      for _ in 0..<100 { store.send(.load(3)) }
      store.send(.load(1))
      first.onCompleted()
      let total = store.state.count
      #expect(total == 0)
    }
  }

  @Test func namesAreEqualWhenTheirValuesAre() {
    #expect(EffectID(1) == EffectID(1))
    #expect(EffectID("a") == "a")
    #expect(EffectID(1) != EffectID("1"))
  }
}
