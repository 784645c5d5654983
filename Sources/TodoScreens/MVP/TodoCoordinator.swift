public import CroftFoundation
public import Presentation
public import Reactive
public import TodoKit

/// Opens lists and forms from the home screen; each open screen has a coordinator.
///
/// ```swift
/// let home = TodoCoordinator(
///   repository: repository, router: Router(), scheduler: MainScheduler.instance, screens: window)
/// home.start(with: .home)
/// ```
///
/// The front end retains the first coordinator. Each coordinator retains the one that it has
/// opened until that finishes; presenters hold theirs weakly. If the user closes screens without a
/// button, as by a gesture, the front end pops them off the router.
///
/// Threads: one, that of the views.
public final class TodoCoordinator: Coordinator<TodoRoute> {
  let repository: any TodoRepository
  let scheduler: any ImmediateSchedulerType
  let deletions: PendingDeletions
  private weak var screens: (any ScreenFactory)?

  /// Makes the first coordinator.
  ///
  /// - Parameters:
  ///   - repository: The repository that the screens show and change.
  ///   - router: Holds the routes that are open.
  ///   - scheduler: Runs work on the thread of the views, one piece after the other. A program
  ///     without a run loop, whose main queue does not run, passes a
  ///     `SerialDispatchQueueScheduler`, and calls the presenters on it too.
  ///   - screens: Makes the views; held weakly.
  ///   - deletions: Holds the open questions; nil for those of these screens alone. A server whose screens live
  ///     for one request passes its own, because a question is answered in another request.
  public init(
    repository: any TodoRepository, router: Router<TodoRoute>,
    scheduler: any ImmediateSchedulerType, screens: any ScreenFactory,
    deletions: PendingDeletions? = nil
  ) {
    self.repository = repository
    self.deletions = deletions ?? PendingDeletions(repository: repository)
    self.scheduler = scheduler
    self.screens = screens
    super.init(router: router)
  }

  private init(under parent: TodoCoordinator) {
    repository = parent.repository
    scheduler = parent.scheduler
    deletions = parent.deletions
    screens = parent.screens
    super.init(router: parent.router)
  }

  /// Opens a screen: its route is pushed, then its presenter is passed to the front end.
  public override func start(with route: TodoRoute) {
    super.start(with: route)
    switch route {
    case .home: screens?.show(HomePresenter(self))
    case .list(let list): screens?.show(TodoListPresenter(list, self))
    case .addList: screens?.show(AddListPresenter(route, self))
    case .renameList(let id): screens?.show(RenameListPresenter(id, self))
    case .editTask(let mode): screens?.show(EditTaskPresenter(mode, self))
    }
  }

  /// Opens a screen on top of this one, unless one is open there, as after a second tap.
  func open(_ route: TodoRoute) {
    guard isOnFirstScreen else { return }
    // The coordinators of screens that were closed at the router remain.
    for child in childCoordinators { child.finish(shouldPop: false) }
    startChild(TodoCoordinator(under: self), with: route)
  }
}

/// A screen that can be open, as a value.
public enum TodoRoute: Hashable, Codable, Sendable {
  /// All lists.
  case home
  /// The items of one list.
  case list(ItemList)
  /// The form for a new list.
  case addList
  /// The form for another name of a list.
  case renameList(id: UUID)
  /// The form for a task's title.
  case editTask(EditTaskMode)
}
