import Presentation
import Reactive
import ReactiveTestSupport
import Testing

private protocol NameView: AnyObject {
  func show(_ text: String)
}

/// A view that keeps what it is told to show.
private final class RecordingView: NameView {
  private(set) var shown: [String] = []

  func show(_ text: String) { shown.append(text) }
}

private final class NamePresenter: Presenter<any NameView> {
  private let names: Observable<String>

  init(_ names: Observable<String>) {
    self.names = names
  }

  override func viewDidLoad() {
    names.subscribe(with: self, onNext: { presenter, name in presenter.view?.show(name) })
      .disposed(by: bag)
  }
}

@Suite("Presenter", .accounted)
struct PresenterTests {
  private let names = BehaviorSubject(value: "Ada")

  @Test func attachingAViewBegins() {
    let view = RecordingView()
    let presenter = NamePresenter(names)
    #expect(presenter.view == nil)
    presenter.attach(view)
    names.onNext("Grace")
    #expect(view.shown == ["Ada", "Grace"])
  }

  @Test func theViewIsHeldWeakly() {
    let presenter = NamePresenter(names)
    var view: RecordingView? = RecordingView()
    if let view { presenter.attach(view) }
    let weak = WeakRef(view)
    view = nil
    #expect(weak.value == nil && presenter.view == nil)
    names.onNext("nobody sees it")
  }

  @Test func aDetachedViewIsToldNothing() {
    let view = RecordingView()
    let presenter = NamePresenter(names)
    presenter.attach(view)
    presenter.detach()
    names.onNext("Grace")
    #expect(view.shown == ["Ada"])
  }

  @Test func anotherViewTakesThePlaceOfTheFirstAndIsToldOnce() {
    let views = [RecordingView(), RecordingView()]
    let presenter = NamePresenter(names)
    for view in views { presenter.attach(view) }
    names.onNext("Grace")
    #expect(views.map(\.shown) == [["Ada"], ["Ada", "Grace"]])
  }

  @Test func subscriptionsEndWithThePresenter() {
    let view = RecordingView()
    var presenter: NamePresenter? = NamePresenter(names)
    presenter?.attach(view)
    #expect(names.hasObservers)
    presenter = nil
    #expect(!names.hasObservers)
  }

  @Test func aViewThatIsNoObjectIsRefused() async {
    await #expect(processExitsWith: .failure) { Presenter<Int>().attach(1) }
  }
}
