import Croft
import CroftFoundation

/// The states that items have had, as far as the history knows them.
extension ReadTransaction {
  /// The states before each change since a time, by the ids of the items.
  ///
  /// The steps that undo a change make the state before it. An item that was added since then has no
  /// earlier state than that in which it was added.
  ///
  /// - Complexity: O(n) in the bytes of the commands since then.
  mutating func itemStates(since time: Date) throws -> [UUID: [TodoItem]] {
    var states: [UUID: [TodoItem]] = [:]
    // Numbers follow each other without gaps.
    var number = try first(LoggedCommand.all.order(by: \.number.descending).limit(1))?.number ?? 0
    while let command = try get(LoggedCommand.self, number) {
      number -= 1
      if command.isUndone { continue }
      guard let performedAt = command.performedAt, performedAt > time else { break }
      for step in try undoSteps(of: command) {
        switch step {
        case .editItems(let ids, let patch, _, _):
          for id in ids {
            guard var item = try states[id]?.last ?? get(TodoItem.self, id) else { continue }
            patch.apply(to: &item, now: performedAt)
            states[id, default: []].append(item)
          }
        case .add(_, let items):
          for item in items { states[item.id, default: []].append(item) }
        default: break
        }
      }
    }
    return states
  }

  private mutating func undoSteps(of command: LoggedCommand) throws -> [TodoCommand] {
    var steps =
      command.undo.isEmpty ? [] : try HistoryJSON.decode([TodoCommand].self, from: command.undo)
    for portion in (0..<command.portions).reversed() {
      let stored = try self.portion(portion, of: command)
      steps += try HistoryJSON.decode([TodoCommand].self, from: stored.undo)
    }
    return steps
  }
}
