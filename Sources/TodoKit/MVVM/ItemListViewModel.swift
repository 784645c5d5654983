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
/// `sections` is on its own: it can be shown without them, and whoever changes items
/// need not show it.
///
/// No error of rules or storage ends an output.
///
/// Threads: answers come on the thread that sent the action; the first sections where they are
/// subscribed, later ones on a thread of the repository's choosing.
public struct ItemListViewModel: ViewModel, Sendable {
  /// What the front end feeds in.
  public struct Input {
    /// What the user does.
    public let actions: Observable<Action>
    /// Which items to show; each value replaces the one before.
    public let filter: Observable<ItemFilter>

    /// Makes an input; without a filter all items are shown.
    public init(
      actions: Observable<Action>, filter: Observable<ItemFilter> = .just(.all)
    ) {
      self.actions = actions
      self.filter = filter
    }
  }

  /// What the front end shows.
  public struct Output {
    /// The list: now, after each commit that changed it, and for each new filter.
    ///
    /// After a failed read, which `storageError` reports, it stays silent until the
    /// filter is set again or it is subscribed anew.
    public let sections: Observable<ItemSections>
    /// Each change, after its commit.
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

  /// Connects actions to what becomes of them, and the filter to the list.
  public func transform(input: Input) -> Output {
    let repository = repository
    let readErrors = PublishSubject<any Error>()
    let answers = input.actions.answered { action in
      Outcome(of: action.intent) { Change(action: action, try repository.perform($0)) }
    }
    let sections = input.filter
      .flatMapLatest { repository.observe($0).reportingErrors(to: readErrors) }
      .map { ItemSections($0) }
    return Output(
      sections: sections.share(replay: 1, scope: .whileConnected),
      changed: answers.compactMap(\.value),
      validationError: answers.compactMap(\.issue),
      storageError: .merge(answers.compactMap(\.error), readErrors))
  }
}
