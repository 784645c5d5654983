import TodoKit

/// Taking commands back, and doing them again.
extension Session {
  func undo() throws(CommandError) {
    let change: ItemListViewModel.Change
    do throws(CommandError) {
      change = try actions().perform(.undo)
    } catch {
      guard case .storage(TodoError.nothingToUndo) = error.cause else { throw error }
      let isEmpty = try read { repository throws in
        try repository.tally(of: .all).total == 0 && repository.groups().isEmpty
      }
      throw isEmpty ? error : error.hinting(.olderCommandsAreNotKept)
    }
    try tell(change, .takenBack(.command(change)))
  }

  func redo() throws(CommandError) {
    let change = try actions().perform(.redo)
    try tell(change, .doneAgain(.command(change)))
  }

  private func tell(_ change: ItemListViewModel.Change, _ phrase: LocalizedText)
    throws(CommandError)
  {
    switch preferences.output {
    case .table: say(phrase)
    case .json: try sayObject(change.items, change.groups)
    }
  }

  /// Prints items and groups together, as one JSON object.
  func sayObject(_ items: [TodoItem], _ groups: [TodoGroup]) throws(CommandError) {
    let known = try self.groups().groups
    // Items that went with their groups are told with them, and counted as they were.
    let names = GroupNames(known.map(\.group) + groups)
    let objects = items.map { item in
      ItemJSON.object(of: item, number: listed.number(of: item.id), group: names[item])
    }
    let groupObjects = groups.map { group in
      let gone = items.filter { $0.groupID == group.id }
      let counted = Tally(total: gone.count, done: gone.count(where: \.isDone))
      let tally = known.first { $0.id == group.id }?.tally ?? counted
      return ItemJSON.object(of: group, tally: tally)
    }
    let fields = [
      ("items", "[" + objects.joined(separator: ",") + "]"),
      ("groups", "[" + groupObjects.joined(separator: ",") + "]"),
    ]
    surroundings.output.write(ItemJSON.object(fields) + "\n")
  }
}
