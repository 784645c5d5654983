import Presentation
import Reactive
import Testing

private struct Renamed: EventProtocol { let payload: String }

/// The model of one group, as the MVC apps write theirs.
private final class GroupModel: Sendable {
  let name = Publishable(wrappedValue: "")
}

private protocol GroupView: RootView {
  var drawn: [String] { get }
}

/// A view that keeps what it draws, and emits what a user would do.
private final class RecordingGroupView: GroupView {
  let model: GroupModel
  let bus: EventBus
  private(set) var drawn: [String] = []
  private(set) var built = 0

  init(_ model: GroupModel, _ bus: EventBus) {
    self.model = model
    self.bus = bus
  }

  func initializeUI() {
    built += 1
    model.name.subscribe(by: self, immediate: true) { (view, changes) in
      view.drawn.append(changes.new)
    }
  }

  func typeName(_ name: String) { bus.emit(Renamed(payload: name)) }
}

private final class GroupController<View: GroupView>: TypedController<View> {
  private let model: GroupModel

  init(view: View, model: GroupModel, bus: EventBus) {
    self.model = model
    super.init(view: view, bus: bus)
  }

  override func viewDidLoad() {
    bus.on(Renamed.self, by: self) { (controller, name) in
      controller.model.name.wrappedValue = name
    }
  }
}

@Suite("TypedController")
struct TypedControllerTests {
  private let bus = EventBus()
  private let model = GroupModel()

  @Test func loadingBuildsTheViewOnceAndThenBegins() {
    let view = RecordingGroupView(model, bus)
    let controller = GroupController(view: view, model: model, bus: bus)
    #expect(view.built == 0)
    controller.loadView()
    controller.loadView()
    #expect(controller.typedView.built == 1)
    view.typeName("Home")
    #expect(view.drawn == ["", "Home"])
  }

  @Test func bothStartUpOrdersGiveTheSamePicture() {
    // The model is filled first, and the view subscribes then.
    let early = GroupModel()
    early.name.wrappedValue = "Home"
    let late = RecordingGroupView(early, bus)
    GroupController(view: late, model: early, bus: EventBus()).loadView()
    // The view subscribes first, and the model is filled then.
    let first = RecordingGroupView(model, bus)
    GroupController(view: first, model: model, bus: EventBus()).loadView()
    model.name.wrappedValue = "Home"
    #expect(late.drawn.last == "Home" && first.drawn.last == "Home")
  }

  @Test func aControllerThatIsGoneHearsNothing() {
    let view = RecordingGroupView(model, bus)
    var controller: GroupController<RecordingGroupView>? = GroupController(
      view: view, model: model, bus: bus)
    controller?.loadView()
    let weak = WeakRef(controller)
    controller = nil
    #expect(weak.value == nil)
    view.typeName("Home")
    #expect(view.drawn == [""])
  }
}
