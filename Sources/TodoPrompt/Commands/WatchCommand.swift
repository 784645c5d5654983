import LineEditing
import Reactive
import TerminalText
import TodoKit

struct WatchCommand: ListingCommand {
  static let name = "watch"
  static let aliases = ["지켜보기"]
  static let synopsis = "watch [GROUP|important|none] [TERM|TEXT]..."
  static let example = "watch due:today"
  static let summary = LocalizedText(
    "Shows a list that follows every change.", "목록을 띄워 두고 바뀔 때마다 다시 보여 줍니다.")
  static let details = [
    LocalizedText.groupsHelp, LocalizedText.termsHelp,
    LocalizedText(
      "  Changes of other programs are shown too. q, Enter or ^C ends it.",
      "  다른 창에서 바꾼 것도 보여 줍니다. q, Enter, ^C로 끝냅니다."),
  ]

  let words: [String]

  func run(in session: Session) throws {
    guard session.preferences.output == .table, let screen = session.environment.liveScreen
    else {
      throw CommandError(
        "watch shows a table on a terminal, and nothing else. Use ls here.",
        "watch는 터미널에 표로만 보여 줍니다. 여기서는 ls를 쓰세요.", .usage)
    }
    let repository = try session.repository()
    // Pages come on the thread of the observation, and are taken on the prompt's.
    let latest = BehaviorRelay<Result<ListPage, any Error>?>(value: nil)
    var request: ListPage.Request?
    var subscription: (any Disposable)?
    defer { subscription?.dispose() }
    var search = try ItemSearch(words, namesList: true, in: session)
    try screen.run { columns, rows in
      try search.refresh(in: session)
      let wanted = search.request(
        rows: rows, linesPerItem: ItemSearch.linesPerItem(in: session))
      if wanted != request {
        subscription?.dispose()
        request = wanted
        // The first page comes during the subscription.
        @Sendable func show(_ page: Result<ListPage, any Error>) {
          latest.accept(page)
          LiveScreen.wake()
        }
        subscription = repository.observe(wanted).subscribe(
          onNext: { show(.success($0)) }, onError: { show(.failure($0)) })
      }
      guard let page = try latest.value?.get() else {
        preconditionFailure("An observation of the store has a value or an error at once.")
      }
      return try Self.rows(of: page, search.selected, columns, rows, in: session)
    }
    // The last list stays on the screen, and its numbers count.
    try search.run(in: session)
  }

  /// The rows of a page: the name of the list, its items, and how it is left.
  private static func rows(
    of page: ListPage, _ selected: SelectedList, _ columns: Int, _ rows: Int, in session: Session
  ) throws -> [String] {
    let language = session.preferences.language
    let styler = session.styler(for: session.environment.output)
    let shown = page.items.count
    let tally = Tally(
      total: page.hidden.total + shown,
      done: page.hidden.done + page.items.count(where: \.isDone))
    let name = "\(selected.name.visible.text(in: language))  \(tally.progressText(session.glyphs))"
    var table = try session.table(
      page.items, groups: GroupNames(page.groups), in: selected.list, hidden: page.hidden)
    table.waiting = page.waiting
    let items = table.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let list = items.prefix(max(0, rows - 2)).map(String.init)
    return [styler.styled(name.truncated(to: columns), .bold)] + list
      + [
        styler.styled(
          LocalizedText.howToEndWatching.text(in: language).truncated(to: columns), .dim)
      ]
  }
}

extension LocalizedText {
  fileprivate static let howToEndWatching = LocalizedText(
    "q, Enter or ^C ends watching.", "q, Enter, ^C로 끝냅니다.")
}
