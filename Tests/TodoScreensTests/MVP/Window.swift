import Foundation
import Presentation
import Reactive
import TodoKit
import TodoScreens
import TodoTestSupport

/// A front end without pixels: it holds a recording view for each route that is open.
final class Window: ScreenFactory {
  let thread = ScreenThread()
  let router = Router<TodoRoute>()
  let repository: any TodoRepository
  private var views: [AnyObject] = []
  private var first: TodoCoordinator?
  private let bag = DisposeBag()

  /// Opens the home screen of a repository.
  init(_ repository: any TodoRepository, _ deletions: PendingDeletions? = nil) {
    self.repository = repository
    router.stacks.subscribe(with: self) { window, stack in
      if window.views.count > stack.count {
        window.views.removeLast(window.views.count - stack.count)
      }
    }.disposed(by: bag)
    let home = TodoCoordinator(
      repository: repository, router: router, scheduler: thread, screens: self,
      deletions: deletions)
    first = home
    home.start(with: .home)
  }

  /// The coordinators of the open screens, the innermost last.
  var coordinators: [Coordinator<TodoRoute>] {
    var coordinators: [Coordinator<TodoRoute>] = []
    var next: Coordinator<TodoRoute>? = first
    while let coordinator = next {
      coordinators.append(coordinator)
      next = coordinator.childCoordinators.first
    }
    return coordinators
  }

  /// Lets go of everything, as at the end of the program.
  func close() {
    views = []
    first = nil
  }

  /// The innermost view of a kind.
  func view<View>(_ type: View.Type) -> View? { views.lazy.compactMap { $0 as? View }.last }

  func show(_ presenter: HomePresenter) {
    let view = RecordingHomeView(presenter)
    views.append(view)
    presenter.attach(view)
  }

  func show(_ presenter: TodoListPresenter) {
    let view = RecordingListView(presenter)
    views.append(view)
    presenter.attach(view)
  }

  func show(_ presenter: AddListPresenter) { open(RecordingFormView(presenter), presenter) }

  func show(_ presenter: RenameListPresenter) { open(RecordingFormView(presenter), presenter) }

  func show(_ presenter: EditTaskPresenter) { open(RecordingFormView(presenter), presenter) }

  private func open(_ view: any FormView, _ presenter: FormPresenter) {
    views.append(view)
    presenter.attach(view)
  }
}
