import Observation
import Reactive
import ReactiveTestSupport
import Testing

@Suite("Observed models", .accounted)
@MainActor
struct ObservationTests {
  @Observation.Observable
  final class Model {
    var title = "a"
    var count = 0
    var note: String?
  }

  @Test func assignsOnTheMainActor() async {
    let model = Model()
    let titles = PublishSubject<String>()
    let bag = DisposeBag()
    titles.assign(to: \.title, on: model).disposed(by: bag)
    titles.map { "note \($0)" }.assign(to: \.note, on: model).disposed(by: bag)
    titles.onNext("b")
    #expect(model.title == "b")
    #expect(model.note == "note b")
    inParallel(1) { _ in titles.onNext("c") }
    #expect(model.title == "b")
    await nextTurn()
    #expect(model.title == "c")
  }

  @Test func assigningKeepsNoObjectAlive() {
    weak var gone: Model?
    let titles = PublishSubject<String>()
    let subscription: any Disposable
    do {
      let model = Model()
      gone = model
      subscription = titles.assign(to: \.title, on: model)
    }
    #expect(gone == nil)
    titles.onNext("b")
    subscription.dispose()
  }

  @Test func sendsWhatIsReadNowAndOncePerTurnAfterwards() async {
    let model = Model()
    let recorder = Recorder<String>()
    let subscription = Reactive.Observable.observing { "\(model.title)\(model.count)" }
      .subscribe(recorder)
    #expect(recorder.line == "a0")
    model.title = "b"
    model.count = 1
    #expect(recorder.line == "a0")
    await nextTurn()
    #expect(recorder.line == "a0 b1")
    model.count = 2
    await nextTurn()
    #expect(recorder.line == "a0 b1 b2")
    subscription.dispose()
    model.count = 3
    await nextTurn()
    #expect(recorder.line == "a0 b1 b2")
  }

  @Test func disposalLetsGoOfTheChainBeforeTheNextChange() {
    let model = Model()
    weak var captured: Witness?
    let subscription: any Disposable
    do {
      let witness = Witness()
      captured = witness
      subscription = Reactive.Observable.observing { model.count }
        .subscribe(onNext: { _ in witness.touch() })
    }
    #expect(captured != nil)
    subscription.dispose()
    #expect(captured == nil)
    withExtendedLifetime(model) {}
  }

  @Test func aModelThatGoesAwayTakesTheChainAlong() async {
    weak var captured: Witness?
    let subscription: any Disposable
    do {
      let model = Model()
      let witness = Witness()
      captured = witness
      subscription = Reactive.Observable.observing { [weak model] in model?.count ?? 0 }
        .subscribe(onNext: { _ in witness.touch() })
    }
    #expect(captured == nil)
    subscription.dispose()
  }

  /// Waits until the main queue did what was scheduled there.
  private func nextTurn() async {
    await withCheckedContinuation { continuation in
      _ = MainScheduler.asyncInstance.schedule(()) {
        continuation.resume()
        return Disposables.create()
      }
    }
  }
}
