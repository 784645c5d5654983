public import CroftFoundation
public import Presentation
public import Reactive
public import TodoKit

/// Performs the requests of a view with the model, and navigates between screens.
///
/// ```swift
/// let controller = GroupController(view: TextView(model), bus: bus)
/// controller.loadView()
/// bus.emit(GroupEvents.PushToNewTaskScreen())
/// ```
///
/// A request takes this path: the view emits an event, the bus delivers it to this controller, the
/// model commits and publishes, and the view draws. Then the event's completion is called.
///
/// Only one controller may listen on a bus: a second one would perform every request again.
///
/// Threads: one, that of its view.
public final class GroupController<View: GroupView>: TypedController<View> {
  private let model: GroupModel
  private let router: Router<GroupRoute>
  /// What ends with the controller: pictures that are being fetched, and following the router.
  private let bag = DisposeBag()

  /// Makes a controller of a view and of its model.
  ///
  /// - Parameters:
  ///   - view: The view; it is not touched before the controller is loaded.
  ///   - router: Knows which screens are open.
  ///   - bus: Where the view's events arrive.
  public init(
    view: View, router: Router<GroupRoute> = Router([.home]), bus: EventBus = .shared
  ) {
    model = view.model
    self.router = router
    super.init(view: view, bus: bus)
  }

  /// Subscribes to the bus, shows the group whose screen is open, and loads the model.
  public override func viewDidLoad() {
    followScreens()
    listenForScreens()
    listenForGroups()
    listenForTasks()
    listen(GroupEvents.EnterText.self) { $0.model.enter($1) }
    listen(GroupEvents.DismissError.self) { controller, _ in controller.model.dismissError() }
    listen(GroupEvents.Reload.self) { controller, _ in controller.model.load() }
    model.load()
  }

  /// Shows the innermost group, and closes the screens of deleted groups.
  private func followScreens() {
    router.stacks.subscribe(onNext: { [model] stack in
      model.open(stack.compactMap(\.groupID).last)
    }).disposed(by: bag)
    // Called on the thread that changes the model; the router may be used from any.
    model.$groups.subscribe(by: self) { (controller, changes) in
      guard let old = changes.old.value, let new = changes.new.value else { return }
      let gone = Set(old.map(\.id)).subtracting(new.map(\.id))
      if gone.isEmpty { return }
      controller.router.close { route in route.groupID.map(gone.contains) ?? false }
    }
  }

  private func listenForScreens() {
    listen(GroupEvents.PushToNewTaskScreen.self) { controller, _ in
      controller.router.push(.newGroup)
    }
    listen(GroupEvents.PushToEditTaskGroupScreen.self) { $0.router.push(.editGroup($1)) }
    listen(GroupEvents.PushToDetailTaskScreen.self) { $0.router.push(.group($1)) }
    listen(GroupEvents.PresentColorPicker.self) { $0.router.push(.colorPicker($1)) }
    listen(GroupEvents.PopScreen.self) { controller, _ in controller.router.pop() }
  }

  private func listenForGroups() {
    answer(GroupEvents.CreateTaskGroup.self) { try $0.perform(.submitGroup($1)).groups[0] }
    answer(GroupEvents.AddTaskGroup.self) { try $0.perform(.addGroup($1)).groups[0] }
    answer(GroupEvents.UpdateTaskGroup.self) {
      try $0.perform(.editGroup($1.id, $1.patch, ifStill: $1.shown))
    }
    answer(GroupEvents.MoveTaskGroup.self) {
      try $0.perform(.moveGroup($1.subject, to: $1.position))
    }
    answer(GroupEvents.DeleteTaskGroup.self) { try $0.askToDelete(group: $1) }
    listen(GroupEvents.FetchRandomImage.self) { $0.fetchImage($1) }
  }

  private func listenForTasks() {
    answer(GroupEvents.CreateNewTask.self) {
      try $0.perform(.addTitle($1.title, in: $1.groupID)).items[0]
    }
    answer(GroupEvents.EditTaskName.self) { try $0.perform(.retitle($1.id, to: $1.title)).items[0] }
    answer(GroupEvents.CompleteTask.self) { try $0.perform(.setDone($1.ids, $1.isDone)).items }
    answer(GroupEvents.MoveTask.self) { try $0.perform(.move($1.subject, to: $1.position)).items }
    answer(GroupEvents.DeleteTask.self) { try $0.askToDelete(items: $1) }
    answer(GroupEvents.ConfirmDeletion.self) { try $0.confirmDeletion($1) }
    answer(GroupEvents.CancelDeletion.self) { try $0.cancelDeletion($1) }
  }

  /// Performs each event of a type with the model, and answers it.
  private func answer<Input, Value, E: RequestEvent<Input, Value>>(
    _ event: E.Type, _ work: @escaping @Sendable (GroupModel, Input) throws -> Value
  ) {
    listen(event) { controller, request in
      request.complete(with: Result { try work(controller.model, request.input) })
    }
  }

  /// Handles each event of a type.
  private func listen<Payload: Sendable, E: ScreenEvent<Payload>>(
    _ event: E.Type, _ work: @escaping @Sendable (GroupController, Payload) -> Void
  ) {
    bus.on(event, by: self) { work($0, $1) }
  }

  /// Fetches a picture; a controller that is released meanwhile answers with a cancellation.
  private func fetchImage(_ request: RequestPayload<UUID?, GroupImage>) {
    let answer = BehaviorRelay<Result<GroupImage, any Error>?>(value: nil)
    model.fetchImage(for: request.input).subscribe(
      onNext: { answer.accept(.success($0)) }, onError: { answer.accept(.failure($0)) },
      onDisposed: { request.complete(with: answer.value ?? .failure(CancellationError())) }
    ).disposed(by: bag)
  }
}

/// The screens about groups.
public enum GroupRoute: Hashable, Sendable {
  /// All groups.
  case home
  /// The form of a new group.
  case newGroup
  /// The form of a group.
  case editGroup(UUID)
  /// The items of a group.
  case group(UUID)
  /// The choice of a colour, from the one that is chosen until now.
  case colorPicker(RGBA)

  /// The group that the screen is about; nil where it is about none.
  public var groupID: UUID? {
    switch self {
    case .editGroup(let id), .group(let id): id
    case .home, .newGroup, .colorPicker: nil
    }
  }
}
