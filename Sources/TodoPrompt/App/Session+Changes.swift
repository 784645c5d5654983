import Presentation
import TodoKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The commands that change items. Each resolves to ids first, and is one transaction.
extension Session {
  func add(_ typed: AddArguments) throws(CommandError) {
    let actions = try actions()
    let group =
      if let name = typed.group { try groups().destination(name) } else { nil as TodoGroup? }
    let due = try typed.due.flatMap { words throws(CommandError) in
      do throws(CommandError) {
        return try dueDay(words)
      } catch {
        throw words.contains(where: \.isWhitespace) ? error : error.hinting(.quoteTheDay)
      }
    }
    let chosen = if let priority = typed.priority { priority } else { try defaultPriority() }
    let item = try askingForPriority(chosen, .choosePriority) { priority throws(CommandError) in
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

  func setDone(_ targets: [String], _ isDone: Bool) throws(CommandError) {
    try change(targets, { .setDone($0, isDone) }) { label, item in
      isDone ? .done(label, item.title.visible) : .undone(label, item.title.visible)
    }
  }

  func setImportant(_ targets: [String], _ isImportant: Bool) throws(CommandError) {
    try change(targets, { .setImportant($0, isImportant) }) { label, item in
      isImportant ? .starred(label, item.title.visible) : .unstarred(label, item.title.visible)
    }
  }

  func edit(_ target: String, _ title: String) throws(CommandError) {
    let selected = try selectOne(target)
    let old = selected.item
    let change = try perform(.retitle(old.id, to: title), on: [old])
    try say(change, as: [selected]) { label, item in
      .retitled(label, from: old.title.visible, to: item.title.visible)
    }
  }

  func setPriority(_ targets: [String], _ priority: Priority?) throws(CommandError) {
    let selected = try select(targets)
    let change = try askingForPriority(priority, .choosePriorityLast) {
      priority throws(CommandError) in
      try perform(.setPriority(selected.map(\.item.id), priority), on: selected.map(\.item))
    }
    try say(change, as: selected) { label, item in
      .prioritised(label, item.priority, item.title.visible)
    }
  }

  func setDue(_ targets: [String], _ words: String) throws(CommandError) {
    let day = try dueDay(words)
    try change(targets, { .setDue($0, day) }) { .due($0, $1.due, $1.title.visible) }
  }

  func addTags(_ targets: [String], _ tags: [String]) throws(CommandError) {
    try change(targets, { .addTags($0, tags) }) { .tagged($0, $1.tags, $1.title.visible) }
  }

  func removeTags(_ targets: [String], _ tags: [String]) throws(CommandError) {
    try change(targets, { .removeTags($0, tags) }) { .tagged($0, $1.tags, $1.title.visible) }
  }

  /// Changes items that were found before; a refusal names them by their titles.
  func perform(
    _ action: ItemListViewModel.Action, on items: [TodoItem]
  ) throws(CommandError) -> ItemListViewModel.Change {
    do throws(CommandError) {
      return try actions().perform(action)
    } catch {
      throw error.naming(Dictionary(items.map { ($0.id, $0.title) }) { first, _ in first })
    }
  }

  /// Resolves, changes and tells: what most commands do.
  private func change(
    _ targets: [String], _ action: ([UUID]) -> ItemListViewModel.Action,
    _ phrase: (String, TodoItem) -> LocalizedText
  ) throws(CommandError) {
    let selected = try select(targets)
    let change = try perform(action(selected.map(\.item.id)), on: selected.map(\.item))
    try say(change, as: selected, phrase)
  }
}
