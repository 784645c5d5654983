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
  /// The open pages of each language.
  private let pages: [Language: LivePages]

  init(
    repository: any TodoRepository, settings: TodoSettings, renderer: PageRenderer,
    images: any ImageSource
  ) {
    (self.repository, self.settings, self.renderer) = (repository, settings, renderer)
    self.images = images
    deletions = PendingDeletions(repository: repository)
    let languages = [Language.english, .korean].map { language in
      let pages = LivePages { address in
        LivePage(
          states: Self.states(of: address, in: repository),
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

  /// The open pages in a language; in English where there are none in that one.
  func pages(in language: Language) -> LivePages? { pages[language] ?? pages[.english] }

  /// What a page shows now.
  func shown(at address: ListAddress) throws -> ShownPage {
    try ShownPage(
      page: repository.page(address.request), groups: repository.groups(),
      all: repository.tally(of: .all), important: repository.tally(of: .important),
      ungrouped: repository.tally(of: .ungrouped), history: repository.history())
  }

  /// What a page shows, now and after each commit that changed it.
  private static func states(
    of address: ListAddress, in repository: any TodoRepository
  ) -> Observable<ShownPage> {
    Observable<ShownPage>.combineLatest(
      repository.observe(address.request), repository.observeGroups(),
      repository.observeTally(of: .all), repository.observeTally(of: .important),
      repository.observeTally(of: .ungrouped), repository.observeHistory()
    ) { page, groups, all, important, ungrouped, history in
      ShownPage(
        page: page, groups: groups, all: all, important: important, ungrouped: ungrouped,
        history: history)
    }
  }
}
