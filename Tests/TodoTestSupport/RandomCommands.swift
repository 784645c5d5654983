import Foundation
package import TestSupport
package import TodoKit

/// Intents of every kind about few things, so that they affect, repeat and miss each other.
package struct RandomCommands {
  package init() {}

  package var generator = SeededGenerator()
  /// What there is by now; most ids are of these.
  package var items: [TodoItem] = []
  package var groups: [TodoGroup] = []

  /// Texts that differ, that differ in their normal form alone, and that no group may have.
  private static let texts = [
    "한", "\u{1112}\u{1161}\u{11AB}", "é", "e\u{301}", "a", "A", " a ", "", "a (1)", "중요",
  ]

  package mutating func next() -> TodoCommand {
    switch number(0..<18) {
    case 0..<4: return .add(groups: [], items: (0..<number(1..<3)).map { _ in newItem() })
    case 4:
      let group = newGroup()
      let item = TodoItem.numbered(number(1..<40), title: text(), group: group.id)
      let command = TodoCommand.add(groups: [group], items: flag() ? [item] : [])
      return flag() ? command : .reusingGroups(command)
    case 5: return .editItems(ids: someIDs(), patch: patch())
    case 6:
      let group = newGroup()
      var patch = patch()
      patch.groupID = group.id
      let command = TodoCommand.editItems(
        ids: someIDs(), patch: patch, inNewGroup: flag() ? group : nil)
      return flag() ? command : .reusingGroups(command)
    case 7:
      guard let shown = items.randomElement(using: &generator) else { return .redo }
      let expected = ItemPatch(
        title: flag() ? text() : shown.title, isDone: shown.isDone, due: .some(shown.due),
        tags: flag() ? shown.tags : nil)
      return .editItems(ids: [shown.id], patch: patch(), ifStill: expected)
    case 8:
      let image = GroupImage(bytes: Data([1]), mimeType: "image/png")
      return .editGroup(
        id: groupID(),
        patch: GroupPatch(
          name: flag() ? text() : nil, color: flag() ? .gray : nil,
          image: flag() ? .some(flag() ? image : nil) : nil),
        ifStill: flag() ? nil : GroupPatch(name: text()))
    case 9, 10: return .moveItems(ids: someIDs(), to: place(itemID(), itemID()))
    case 11: return .moveGroup(id: groupID(), to: place(groupID(), groupID()))
    case 12: return .deleteItems(ids: someIDs())
    case 13:
      let lists: [ItemList] = [.important, .ungrouped, .group(id: groupID())]
      let filter = ItemFilter.allCases[number(0..<3)]
      return .deleteAll(list: lists[number(0..<3)], filter: filter)
    case 14: return flag() ? .deleteGroup(id: groupID(), holding: flag() ? nil : []) : .undo
    case 15:
      let edits = items.shuffled(using: &generator).prefix(number(0..<3)).map { old in
        var new = old
        patch().apply(to: &new, now: .noted)
        var edit = ItemEdit(from: old, to: new)
        if number(0..<4) == 0 { edit.expected.title = text() }
        return edit
      }
      let groups = flag() ? [newGroup()] : []
      let new = (0..<number(0..<3)).map { _ in
        var item = newItem()
        item.foreignID = "file/\(number(0..<20))"
        item.foreignRecord = flag() ? Data(text().utf8) : nil
        return item
      }
      let command = TodoCommand.importItems(groups: groups, items: new, edits: Array(edits))
      return flag() ? command : .reusingGroups(command)
    case 16:
      var shown = ExpectedState(items: Array(items.prefix(2)), groups: Array(groups.prefix(1)))
      if flag(), !shown.items.isEmpty { shown.items[0].title = text() }
      if flag() { return .ifUnchanged(shown, then: .deleteItems(ids: someIDs())) }
      let group = newGroup()
      let item = TodoItem.numbered(number(1..<40), title: text(), group: group.id)
      return .reusingGroups(.ifUnchanged(shown, then: .add(groups: [group], items: [item])))
    default: return flag() ? .undo : .redo
    }
  }

  package mutating func number(_ range: Range<Int>) -> Int { .random(in: range, using: &generator) }
  package mutating func flag() -> Bool { .random(using: &generator) }
  private mutating func text() -> String { Self.texts[number(0..<Self.texts.count)] }

  private mutating func itemID() -> UUID {
    let any = UUID.numbered(number(1..<40))
    return number(0..<8) == 0 ? any : items.randomElement(using: &generator)?.id ?? any
  }

  private mutating func someIDs() -> [UUID] { (0..<number(0..<4)).map { _ in itemID() } }

  private mutating func groupID() -> UUID {
    let any = UUID.numbered(1000 + number(1..<9))
    return number(0..<8) == 0 ? any : groups.randomElement(using: &generator)?.id ?? any
  }

  private mutating func place(_ one: UUID, _ other: UUID) -> Position {
    [.first, .last, .before(id: one), .after(id: other)][number(0..<4)]
  }

  private mutating func newItem() -> TodoItem {
    var item = TodoItem.numbered(
      number(1..<40), title: text(), isDone: flag(), isImportant: flag(), minute: number(-2..<3),
      group: number(0..<3) == 0 ? groupID() : nil)
    // Places side by side leave no room between them.
    if flag() { item.order = Int64(number(1..<4)) }
    if flag() { item.doneAt = nil }
    item.tags = (0..<number(0..<3)).map { _ in text() }
    return item
  }

  private mutating func newGroup() -> TodoGroup {
    var group = TodoGroup.numbered(number(1..<9), name: text())
    if flag() { group.order = Int64(number(1..<4)) }
    return group
  }

  private mutating func patch() -> ItemPatch {
    var patch = ItemPatch()
    if number(0..<3) == 0 { patch.title = text() }
    if number(0..<5) == 0 { patch.note = text() }
    if number(0..<3) == 0 { patch.isDone = flag() }
    if number(0..<4) == 0 { patch.isImportant = flag() }
    if number(0..<4) == 0 { patch.groupID = .some(flag() ? groupID() : nil) }
    if number(0..<6) == 0 { patch.due = .some(CalendarDay(year: 2026, month: 6, day: 1)) }
    if number(0..<9) == 0 { patch.due = .some(nil) }
    // With a time alone an item without a day gets the current one, of which the twin knows nothing.
    if patch.due != nil, flag() { patch.dueTime = .some(TimeOfDay(hour: 14, minute: 30)) }
    if patch.due == .some(nil) || number(0..<9) == 0 { patch.dueTime = .some(nil) }
    if number(0..<9) == 0 {
      patch.hiddenUntil = .some(flag() ? CalendarDay(year: 2026, month: 5, day: 1) : nil)
    }
    if number(0..<9) == 0 {
      patch.estimate = .some(flag() ? Estimate(rawValue: Int32(number(1..<90))) : nil)
    }
    if number(0..<6) == 0 { patch.tags = [text()] }
    if number(0..<6) == 0 { patch.addedTags = [text(), text()] }
    if number(0..<6) == 0 { patch.removedTags = [text()] }
    if number(0..<9) == 0 { patch.order = Int64(number(1..<4)) }
    if number(0..<9) == 0 { patch.doneAt = .some(nil) }
    return patch
  }
}
