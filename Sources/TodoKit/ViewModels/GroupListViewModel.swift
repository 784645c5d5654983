public import CroftFoundation
public import Presentation
public import Reactive

/// Shows the groups with their tallies and changes them: every action is answered exactly once.
///
/// ```swift
/// let actions = PublishSubject<TodoAction>()
/// let output = GroupListViewModel(repository: repository)
///   .transform(input: .init(actions: actions))
/// output.groups.subscribe(onNext: { draw($0) }).disposed(by: bag)
/// output.validationError.subscribe(onNext: { warn($0) }).disposed(by: bag)
/// actions.onNext(.addGroup(GroupDraft(name: "Home")))
/// ```
///
/// The user is asked before a deletion: `deletions` takes the group's id, and `question` emits what
/// would be deleted. A yes is sent as the question's ``PendingDeletion/action``, which deletes
/// exactly that or fails; a no is not sent.
///
/// Actions are evaluated, errors are emitted, and threads are chosen as with an
/// ``ItemListViewModel``: subscribe, then send.
public struct GroupListViewModel: ViewModel, Sendable {
  /// The input of the front end.
  public struct Input {
    /// The actions of the user.
    public let actions: Observable<TodoAction>
    /// The groups that the user wants to delete, and will be asked about.
    public let deletions: Observable<UUID>

    /// Makes an input.
    public init(actions: Observable<TodoAction>, deletions: Observable<UUID> = .empty()) {
      self.actions = actions
      self.deletions = deletions
    }
  }

  /// The output that the front end shows.
  public struct Output {
    /// All groups with their tallies: now, and after each commit that changed them.
    ///
    /// After a failed read, which `storageError` emits, it emits nothing until it is subscribed
    /// again.
    public let groups: Observable<[GroupSummary]>
    /// Whether there are no groups: a hint is shown instead.
    public let isEmpty: Observable<Bool>
    /// The result of each action, after its commit.
    public let changed: Observable<CommandResult>
    /// The items that would be deleted, for each group that the user wants to delete.
    public let question: Observable<PendingDeletion>
    /// One issue for each action that was refused: a blank name, or a reserved one.
    public let validationError: Observable<ValidationIssue>
    /// Each error of the repository, in writing or in reading.
    ///
    /// It does not end with the actions, because groups may be read after them.
    public let storageError: Observable<any Error>
  }

  private let repository: any TodoRepository

  /// Makes a view model that shows and changes the groups of the given repository.
  public init(repository: any TodoRepository) {
    self.repository = repository
  }

  /// Connects actions to their results.
  public func transform(input: Input) -> Output {
    let repository = repository
    let readErrors = PublishSubject<any Error>()
    let results = ActionResults(of: input.actions, in: repository)
    let groups = Observable<[GroupSummary]>
      .deferred { repository.observeGroups().reportingErrors(to: readErrors) }
      .share(replay: 1, scope: .whileConnected)
    let question = input.deletions.compactMap { id in
      readErrors.reporting { try PendingDeletion(group: id, in: repository) }
    }
    return Output(
      groups: groups, isEmpty: groups.map(\.isEmpty).distinctUntilChanged(),
      changed: results.changed, question: question.share(),
      validationError: results.validationError,
      storageError: .merge(results.storageError, readErrors))
  }
}
