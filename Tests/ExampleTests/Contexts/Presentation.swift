import Presentation
import Reactive

struct Draft: Equatable, Sendable {
  var title = ""
  var priority: Int?
}

struct Account: Equatable, Sendable {
  var name = ""
  var password = ""
  var repeated = ""
}

struct PersonDraft {
  var name = ""
  var age = ""
}

struct Person {
  var name: String
  var age: Int
}

struct Row: Identifiable, Equatable, Sendable {
  let id: Int
}

enum Sorting: Sendable { case all }

struct Repository: Sendable {
  func add(_ draft: Draft) -> Observable<Int> { example() }
  func save(_ draft: Draft) -> Observable<Int> { example() }
  func load() -> Observable<[Draft]> { example() }
  func find(_ text: String) -> Observable<[String]> { example() }
  func isTaken(_ name: String) -> Single<Bool> { example() }
  func changes(in list: Int, _ sorting: Sorting) -> Observable<ListChange<Row>> { example() }
}

struct TableView: Sendable {
  func beginUpdates() {}
  func apply(_ edit: SectionEdit) {}
  func apply(_ edit: RowEdit) {}
  func reload(_ list: SectionedRows<Row>) {}
  func endUpdates(_ list: SectionedRows<Row>) {}
}

final class Button: Sendable {
  var isEnabled: Bool {
    get { example() }
    set {}
  }
}

final class Spinner: Sendable {
  var isVisible: Bool {
    get { example() }
    set {}
  }
}

final class Alert: Sendable {
  var onDismiss: @Sendable () -> Void {
    get { example() }
    set {}
  }
  func show(_ error: PresentableError?) {}
}

enum CounterIntent: Sendable { case add(Int), reset }

enum SearchIntent: Sendable {
  case search(String)
  case found([String])
}

struct SearchState: Sendable {
  var isSearching = false
}

enum Place: Hashable, Sendable { case home, add, group(Int) }

final class AddCoordinator: Coordinator<Place> {}

protocol GroupView: RootView {
  func show(_ name: String)
}

struct RenameGroup: EventProtocol {
  struct Payload { let name: String }
  let payload: Payload
}

struct AddViewModel: ViewModel {
  struct Input { let attempts: Observable<Draft> }
  func transform(input: Input) -> Observable<String> { example() }
}

extension Validator where Input == Draft, Output == Draft {
  static var draft: Validator { example() }
}

extension Validator where Input == String, Output == String {
  static var name: Validator { example() }
}

var bag: DisposeBag { example() }
var form: Form<Draft, Int> { example() }
var draft: Draft { example() }
var nameIsFree: AsyncValidator<String> { example() }
var names: Observable<String> { example() }
var attempts: Observable<Draft> { example() }
var scheduler: any SchedulerType { example() }
var repository: Repository { example() }
var viewModel: AddViewModel { example() }
var view: TableView { example() }
var button: Button { example() }
var spinner: Spinner { example() }
var alert: Alert { example() }
var list: Int { example() }
var id: Int { example() }

func draw<State>(_ state: State) {}
