import Presentation
import Reactive
import Testing
import TodoKit
import TodoScreens
import TodoTestSupport

final class NameList: GroupView {
  let model: GroupModel
  private(set) var names: [String] = []

  init(_ model: GroupModel) { self.model = model }

  func initializeUI() { subscribeToModel() }

  func draw(groups: LoadState<[GroupSummary]>) {
    names = (groups.value ?? []).map(\.group.name)
  }
}

final class NameField: FormView {
  let presenter: AddListPresenter
  private(set) var alert: PresentableError?

  init(_ presenter: AddListPresenter) { self.presenter = presenter }

  func setUpUI() {}
  func showStored(_ text: String) {}
  func showAlert(_ error: PresentableError?) { alert = error }
  func dismiss() {}
}

/// A front end of one kind of screen.
private final class NameWindow: ScreenFactory {
  private(set) var views: [TodoRoute: AnyObject] = [:]
  private let bag = DisposeBag()

  init(_ router: Router<TodoRoute>) {
    router.stacks.subscribe(with: self) { window, stack in
      window.views = window.views.filter { stack.contains($0.key) }
    }.disposed(by: bag)
  }

  func show(_ presenter: AddListPresenter) {
    let view = NameField(presenter)
    views[presenter.route] = view
    presenter.attach(view)
  }

  func show(_ presenter: HomePresenter) {}
  func show(_ presenter: TodoListPresenter) {}
  func show(_ presenter: RenameListPresenter) {}
  func show(_ presenter: EditTaskPresenter) {}
}

@Suite("The article on architectures")
struct WhichArchitectureSnippets {
  private let repository = PlainTodoRepository()
  private let home = TodoGroup.numbered(1)
  private let item = TodoItem.numbered(1, group: TodoGroup.numbered(1).id)
  private let bag = DisposeBag()

  @Test func aViewOfMVCDrawsTheModelAndEmits() {
    let bus = EventBus()

    let view = NameList(GroupModel(repository: repository))
    let controller = GroupController(view: view, bus: bus)
    controller.loadView()
    bus.emit(GroupEvents.AddTaskGroup(GroupDraft(name: "Home")))

    #expect(view.names == ["Home"])
    withExtendedLifetime(controller) {}
  }

  @Test func aScreenOfMVVMBindsStreams() throws {
    try repository.perform(.add(groups: [home], items: [item]))
    let shown = BehaviorRelay<[String]>(value: [])
    let show: @Sendable ([String]) -> Void = { shown.accept($0) }
    let warned = BehaviorRelay<ValidationIssue.Code?>(value: nil)
    let warn: @Sendable (ValidationIssue.Code) -> Void = { warned.accept($0) }

    let actions = PublishSubject<ItemListViewModel.Action>()
    let output = ItemListViewModel(repository: repository)
      .transform(input: .init(actions: actions))
    output.sections.subscribe(onNext: { show($0.open.map(\.title)) }).disposed(by: bag)
    output.validationError.subscribe(onNext: { warn($0.code) }).disposed(by: bag)
    actions.onNext(.retitle(item.id, to: "Sweep"))

    // A change is evaluated for those who want to know what came of it, such as the warnings.
    #expect(shown.value == ["Sweep"] && warned.value == nil)
    actions.onNext(.retitle(item.id, to: " "))
    #expect(shown.value == ["Sweep"] && warned.value == .blank)
  }

  @Test func aScreenOfMVISendsIntentsAndDrawsStates() throws {
    try repository.perform(.add(groups: [home], items: [item]))
    let shown = BehaviorRelay<[String]>(value: [])
    let show: @Sendable ([String]) -> Void = { shown.accept($0) }

    let store = ListStore(list: .group(id: home.id), repository: repository)
    store.states.subscribe(onNext: { show($0.undone.map(\.title)) }).disposed(by: bag)
    store.send(.createTask(title: "Sweep"))
    store.send(.toggleDone(id: item.id))

    #expect(shown.value == ["Sweep"])
    #expect(store.state.done.map(\.id) == [item.id])
  }

  @Test func aFrontEndOfMVPDropsAViewWithItsRoute() throws {
    let router = Router<TodoRoute>()
    let scheduler = CurrentThreadScheduler.instance
    let window = NameWindow(router)

    let coordinator = TodoCoordinator(
      repository: repository, router: router, scheduler: scheduler, screens: window)
    coordinator.start(with: .addList)

    let field = try #require(window.views[.addList] as? NameField)
    field.presenter.rightBarButtonTapped(" ")
    #expect(field.alert?.code == .blank && window.views.count == 1)
    field.presenter.rightBarButtonTapped("Home")
    #expect(window.views.isEmpty && router.stack == [])
    #expect(try repository.groups().map(\.group.name) == ["Home"])
  }
}
