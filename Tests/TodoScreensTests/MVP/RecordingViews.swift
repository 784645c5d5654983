import Presentation
import TodoKit
import TodoScreens
import TodoTestSupport

/// A home view as a text terminal would draw it.
final class RecordingHomeView: HomeView {
  let presenter: HomePresenter
  private(set) var log: [String] = []
  private(set) var lines: [String] = []
  private(set) var important: Tally?
  private(set) var question: PendingDeletion?
  private(set) var alert: PresentableError?

  init(_ presenter: HomePresenter) { self.presenter = presenter }

  func setUpUI() { log.append("set up") }

  func update(_ event: FetchedEvent<GroupSummary>) {
    log.append(event.name)
    guard let list = event.listAfter else { return }
    lines = list.rows.map { "\($0.group.name) \($0.tally.done)/\($0.tally.total)" }
  }

  func configure(listCount: Int) { log.append("count \(listCount)") }

  func showImportant(_ tally: Tally) { important = tally }

  func ask(_ question: PendingDeletion?) { self.question = question }

  func showAlert(_ error: PresentableError?) { alert = error }

  func forget() { log = [] }
}

/// A list's view as a text terminal would draw it.
final class RecordingListView: TodoListView {
  let presenter: TodoListPresenter
  private(set) var log: [String] = []
  private(set) var items: [TodoItem] = []
  private(set) var sections: [String] = []
  private(set) var capabilities: ListCapabilities?
  private(set) var name: String?
  private(set) var question: PendingDeletion?
  private(set) var alert: PresentableError?

  init(_ presenter: TodoListPresenter) { self.presenter = presenter }

  var titles: [String] { items.map(\.title) }

  func setUpUI(_ capabilities: ListCapabilities) { self.capabilities = capabilities }

  func showName(_ name: String) { self.name = name }

  func update(_ event: FetchedEvent<TodoItem>) {
    log.append(event.name)
    guard let list = event.listAfter else { return }
    items = Array(list.rows)
    sections = (list.sections ?? []).map { "\($0.name) \($0.count)" }
  }

  func configure(taskCount: Int) { log.append("count \(taskCount)") }

  func ask(_ question: PendingDeletion?) { self.question = question }

  func showAlert(_ error: PresentableError?) { alert = error }

  func forget() { log = [] }
}

/// A form's view that keeps what it was told.
final class RecordingFormView<Presenter: FormPresenter>: FormView {
  let presenter: Presenter
  private(set) var isSetUp = false
  private(set) var stored: [String] = []
  private(set) var alert: PresentableError?
  private(set) var dismissals = 0

  init(_ presenter: Presenter) { self.presenter = presenter }

  func setUpUI() { isSetUp = true }

  func showStored(_ text: String) { stored.append(text) }

  func showAlert(_ error: PresentableError?) { alert = error }

  func dismiss() { dismissals += 1 }
}

extension FetchedEvent {
  /// The event in a word or two.
  fileprivate var name: String {
    switch self {
    case .reload(let list): "reload \(list.count)"
    case .willChange(let list): "will change \(list.count)"
    case .section(.insert(let section)): "insert section \(section)"
    case .section(.delete(let section)): "delete section \(section)"
    case .row(.insert(let place)): "insert \(place)"
    case .row(.delete(let place)): "delete \(place)"
    case .row(.move(let old, let new, _)): "move \(old) to \(new)"
    case .row(.update(let place, _)): "update \(place)"
    case .didChange(let list): "did change \(list.count)"
    }
  }

  /// The list to be shown now; nil in the middle of a batch.
  fileprivate var listAfter: SectionedRows<Element>? {
    switch self {
    case .reload(let list), .didChange(let list): list
    case .willChange, .section, .row: nil
    }
  }
}
