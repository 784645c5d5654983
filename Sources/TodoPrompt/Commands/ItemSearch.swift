import TodoKit

/// A list with what narrows it, as `ls` and `find` print it.
struct ItemSearch {
  private var selected = SelectedList(list: .all, group: nil)
  private var conditions: [ItemCondition] = []
  /// The words that were taken for text because no list has their name; empty where none were.
  private var unknownName = ""
  /// The items to show; nil for what is open, and what was completed last.
  private var filter: ItemFilter?
  /// The order; that of the settings unless an option says otherwise.
  var sort: ItemSort

  /// How many completed items a list shows behind the open ones.
  private static let completedMax = 5
  /// The rows of the terminal that the prompt, a heading and a hint take.
  private static let reservedRows = 4
  /// The rows that an item takes as a record, with a title of one line.
  private static let recordLines = 3

  /// Reads words.
  ///
  /// - Parameter namesList: Whether words without a sign may be the name of a list.
  init(_ words: [String], namesList: Bool, in session: Session) throws(CommandError) {
    sort = session.config.sort
    selected = session.usualList()
    var (terms, others) = try words.searchTerms()
    let groups = terms.filter { if case .group = $0 { true } else { false } }
    // A list that is shown alone does not repeat its name behind each item.
    if groups.count == 1, case .group(let name) = groups[0] {
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
    conditions = try session.conditions(of: terms) + others.map { .text($0) }
  }

  /// Narrows the list by texts.
  mutating func add(texts: [String]) { conditions += texts.map { .text($0) } }

  /// Shows open items, completed ones or both, however many there are.
  mutating func show(_ filter: ItemFilter) { self.filter = filter }

  /// The completed items that are found.
  ///
  /// - Throws: An error for a word that names no list: text would find more than was meant.
  func completedItems(in session: Session) throws(CommandError) -> [TodoItem] {
    if !unknownName.isEmpty {
      let groups = try session.groups().groups.map(\.group.name)
      throw CommandError(.noSuchGroup(unknownName, groups: groups))
    }
    return try session.read { repository throws in
      try repository.items(in: selected.list, meeting: conditions + [.isDone(true)], limit: nil)
    }
  }

  /// Prints what is found; numbers count in it from then on.
  ///
  /// - Throws: An error where conditions find nothing.
  func run(in session: Session) throws(CommandError) {
    let isTable = session.preferences.output.records == nil
    let found = try items(in: session, isWhole: !isTable || filter != nil)
    if Interrupts.isRequested { throw CommandError(.cancelled, .interrupted) }
    session.listed = ListedItems(found.items.map(\.id))
    if let format = session.preferences.output.records {
      try session.say(found.items, numbers: Array(1...max(1, found.items.count)), as: format)
    } else {
      try session.sayTable(found.items, in: selected.list, hidden: found.hidden)
    }
    guard found.items.isEmpty else { return }
    if conditions.isEmpty {
      return session.hint(ListCommand.nothingListed(in: selected, filter ?? .all))
    }
    let error = CommandError(.nothingFound)
    if unknownName.isEmpty { throw error }
    let groups = try session.groups().groups.map(\.group.name)
    throw error.hinting(.noSuchGroup(unknownName, groups: groups))
  }

  /// The items to show, and how many there are beside them.
  private func items(
    in session: Session, isWhole: Bool
  ) throws(CommandError) -> (items: [TodoItem], hidden: Tally) {
    let list = selected.list
    if isWhole {
      let state = filter?.condition.map { [$0] } ?? []
      let items = try session.read { repository throws in
        try repository.items(in: list, meeting: conditions + state, sortedBy: sort, limit: nil)
      }
      return (items, Tally(total: 0, done: 0))
    }
    let lines = session.showsRecords ? Self.recordLines : 1
    let rows = session.environment.output.rows.map { max(1, ($0 - Self.reservedRows) / lines) }
    return try session.read { repository throws in
      let tally = try repository.tally(of: list, meeting: conditions)
      let shown = try repository.items(
        in: list, meeting: conditions + [.isDone(false)], sortedBy: sort, limit: rows)
      // Conditions ask for what they find; a list has only the last few behind what is open.
      let doneMax = conditions.isEmpty ? Self.completedMax : tally.done
      let done = try repository.lastCompleted(
        in: list, meeting: conditions, limit: min(doneMax, rows.map { $0 - shown.count } ?? .max))
      let hidden = Tally(
        total: tally.total - shown.count - done.count, done: tally.done - done.count)
      return (shown + sort.sorted(done.sorted { $0.precedes($1) }), hidden)
    }
  }
}

extension ItemFilter {
  /// The condition of the items; nil for all.
  fileprivate var condition: ItemCondition? {
    switch self {
    case .all: nil
    case .undone: .isDone(false)
    case .done: .isDone(true)
    }
  }
}

extension TodoItem {
  /// Whether the item comes before another one of its part of a list.
  fileprivate func precedes(_ other: TodoItem) -> Bool {
    (order, createdAt) < (other.order, other.createdAt)
  }
}

extension LocalizedText {
  /// The error of conditions that no item meets.
  static let nothingFound = LocalizedText("Nothing found.", "찾은 할일이 없습니다.")
}
