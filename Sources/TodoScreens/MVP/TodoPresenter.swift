public import CroftFoundation
public import Presentation
import Reactive
public import TodoKit

/// The base of the presenters in this folder: navigation, and errors.
///
/// An error stays until something succeeds or the user has dismissed it.
public class TodoPresenter<View>: Presenter<View> {
  /// The screen that is presented; it is open while this is among the router's routes.
  public let route: TodoRoute
  let repository: any TodoRepository
  let scheduler: any ImmediateSchedulerType
  let errors = ErrorTracker()
  /// What the last command of this screen did; nil before the first.
  ///
  /// A view can offer to undo it.
  public private(set) var result: CommandResult?
  private(set) weak var coordinator: TodoCoordinator?

  init(_ route: TodoRoute, _ coordinator: TodoCoordinator) {
    self.route = route
    repository = coordinator.repository
    scheduler = coordinator.scheduler
    self.coordinator = coordinator
    super.init()
  }

  /// The user has seen the alert.
  public func alertDismissed() { errors.dismiss() }

  /// Performs a command, and keeps its result; an error is shown, and nil is returned.
  @discardableResult
  final func perform(_ command: () throws -> CommandResult) -> CommandResult? {
    guard let done = errors.track(command) else { return nil }
    result = done
    return done
  }

  /// Shows the current error in the view, now and after each change.
  final func showAlerts(_ show: @escaping @Sendable (View, PresentableError?) -> Void) {
    self.show(errors.current, show)
  }

  /// Shows a list that follows the repository, and then its number of rows.
  final func show<Row: Sendable>(
    _ rows: FetchedResults<Row>,
    _ update: @escaping @Sendable (View, FetchedEvent<Row>) -> Void,
    count: @escaping @Sendable (View, Int) -> Void
  ) {
    show(rows.events, update)
    show(rows.counts, count)
    rows.errors.subscribe(with: self, onNext: { $0.errors.report($1) }).disposed(by: bag)
  }

  /// Shows the elements on the view's thread; an error is an alert.
  final func show<Element>(
    _ source: Observable<Element>, _ show: @escaping @Sendable (View, Element) -> Void
  ) {
    source.subscribe(
      with: self,
      onNext: { presenter, element in if let view = presenter.view { show(view, element) } },
      onError: { $0.errors.report($1) }
    ).disposed(by: bag)
  }
}

/// A presenter that asks before it deletes; one question is open at a time.
///
/// The objects that a yes deletes are fixed when the question is asked.
public class DeletingPresenter<View>: TodoPresenter<View> {
  private let deletions: PendingDeletions
  private let question = BehaviorRelay<PendingDeletion?>(value: nil)

  override init(_ route: TodoRoute, _ coordinator: TodoCoordinator) {
    deletions = coordinator.deletions
    super.init(route, coordinator)
  }

  /// The user has answered a question; the answer to a closed question is ignored.
  public final func answer(_ token: UUID, isYes: Bool) {
    guard question.value?.token == token else { return }
    question.accept(nil)
    if isYes { perform { try deletions.confirm(token) } } else { deletions.cancel(token) }
  }

  /// Asks a question in place of the open one.
  final func ask(_ request: (PendingDeletions) throws -> PendingDeletion) {
    guard let next = errors.track({ try request(deletions) }) else { return }
    if let last = question.value { deletions.cancel(last.token) }
    question.accept(next)
  }

  /// Shows the current question in the view, now and after each change.
  final func showQuestions(_ show: @escaping @Sendable (View, PendingDeletion?) -> Void) {
    self.show(question.distinctUntilChanged(), show)
  }
}
