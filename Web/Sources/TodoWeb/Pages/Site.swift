import Dispatch
import Presentation
import Reactive
import TodoKit
import TodoPrompt

/// What the answers to all requests are made of.
struct Site: Sendable {
  let repository: any TodoRepository
  let settings: TodoSettings
  let renderer: PageRenderer
  /// Where random pictures of groups come from.
  let images: any ImageSource
  /// The questions that open pages have asked.
  let deletions: PendingDeletions
  /// Where screens change the list, one after the other.
  private let writes = DispatchQueue(label: "todo-web.writes")
  /// The thread of presenters' views: that on which screens are used.
  let views: SerialDispatchQueueScheduler
  /// The open pages of each language.
  private let pages: [Language: LivePages]

  init(
    repository: any TodoRepository, settings: TodoSettings, renderer: PageRenderer,
    images: any ImageSource
  ) {
    (self.repository, self.settings, self.renderer) = (repository, settings, renderer)
    self.images = images
    views = SerialDispatchQueueScheduler(
      queue: writes, internalSerialQueueName: "todo-web.views")
    deletions = PendingDeletions(repository: repository)
    let unsent = Self.unsentChanges(of: repository).share(replay: 1)
    let languages = [Language.english, .korean].map { language in
      let pages = LivePages { address in
        LivePage(
          states: Self.states(of: address, in: repository, settings, unsent: unsent),
          render: { shown, last in
            renderer.parts(
              of: shown, at: address, today: settings.today, time: settings.time,
              in: PageText(language: language), reusing: last)
          },
          message: { error in
            MessageCatalog.todo(in: language).message(for: error as? TodoError ?? .storage(error))
          })
      }
      return (language, pages)
    }
    pages = Dictionary(uniqueKeysWithValues: languages)
  }

  /// What a page shows: now, after each commit that changed it, and on each day, when hidden items come.
  private static func states(
    of address: ListAddress, in repository: any TodoRepository, _ settings: TodoSettings,
    unsent: Observable<Int?>
  ) -> Observable<TodoOverview> {
    Observable<Int>.interval(
      .seconds(30), scheduler: ConcurrentDispatchQueueScheduler(qos: .utility)
    )
    .map { _ in settings.today }.startWith(settings.today).distinctUntilChanged()
    .flatMapLatest { today in
      Observable.combineLatest(
        repository.observeOverview(address.request(on: today)), unsent
      ) { overview, unsent in
        var overview = overview
        overview.unsent = unsent
        return overview
      }
    }
  }

  /// How many changes other machines cannot get yet, now and within two seconds after each commit.
  private static func unsentChanges(of repository: any TodoRepository) -> Observable<Int?> {
    Observable<Int>.interval(
      .seconds(2), scheduler: ConcurrentDispatchQueueScheduler(qos: .utility)
    )
    // The error is ignored: a store that cannot be read is told where its list is observed.
    .startWith(0).map { _ in (try? repository.unsentChanges()) ?? nil }.distinctUntilChanged()
  }

  /// Performs one action of a form, as the list screens do.
  ///
  /// - Throws: `ValidationIssue` for input that is refused; `TodoError` of the repository.
  func perform(_ action: TodoAction) async throws -> CommandResult {
    try await write { [repository] in try ListScreen(repository: repository).perform(action) }
  }

  /// Uses a screen on a thread that may wait for a commit, so that reads are answered meanwhile.
  func write<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      writes.async { continuation.resume(with: Result(catching: body)) }
    }
  }

  /// The open pages in a language; in English where there are none in that one.
  func pages(in language: Language) -> LivePages? { pages[language] ?? pages[.english] }
}
