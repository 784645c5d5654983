public import CroftFoundation
public import Presentation
import Reactive
public import TodoKit

/// Presents all lists: the important items, then the groups in their order, with tallies.
///
/// Threads: one, that of the view.
public final class HomePresenter: DeletingPresenter<any HomeView> {
  private let lists: FetchedResults<GroupSummary>

  init(_ coordinator: TodoCoordinator) {
    lists = FetchedResults(
      coordinator.repository.observeGroups().listChanges().observe(on: coordinator.scheduler))
    super.init(.home, coordinator)
  }

  /// Starts to show the lists, with the important items.
  public override func viewDidLoad() {
    view?.setUpUI()
    showAlerts { $0.showAlert($1) }
    showQuestions { $0.ask($1) }
    show(lists, { $0.update($1) }, count: { $0.configure(listCount: $1) })
    show(repository.observeTally(of: .important).observe(on: scheduler)) { $0.showImportant($1) }
  }

  /// The user wants to see a list.
  public func listTapped(_ list: ItemList) { coordinator?.open(.list(list)) }

  /// The user tapped the button for a new list.
  public func rightBarButtonTapped() { coordinator?.open(.addList) }

  /// The user moved a group.
  public func moved(_ id: UUID, to position: Position) {
    perform { try repository.perform(.moveGroup(id, to: position)) }
  }

  /// The user tapped the deletion of a group: the view asks whether to delete it.
  public func deleteTapped(_ id: UUID) { ask { try $0.request(group: id) } }
}

/// The view of all lists.
public protocol HomeView: AnyObject {
  /// Builds the view's parts; called once, first.
  func setUpUI()
  /// Takes a step of drawing the groups with their tallies.
  func update(_ event: FetchedEvent<GroupSummary>)
  /// Shows how many groups there are, after the batch that changed it.
  func configure(listCount: Int)
  /// Shows the tally of the important items, whose row is always there.
  func showImportant(_ tally: Tally)
  /// Asks whether to delete, naming the titles and the number of items; nil removes it.
  func ask(_ question: PendingDeletion?)
  /// Shows an error until the user dismisses it; nil removes it.
  func showAlert(_ error: PresentableError?)
}
