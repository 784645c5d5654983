public import Presentation
public import Reactive

/// Adds tasks: every attempt is validated, then stored, and answered exactly once.
///
/// ```swift
/// let attempts = PublishSubject<TaskDraft>()
/// let output = AddTaskViewModel(repository: repository)
///   .transform(input: .init(attempts: attempts))
/// output.added.subscribe(onNext: { show($0) }).disposed(by: bag)
/// output.validationError.subscribe(onNext: { show($0) }).disposed(by: bag)
/// output.storageError.subscribe(onNext: { show($0) }).disposed(by: bag)
/// attempts.onNext(TaskDraft(title: " Buy milk ", priority: .high))
/// ```
///
/// **How outputs are connected.** All outputs of one `transform` share one evaluation of each
/// attempt. Attempts are evaluated while at least one output is subscribed, and dropped otherwise.
/// Subscribe to the outputs in any order, before attempts are sent: an output emits what happens
/// from its subscription on, and repeats nothing. If a source sends everything while it is being
/// subscribed, only the first output receives the answers; each attempt is still evaluated once.
///
/// No error of rules or storage ends an output. Outputs end when `attempts` does.
///
/// Threads: outputs deliver on the thread that sent the attempt.
public struct AddTaskViewModel: ViewModel, Sendable {
  /// The input of the front end.
  public struct Input {
    /// The draft at each press of Save.
    public let attempts: Observable<TaskDraft>

    /// Makes an input of a stream of attempts.
    public init(attempts: Observable<TaskDraft>) {
      self.attempts = attempts
    }
  }

  /// The output that the front end shows.
  public struct Output {
    /// Each item that was stored, after its commit.
    public let added: Observable<TodoItem>
    /// The whole list after each commit; it is read only while there is a subscriber.
    public let tasks: Observable<[TodoItem]>
    /// One issue for each attempt that was refused: the title's, else the priority's, else a tag's.
    ///
    /// The rules are in `TaskDraft.swift`.
    public let validationError: Observable<ValidationIssue>
    /// Each error of the repository, in writing or in reading the list.
    public let storageError: Observable<any Error>
  }

  private let repository: any TodoRepository

  /// Makes a view model that adds to the given repository.
  public init(repository: any TodoRepository) {
    self.repository = repository
  }

  /// Connects attempts to their outputs.
  ///
  /// - Complexity: an attempt costs one command, whatever the list's length, plus one
  ///   read of the list while `tasks` is subscribed.
  public func transform(input: Input) -> Output {
    let repository = repository
    let readErrors = PublishSubject<any Error>()
    let results = ActionResults(
      of: input.attempts.map { .addTask($0) }, in: repository,
      end: { readErrors.onCompleted() })
    let added = results.changed.compactMap(\.items.first)
    let tasks = added.compactMap { _ in readErrors.reporting { try repository.items(.all) } }
    return Output(
      added: added,
      tasks: tasks.share(),
      validationError: results.validationError,
      storageError: .merge(results.storageError, readErrors))
  }
}
