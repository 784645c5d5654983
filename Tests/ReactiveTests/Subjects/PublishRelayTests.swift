import Reactive
import ReactiveTestSupport
import Testing

@Suite(.accounted)
struct PublishRelayTests {
  @Test func itSendsWhatItAcceptsToThoseWhoAreSubscribed() {
    let relay = PublishRelay<Int>()
    let recorders = [Recorder<Int>(), Recorder<Int>()]
    let bag = DisposeBag()
    relay.accept(1)
    relay.subscribe(recorders[0]).disposed(by: bag)
    relay.accept(2)
    relay.asObservable().subscribe(recorders[1]).disposed(by: bag)
    relay.accept(3)
    #expect(recorders.map(\.line) == ["2 3", "3"])
  }

  @Test func aSequenceIsBoundToSeveral() {
    let relays = [PublishRelay<Int>(), PublishRelay<Int>()]
    let optional = PublishRelay<Int?>()
    let recorder = Recorder<Int>()
    let optionals = Recorder<Int?>()
    let bag = DisposeBag()
    for relay in relays { relay.subscribe(recorder).disposed(by: bag) }
    optional.subscribe(optionals).disposed(by: bag)
    _ = Observable.of(1, 2).bind(to: relays[0], relays[1])
    _ = Observable.just(3).bind(to: optional)
    #expect(recorder.line == "1 1 2 2")
    #expect(optionals.elements == [3])
  }
}
