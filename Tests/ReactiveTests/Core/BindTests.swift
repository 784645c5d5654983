import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct BindTests {
  @Test func sendsEverythingToEveryObserver() {
    let recorders = [Recorder<Int>(), Recorder<Int>()]
    _ = Observable.of(1, 2).bind(to: recorders[0], recorders[1])
    #expect(recorders.map(\.line) == ["1 2 |", "1 2 |"])
  }

  @Test func fillsObserversAndRelaysOfOptionals() {
    let recorder = Recorder<Int?>()
    let relay = BehaviorRelay<Int?>(value: nil)
    _ = Observable.just(1).bind(to: recorder)
    _ = Observable.just(2).bind(to: relay)
    #expect(recorder.elements == [1])
    #expect(relay.value == 2)
  }

  @Test func callsAClosure() {
    let journal = Journal()
    let object = Witness()
    _ = Observable.of(1, 2).bind(onNext: { journal.write("\($0)") })
    _ = Observable.just(3).bind(with: object, onNext: { journal.write("\($1) \($0 === object)") })
    #expect(journal.line == "1 2 3 true")
  }

  @Test func handsTheSequenceToAFunction() {
    let recorder = Recorder<Int>()
    func binder(_ source: Observable<Int>) -> any Disposable { source.subscribe(recorder) }
    _ = Observable.just(1).bind(to: binder)
    #expect(recorder.line == "1 |")
  }
}
