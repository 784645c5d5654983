import TodoKit

/// What the words of a command name, found before anything happens.
extension Session {
  /// The items that words name.
  func select(_ targets: [String]) throws(CommandError) -> [SelectedItem] {
    try ItemSelection(listed: listed, repository: repository()).resolve(targets)
  }

  /// The one item that a word names.
  func selectOne(_ target: String) throws(CommandError) -> SelectedItem {
    let selected = try select([target])
    guard selected.count == 1 else { throw CommandError(.onlyOneItem(target), .usage) }
    return selected[0]
  }

  /// The list that a name means; all items without one.
  func selectList(_ name: String?) throws(CommandError) -> SelectedList {
    guard let name else { return SelectedList(list: .all, group: nil) }
    return try groups().list(name)
  }

  /// The groups there are, to find names among.
  func groups() throws(CommandError) -> GroupSelection {
    GroupSelection(groups: try read { repository throws in try repository.groups() })
  }

  /// The names of the groups that items belong to; nothing is read when they belong to none.
  func groupNames(of items: [TodoItem]) throws(CommandError) -> GroupNames {
    guard items.contains(where: { $0.groupID != nil }) else { return GroupNames() }
    return GroupNames(try groups().groups.map(\.group))
  }

  func read<Value>(
    _ body: (any TodoRepository) throws -> Value
  ) throws(CommandError) -> Value {
    let repository = try repository()
    do { return try body(repository) } catch { throw CommandError(storage: error) }
  }
}
