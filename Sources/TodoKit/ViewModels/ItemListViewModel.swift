public import Presentation
public import Reactive

/// Shows a list in two sections and changes its items: every action is answered exactly once.
///
/// ```swift
/// let actions = PublishSubject<ItemListViewModel.Action>()
/// let output = ItemListViewModel(repository: repository)
///   .transform(input: .init(actions: actions))
/// output.sections.subscribe(onNext: { draw($0) }).disposed(by: bag)
/// output.changed.subscribe(onNext: { tell($0) }).disposed(by: bag)
/// actions.onNext(.setDone([item.id], true))
/// ```
///
/// `changed`, `validationError` and `storageError` share one evaluation of each action,
/// which begins with the first of them that is subscribed: subscribe, then send.
/// The outputs that show a list do not depend on them: a front end can show a list without
/// changing items, or change items without showing any.
///
/// No error of rules or storage ends an output.
///
/// Threads: answers come on the thread that sent the action; lists come first where they are
/// subscribed, later on a thread of the repository's choosing, or where `observe(on:)` says.
public struct ItemListViewModel: ViewModel, Sendable {
  /// An action of the user, with raw input.
  public typealias Action = TodoAction
  /// The result of an action.
  public typealias Change = CommandResult

  /// The input of the front end.
  public struct Input {
    /// The actions of the user.
    public let actions: Observable<Action>
    /// Which list to show; each value replaces the one before.
    public let list: Observable<ItemList>
    /// Which of its items to show; each value replaces the one before.
    public let filter: Observable<ItemFilter>
    /// In which order `sections` show them; each value replaces the one before.
    public let sort: Observable<ItemSort>
    /// Whether the user wants to edit the list: "Edit" is true, "Done" is false.
    public let edits: Observable<Bool>

    /// Makes an input; by default all items are shown.
    public init(
      actions: Observable<Action>, list: Observable<ItemList> = .just(.all),
      filter: Observable<ItemFilter> = .just(.all), sort: Observable<ItemSort> = .just(.manual),
      edits: Observable<Bool> = .just(false)
    ) {
      self.actions = actions
      self.list = list
      self.filter = filter
      self.sort = sort
      self.edits = edits
    }
  }

  /// The output that the front end shows.
  public struct Output {
    /// The list: now, after each commit that changed it, and for each new list and filter.
    ///
    /// After a failed read, which `storageError` emits, it emits nothing until the list or the
    /// filter is set again, or it is subscribed again.
    public let sections: Observable<ItemSections>
    /// The same list for a view that draws its rows one by one, as changes.
    ///
    /// In the repository's order, for `FetchedResults`. Only the rows that are drawn are decoded.
    public let rows: Observable<ListChange<TodoItem>>
    /// Whether the list holds nothing, done or not: a picture is shown instead.
    public let isEmpty: Observable<Bool>
    /// Whether the list is edited: from "Edit" to "Done", or until nothing remains.
    public let isEditing: Observable<Bool>
    /// The result of each action, after its commit.
    public let changed: Observable<Change>
    /// One issue for each action that was refused: a blank title or tag, or no priority.
    public let validationError: Observable<ValidationIssue>
    /// Each error of the repository, in writing or in reading the sections.
    ///
    /// It does not end with the actions, because sections may be read after them.
    public let storageError: Observable<any Error>
  }

  private let repository: any TodoRepository

  /// Makes a view model that shows and changes the given repository.
  public init(repository: any TodoRepository) {
    self.repository = repository
  }

  /// Connects actions to their results, and the filter to the list.
  public func transform(input: Input) -> Output {
    let repository = repository
    let readErrors = PublishSubject<any Error>()
    let results = ActionResults(of: input.actions, in: repository)
    let shown = Observable.combineLatest(input.list, input.filter)
    let sections = shown.flatMapLatest { list, filter in
      repository.observe(in: list, filter).reportingErrors(to: readErrors)
    }
    let rows = shown.flatMapLatest { list, filter in
      repository.changes(in: list, filter).reportingErrors(to: readErrors)
    }
    let isEmpty = input.list
      .flatMapLatest { repository.observeTally(of: $0).reportingErrors(to: readErrors) }
      .map { $0.total == 0 }
    let modes = Mode.modes(input.edits, isEmpty: isEmpty)
      .share(replay: 1, scope: .whileConnected)
    return Output(
      sections: .combineLatest(sections, input.sort) { ItemSections($1.sorted($0)) }
        .share(replay: 1, scope: .whileConnected),
      rows: rows, isEmpty: modes.compactMap(\.isEmpty).distinctUntilChanged(),
      isEditing: modes.map(\.isEditing).distinctUntilChanged(),
      changed: results.changed, validationError: results.validationError,
      storageError: .merge(results.storageError, readErrors))
  }
}

/// Whether a list is empty, and whether it is edited; one value, so that outputs are consistent.
private struct Mode: Sendable {
  /// Whether the list is empty; nil before it is known.
  var isEmpty: Bool?
  var isEditing = false

  /// The modes of a list: it is edited when the user wants to, until it is empty.
  static func modes(_ edits: Observable<Bool>, isEmpty: Observable<Bool>) -> Observable<Mode> {
    Observable<(isEmpty: Bool?, wish: Bool?)>
      .merge(isEmpty.map { ($0, nil) }, edits.map { (nil, $0) })
      .scan(Mode()) { last, news in
        let isEmpty = news.isEmpty ?? last.isEmpty
        return Mode(
          isEmpty: isEmpty, isEditing: isEmpty == false && (news.wish ?? last.isEditing))
      }
  }
}
