import Presentation
import TodoKit

/// The commands that show items, and what is said around a session.
extension Session {
  /// Prints the items of a list, or of all lists.
  func list(_ name: String?, _ filter: ItemFilter) throws(Problem) {
    let selected = try selectList(name)
    let items = try read { repository throws in try repository.items(in: selected.list, filter) }
    listed = ListedItems(items.map(\.id))
    switch preferences.output {
    case .table: try sayTable(items, in: selected.list)
    case .json: try sayList(items, numbers: Array(1...max(1, items.count)))
    }
    if items.isEmpty { hint(.nothingListed(in: selected, filter)) }
  }

  /// Shows a list with its header, or one item with all of its fields.
  func show(_ target: String) throws(Problem) {
    if let item = try itemToShow(target) { return try show(item) }
    let selected = try groups().list(target)
    let items = try read { repository throws in try repository.items(in: selected.list, .all) }
    let tally = Tally(total: items.count, done: items.count(where: \.isDone))
    listed = ListedItems(items.map(\.id))
    switch preferences.output {
    case .table:
      let name = selected.name.visible.text(in: preferences.language)
      let title = painter(for: surroundings.output).paint(name, .bold)
      surroundings.output.write("\(title)  \(tally.progressText)\n")
      try sayTable(items, in: selected.list)
    case .json:
      let names = try groupNames(of: items)
      let objects = items.enumerated().map { index, item in
        ItemJSON.object(of: item, number: index + 1, group: names[item])
      }
      let group = selected.group.map { ItemJSON.object(of: $0, tally: tally) } ?? "null"
      let list = "[" + objects.joined(separator: ",") + "]"
      surroundings.output.write(ItemJSON.object([("group", group), ("items", list)]) + "\n")
    }
    if items.isEmpty { hint(.nothingListed(in: selected, .all)) }
  }

  /// The item that is meant; nil for words that name a list.
  ///
  /// Digits are an item's number, a name is a group's before it is the end of an id, and a sign
  /// `@` says that a group is meant.
  private func itemToShow(_ target: String) throws(Problem) -> SelectedItem? {
    let groups = try groups()
    if !target.isDigits {
      if GroupSelection.ownList(target) != nil || target.hasPrefix("@") { return nil }
      if try groups.find(target) != nil { return nil }
      if ShortID(target) == nil, !target.isRange {
        throw Problem(.neitherGroupNorItem(target, groups: groups.groups.map(\.group.name)))
      }
    }
    return try selectOne(target)
  }

  private func show(_ selected: SelectedItem) throws(Problem) {
    let item = selected.item
    let name = try groupNames(of: [item])[item]
    switch preferences.output {
    case .table:
      let details = ItemDetails(item: item, group: name, clock: surroundings.clock)
      surroundings.output.write(details.text(in: preferences.language))
    case .json:
      let object = ItemJSON.object(of: item, number: selected.number, group: name)
      surroundings.output.write(object + "\n")
    }
  }

  /// Prints numbered items; the names of their groups only where they may differ.
  private func sayTable(_ items: [TodoItem], in list: ItemList) throws(Problem) {
    var names = GroupNames()
    if case .group = list {} else { names = try groupNames(of: items) }
    let count = ShortID.count(for: items.map(\.id))
    let rows = items.enumerated().map { index, item in
      ListedRow(
        number: index + 1, item: item, shortID: ShortID.text(of: item.id, count: count),
        group: names[item])
    }
    let stream = surroundings.output
    let table = ItemTable(
      rows: rows, language: preferences.language, painter: painter(for: stream),
      columns: stream.columns)
    stream.write(table.text)
  }

  /// Greets at the beginning of a prompt, once the items could be read.
  func welcome() throws(Problem) {
    let tally = try read { repository throws in try repository.tally(of: .all) }
    hint(.welcome(open: tally.undone, completed: tally.done))
  }
}
