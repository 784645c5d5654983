import LineEditing
import TodoKit

/// A list and the terms that filter it, as `ls` and `find` print it.
struct ItemSearch {
  private(set) var selected = SelectedList(list: .all, group: nil)
  private var termConditions: [ItemCondition] = []
  private var terms: [SearchTerm] = []
  /// The words that are searched for.
  private var words: [String] = []
  /// The words that are text in any case.
  private var texts: [String] = []
  /// The words that were taken for text because no list has their name; empty where none were.
  private var unknownName = ""
  /// The items to show; nil for what is open, and what was completed last.
  private var filter: ItemFilter?
  private var today: CalendarDay
  /// Whether it is about what is due today or was due before, and nothing else.
  private var isAgenda = false
  /// The order; that of the settings unless an option says otherwise.
  var sort: ItemSort

  /// How many completed items a list shows after the open ones.
  private static let completedMax = 5
  /// The rows of the terminal that the prompt, a heading and a hint take.
  private static let reservedRows = 4
  /// The rows that an item takes as a record, with a title of one line.
  private static let recordLines = 3

  /// Reads words.
  ///
  /// - Parameter namesList: Whether words without a sign may be the name of a list.
  init(_ words: [String], namesList: Bool, in session: Session) throws {
    sort = session.config.sort
    selected = session.usualList()
    var (terms, others) = try words.searchTerms()
    let groups = terms.filter { if case .signed(.group, _) = $0 { true } else { false } }
    // A list that is shown alone does not repeat its name after each item.
    if groups.count == 1, case .signed(.group, let name) = groups[0] {
      selected = try session.groups().list("@" + name)
      terms.removeAll { $0 == groups[0] }
    } else if namesList, !others.isEmpty {
      let name = others.joined(separator: " ")
      if let list = try session.groups().findList(name) {
        (selected, others) = (list, [])
      } else {
        unknownName = name
      }
    }
    (self.terms, self.words) = (terms, others)
    today = session.environment.clock.today
    termConditions = try session.conditions(of: terms)
  }

  /// Narrows the list by words, which are text in any case.
  mutating func add(texts: [String]) { self.texts += texts }

  /// The conditions of the terms and the words.
  private var conditions: [ItemCondition] {
    termConditions + ItemCondition.words(words, texts: texts)
  }

  /// Narrows the list to open items that are due today or were due before, in the order of days.
  mutating func showAgenda() {
    isAgenda = true
    sort = .due
    filter = .undone
  }

  /// The conditions of the words, and those of an agenda.
  private var allConditions: [ItemCondition] {
    isAgenda ? conditions + [.any([.dueBefore(today), .due(today)])] : conditions
  }

  /// The day by which hidden items are left out; nil where they are asked for.
  private var hidesWaitingOn: CalendarDay? {
    filter == .all || terms.contains(where: \.asksForWaiting) ? nil : today
  }

  /// Reads the terms again, because days go by, and the group of the list, which may have another name.
  mutating func refresh(in session: Session) throws {
    if let old = selected.group {
      let group = try session.repository().group(old.id)
      guard let group else {
        throw CommandError(.noSuchGroup(old.name, groups: try session.groups().names()))
      }
      selected = SelectedList(list: selected.list, group: group)
    }
    today = session.environment.clock.today
    termConditions = try session.conditions(of: terms)
  }

  /// Shows open items, completed ones or both, however many there are.
  mutating func show(_ filter: ItemFilter) { self.filter = filter }

  /// The completed items that are found.
  ///
  /// - Throws: An error for a word that does not name a list: text would find more than was meant.
  func completedItems(in session: Session) throws -> [TodoItem] {
    if !unknownName.isEmpty {
      let groups = try session.groups().names()
      throw CommandError(.noSuchGroup(unknownName, groups: groups))
    }
    return try session.repository().items(
      in: selected.list, meeting: conditions + [.isDone(true)], limit: nil)
  }

  /// Prints what is found; numbers count in it from then on.
  ///
  /// - Throws: An error where conditions find nothing.
  func run(in session: Session) throws {
    if let format = session.preferences.output.records {
      // Records are for programs, and have all items that are not asked to be left out.
      let met = allConditions + (filter?.condition.map { [$0] } ?? [])
      if try session.stream(selected.list, meeting: met, sortedBy: sort, as: format) { return }
    } else {
      let found = try items(in: session)
      if Interrupts.isRequested { throw CommandError(.cancelled, .interrupted) }
      session.listed = ListedItems(found.items.map(\.id))
      // Before it is printed: ^C may end the process then.
      session.rememberList()
      try session.sayTable(
        found.items, in: selected.list, hidden: found.hidden, waiting: found.waiting)
      if !found.items.isEmpty || found.waiting > 0 { return }
    }
    if isAgenda, conditions.isEmpty {
      return session.hint(
        "Nothing is due today. ls shows what is open.", "오늘까지인 할일이 없습니다. ls로 남은 할일을 볼 수 있습니다.")
    }
    if conditions.isEmpty {
      return session.hint(ListCommand.nothingListed(in: selected, filter ?? .all))
    }
    let error = CommandError(.nothingFound)
    if unknownName.isEmpty { throw error }
    let groups = try session.groups().names()
    throw error.hinting(.noSuchGroup(unknownName, groups: groups))
  }

  /// The page to read if no option is given: the open items that fit, and the last completed ones.
  ///
  /// - Parameters:
  ///   - rows: How many rows the terminal has; nil for no limit.
  ///   - lines: About how many rows an item takes.
  func request(rows: Int?, linesPerItem lines: Int) -> ListPage.Request {
    // Conditions ask for what they find; a list has only the last few after what is open.
    ListPage.Request(
      selected.list, meeting: conditions, sortedBy: sort,
      limit: rows.map { max(1, ($0 - Self.reservedRows) / lines) },
      completedLimit: conditions.isEmpty ? Self.completedMax : nil, hidesWaitingOn: hidesWaitingOn)
  }

  /// About how many rows an item takes in the current view.
  static func linesPerItem(in session: Session) -> Int {
    session.showsRecords ? Self.recordLines : 1
  }

  /// The items to show, and how many there are beside them.
  private func items(
    in session: Session
  ) throws -> (items: [TodoItem], hidden: Tally, waiting: Int) {
    guard let filter else {
      let request = request(
        rows: session.environment.output.rows, linesPerItem: Self.linesPerItem(in: session))
      let page = try session.repository().page(request)
      return (page.items, page.hidden, page.waiting)
    }
    let met = allConditions + (filter.condition.map { [$0] } ?? [])
    let repository = try session.repository()
    let hidden = hidesWaitingOn.map { [ItemCondition.not(.isWaiting($0))] } ?? []
    let items = try repository.items(
      in: selected.list, meeting: met + hidden, sortedBy: sort, limit: nil)
    let waiting = try hidesWaitingOn.map { today in
      try repository.items(in: selected.list, meeting: met + [.isWaiting(today)], limit: nil)
    }
    return (items, Tally(), waiting?.count ?? 0)
  }
}

extension ItemFilter {
  fileprivate var condition: ItemCondition? {
    switch self {
    case .all: nil
    case .undone: .isDone(false)
    case .done: .isDone(true)
    }
  }
}

extension LocalizedText {
  static let nothingFound = LocalizedText("Nothing found.", "찾은 할일이 없습니다.")
}
