import TodoKit

/// Taking commands back, and doing them again.
extension Session {
  func undo() throws(Problem) {
    let change = try actions().perform(.undo)
    try tell(change, .takenBack(.command(change)))
  }

  func redo() throws(Problem) {
    let change = try actions().perform(.redo)
    try tell(change, .doneAgain(.command(change)))
  }

  private func tell(_ change: ItemListViewModel.Change, _ phrase: Phrase) throws(Problem) {
    switch preferences.output {
    case .table: say(phrase)
    case .json: try sayObject(change.items, change.groups)
    }
  }

  /// Prints items and groups together, as one JSON object.
  func sayObject(_ items: [TodoItem], _ groups: [TodoGroup]) throws(Problem) {
    // Items that went with their groups are told with them.
    let names = GroupNames(try self.groups().groups.map(\.group) + groups)
    let objects = items.map { item in
      ItemJSON.object(of: item, number: listed.number(of: item.id), group: names[item])
    }
    let fields = [
      ("items", "[" + objects.joined(separator: ",") + "]"),
      ("groups", "[" + (try groupObjects(groups)).joined(separator: ",") + "]"),
    ]
    surroundings.output.write(ItemJSON.object(fields) + "\n")
  }
}
