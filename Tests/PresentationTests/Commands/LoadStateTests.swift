import Presentation
import Reactive
import ReactiveTestSupport
import Testing

@Suite("LoadState", .accounted)
struct LoadStateTests {
  private let bag = DisposeBag()
  private let broken = PresentableError(Refusal.broken)

  @Test func aValueThatWasLoadedStaysToBeShown() {
    let loaded = LoadState.loaded(1)
    #expect(loaded.loading() == .loading(stale: 1))
    #expect(loaded.loading().failing(with: Refusal.broken) == .failed(broken, stale: 1))
    #expect(loaded.loading().failing(with: Refusal.broken).loading().value == 1)
    #expect(LoadState<Int>.idle.loading().value == nil)
  }

  @Test func itSaysWhetherItLoadsAndWhyItFailed() {
    #expect(LoadState<Int>.loading(stale: nil).isLoading && !LoadState.loaded(1).isLoading)
    #expect(LoadState<Int>.failed(broken, stale: nil).error == broken)
    #expect(LoadState.loaded(1).error == nil && LoadState<Int>.idle.error == nil)
  }

  @Test func loadingIsToldStepByStepAndAnErrorEndsNothing() {
    let requests = PublishSubject<Bool>()
    let states = requests.loadStates { $0 ? .just(7) : Observable<Int>.error(Refusal.broken) }
      .recorded(in: bag)
    requests.onNext(false)
    requests.onNext(true)
    requests.onNext(false)
    #expect(
      states.elements == [
        .idle, .loading(stale: nil), .failed(broken, stale: nil), .loading(stale: nil), .loaded(7),
        .loading(stale: 7), .failed(broken, stale: 7),
      ])
    #expect(!states.hasEnded)
  }

  @Test func aRequestWhileOneIsLoadedBeginsAnew() {
    let requests = PublishSubject<Int>()
    let answers = [1: PublishSubject<String>(), 2: PublishSubject<String>()]
    let states = requests.loadStates { answers[$0] ?? .empty() }.recorded(in: bag)
    requests.onNext(1)
    requests.onNext(2)
    answers[1]?.onNext("late")
    answers[2]?.onNext("right")
    #expect(states.elements.last == .loaded("right"))
    #expect(!states.elements.contains(.loaded("late")))
  }

  @Test func aLiveValueIsLoadedAgainWithEveryElement() {
    let values = PublishSubject<Int>()
    let states = Observable<Void>.never().startWith(()).loadStates { values }.recorded(in: bag)
    values.onNext(1)
    values.onNext(2)
    #expect(states.elements.suffix(2) == [.loaded(1), .loaded(2)])
  }
}
