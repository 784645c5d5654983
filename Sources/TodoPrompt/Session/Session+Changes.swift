import Presentation
import TodoKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The commands that change items. Each resolves to ids first, and is one transaction.
extension Session {
  func add(_ typed: TypedItem) throws(Problem) {
    let actions = try actions()
    let group =
      if let name = typed.group { try groups().destination(name) } else { nil as TodoGroup? }
    let due = try typed.due.flatMap { words throws(Problem) in
      do throws(Problem) {
        return try dueDay(words)
      } catch {
        throw words.contains(where: \.isWhitespace) ? error : error.hinting(.quoteTheDay)
      }
    }
    let chosen = if let priority = typed.priority { priority } else { try defaultPriority() }
    let item = try askingForPriority(chosen, .choosePriority) { priority throws(Problem) in
      try actions.add(
        TaskDraft(
          title: typed.title, priority: priority, groupID: group?.id, due: due, tags: typed.tags))
    }
    let number = listed.append(item.id)
    switch preferences.output {
    case .table:
      say(
        .added(String(number), item.title.visible, ItemExtras(of: item, group: group?.name).phrase))
    case .json:
      let object = ItemJSON.object(of: item, number: number, group: group?.name)
      surroundings.output.write(object + "\n")
    }
  }

  func setDone(_ targets: [String], _ isDone: Bool) throws(Problem) {
    try change(targets, { .setDone($0, isDone) }) { label, item in
      isDone ? .done(label, item.title.visible) : .undone(label, item.title.visible)
    }
  }

  func setImportant(_ targets: [String], _ isImportant: Bool) throws(Problem) {
    try change(targets, { .setImportant($0, isImportant) }) { label, item in
      isImportant ? .starred(label, item.title.visible) : .unstarred(label, item.title.visible)
    }
  }

  func edit(_ target: String, _ title: String) throws(Problem) {
    let selected = try selectOne(target)
    let old = selected.item
    let change = try perform(.retitle(old.id, to: title), on: [old])
    try say(change, as: [selected]) { label, item in
      .retitled(label, from: old.title.visible, to: item.title.visible)
    }
  }

  func setPriority(_ targets: [String], _ priority: Priority?) throws(Problem) {
    let selected = try select(targets)
    let change = try askingForPriority(priority, .choosePriorityLast) { priority throws(Problem) in
      try perform(.setPriority(selected.map(\.item.id), priority), on: selected.map(\.item))
    }
    try say(change, as: selected) { label, item in
      .prioritised(label, item.priority, item.title.visible)
    }
  }

  func setDue(_ targets: [String], _ words: String) throws(Problem) {
    let day = try dueDay(words)
    try change(targets, { .setDue($0, day) }) { .due($0, $1.due, $1.title.visible) }
  }

  func addTags(_ targets: [String], _ tags: [String]) throws(Problem) {
    try change(targets, { .addTags($0, tags) }) { .tagged($0, $1.tags, $1.title.visible) }
  }

  func removeTags(_ targets: [String], _ tags: [String]) throws(Problem) {
    try change(targets, { .removeTags($0, tags) }) { .tagged($0, $1.tags, $1.title.visible) }
  }

  func setGroup(_ targets: [String], _ name: String) throws(Problem) {
    let selected = try select(targets)
    let group = try groups().destination(name)
    let change = try perform(
      .setGroup(selected.map(\.item.id), group?.id), on: selected.map(\.item))
    try say(change, as: selected) { .filed($0, $1.title.visible, in: group?.name.visible) }
  }

  func move(_ targets: [String], to place: TypedPlace) throws(Problem) {
    let selected = try select(targets)
    let (resolved, name): (Place, Phrase)
    switch place {
    case .first: (resolved, name) = (.first, .atTheTop)
    case .last: (resolved, name) = (.last, .atTheBottom)
    case .before(let word):
      let neighbor = try neighbor(word, of: selected)
      (resolved, name) = (.before(id: neighbor.id), .before(neighbor.title.visible))
    case .after(let word):
      let neighbor = try neighbor(word, of: selected)
      (resolved, name) = (.after(id: neighbor.id), .after(neighbor.title.visible))
    }
    let change = try perform(
      .move(selected.map(\.item.id), to: resolved), on: selected.map(\.item))
    try say(change, as: selected) { .moved($0, $1.title.visible, name) }
  }

  /// The item beside which others are put; none of them.
  private func neighbor(_ word: String, of selected: [SelectedItem]) throws(Problem) -> TodoItem {
    let neighbor = try selectOne(word).item
    if selected.contains(where: { $0.item.id == neighbor.id }) {
      throw Problem(.besideItself(neighbor.title.visible))
    }
    return neighbor
  }

  /// Changes items that were found before; a refusal names them by their titles.
  func perform(
    _ action: ItemListViewModel.Action, on items: [TodoItem]
  ) throws(Problem) -> ItemListViewModel.Change {
    do throws(Problem) {
      return try actions().perform(action)
    } catch {
      throw error.naming(Dictionary(items.map { ($0.id, $0.title) }) { first, _ in first })
    }
  }

  /// Resolves, changes and tells: what most commands do.
  private func change(
    _ targets: [String], _ action: ([UUID]) -> ItemListViewModel.Action,
    _ phrase: (String, TodoItem) -> Phrase
  ) throws(Problem) {
    let selected = try select(targets)
    let change = try perform(action(selected.map(\.item.id)), on: selected.map(\.item))
    try say(change, as: selected, phrase)
  }

  /// The day that words name; nil for `none`.
  private func dueDay(_ words: String) throws(Problem) -> CalendarDay? {
    if ["none", "없음"].contains(words.trimmed.lowercased()) { return nil }
    let today = surroundings.clock.today
    switch Validator.day(today: today).validate(words) {
    case .valid(let day, _): return day
    case .invalid(let issues):
      // Words that name a day on Monday, and none today, name one that has passed.
      if let monday = today.adding(days: 1 - today.weekday),
        let passed = CalendarDay(words: words, today: monday), passed < today
      {
        throw Problem(.dayHasPassed(passed), .usage)
      }
      throw Problem(issues[0], .usage)
    }
  }

  /// Tries, and asks for a priority when that is what the domain misses.
  ///
  /// - Parameter hint: How a priority is written, for where nobody can be asked.
  private func askingForPriority<Value>(
    _ priority: Priority?, _ hint: Phrase, _ attempt: (Priority?) throws(Problem) -> Value
  ) throws(Problem) -> Value {
    do {
      return try attempt(priority)
    } catch {
      guard error.lacksPriority else { throw error }
      guard let questions else { throw error.hinting(hint) }
      guard let answer = questions.priority() else { throw error }
      return try attempt(answer)
    }
  }

  /// What `TODO_PRIORITY` says, for scripts that do not want to say it each time.
  private func defaultPriority() throws(Problem) -> Priority? {
    guard let word = surroundings.environment["TODO_PRIORITY"], !word.isEmpty
    else { return nil }
    guard let priority = Priority(word: word) else {
      throw Problem(.unknownDefaultPriority(word), .usage)
    }
    return priority
  }
}
