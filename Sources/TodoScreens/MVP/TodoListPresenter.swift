public import CroftFoundation
public import Presentation
import Reactive
public import TodoKit

/// Presents the items of one list in two sections, the open ones first.
///
/// Rows follow the repository, and are read again when a list is opened again, so no row is older
/// than the last commit. If the group was deleted, an alert says so, and then the screen closes.
///
/// Threads: one, that of the view.
public final class TodoListPresenter: DeletingPresenter<any TodoListView> {
  /// The list that is shown.
  public let list: ItemList
  private let items: FetchedResults<TodoItem>
  private var isGone = false

  init(_ list: ItemList, _ coordinator: TodoCoordinator) {
    self.list = list
    items = FetchedResults(
      coordinator.repository.changes(in: list, .all).observe(on: coordinator.scheduler))
    super.init(.list(list), coordinator)
  }

  /// Starts to show the list.
  public override func viewDidLoad() {
    view?.setUpUI(list.capabilities)
    showAlerts { $0.showAlert($1) }
    showQuestions { $0.ask($1) }
    followName()
    show(items, { $0.update($1) }, count: { $0.configure(taskCount: $1) })
  }

  /// The user leaves.
  public func leftBarButtonTapped() { coordinator?.finish() }

  /// The user tapped the button for a new item; without effect in a list to which none can be
  /// added.
  public func rightBarButtonTapped() {
    if list.capabilities.canAdd { coordinator?.open(.editTask(.create(in: list))) }
  }

  /// The user tapped the name of the list; without effect if the list cannot be renamed.
  public func nameTapped() {
    if let id = list.groupID { coordinator?.open(.renameList(id: id)) }
  }

  /// The user tapped the title of an item, to change it.
  public func titleTapped(_ id: UUID) { coordinator?.open(.editTask(.retitle(id: id))) }

  /// The user tapped the box of an item: the state that was shown is toggled.
  public func doneTapped(_ item: TodoItem) {
    perform { try repository.perform(.setDone([item.id], !item.isDone)) }
  }

  /// The user tapped the star of an item: the state that was shown is toggled.
  public func starTapped(_ item: TodoItem) {
    perform { try repository.perform(.setImportant([item.id], !item.isImportant)) }
  }

  /// The user moved an item.
  public func moved(_ id: UUID, to position: Position) {
    perform { try repository.perform(.move([id], to: position)) }
  }

  /// The user tapped the deletion of an item: the view asks whether to delete it.
  public func deleteTapped(_ id: UUID) { ask { try $0.request(items: [id]) } }

  /// The user has seen the alert; the screen of a deleted group closes.
  public override func alertDismissed() {
    super.alertDismissed()
    if isGone { coordinator?.finish() }
  }

  private func followName() {
    guard let id = list.groupID else { return }
    repository.observeGroups()
      .map { groups in groups.first { $0.id == id }?.group.name }
      .distinctUntilChanged()
      .observe(on: scheduler)
      .subscribe(
        with: self, onNext: { $0.show(name: $1, of: id) },
        onError: { $0.errors.report($1) }
      ).disposed(by: bag)
  }

  private func show(name: String?, of id: UUID) {
    // A group may come back: its deletion may be undone.
    if isGone, name != nil { errors.succeed() }
    isGone = name == nil
    if let name { view?.showName(name) } else { errors.report(TodoError.groupNotFound(id)) }
  }
}

/// The view of the items of one list.
public protocol TodoListView: AnyObject {
  /// Builds the view's parts, without those for what cannot be done; called once, first.
  func setUpUI(_ capabilities: ListCapabilities)
  /// Shows the name of a group; the front end names lists without a group.
  func showName(_ name: String)
  /// Takes a step of drawing the items: a section "open" and one "completed", where not empty.
  func update(_ event: FetchedEvent<TodoItem>)
  /// Shows how many items there are, after the batch that changed it.
  func configure(taskCount: Int)
  /// Asks whether to delete, naming the titles; nil removes it.
  func ask(_ question: PendingDeletion?)
  /// Shows an error until the user dismisses it; nil removes it.
  func showAlert(_ error: PresentableError?)
}
