#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a command needs to know beside itself.
struct CommandContext: Sendable {
  /// The moment that is noted in what the command does.
  let now: Date
  /// How much history is kept.
  var limits = HistoryLimits()
  /// Whether a command of the history is replayed: names and places are kept as they are.
  var isReplay = false
}

extension TodoTables where Self: ~Copyable {
  /// Does what an intent says, with its tallies and its entry in the history.
  mutating func perform(
    _ intent: TodoIntent, _ context: CommandContext
  ) throws -> TodoReceipt {
    switch intent {
    case .undo: return try takeBack(context)
    case .redo: return try doAgain(context)
    default:
      var journal = Journal()
      let receipt = try carryOut(intent, context, &journal)
      try settle(journal)
      try log(intent, journal, context.limits)
      return receipt
    }
  }

  /// Does what an intent says to items and groups, and notes it.
  mutating func carryOut(
    _ intent: TodoIntent, _ context: CommandContext, _ journal: inout Journal
  ) throws -> TodoReceipt {
    var items: [TodoItem] = []
    var groups: [TodoGroup] = []
    switch intent {
    case .add(let newGroups, let newItems):
      groups = try add(newGroups, context, &journal)
      items = try add(newItems, context, &journal)
    case .editItems(let ids, let patch, let expected):
      items = try edit(ids, patch, ifStill: expected, context, &journal)
    case .editGroup(let id, let patch, let expected):
      groups = [try edit(id, patch, ifStill: expected, context, &journal)]
    case .moveItems(let ids, let place): items = try move(ids, to: place, &journal)
    case .moveGroup(let id, let place): groups = [try moveGroup(id, to: place, &journal)]
    case .deleteItems(let ids): items = try delete(ids, &journal)
    case .deleteAll(let list, let filter):
      items = try self.items(in: list, filter)
      try remove(items, &journal)
    case .deleteGroup(let id, let holding):
      let report = try deleteGroup(id, holding: holding, &journal)
      (groups, items) = (report.groups, report.items)
    // The history is above the commands, so it never comes down here.
    case .undo, .redo: break
    }
    return TodoReceipt(
      intent: intent, items: items, groups: groups, changedNothing: journal.isEmpty)
  }

  /// Brings the tallies up to date: a constant number of writes for each list that was changed.
  mutating func settle(_ journal: Journal) throws {
    for (list, change) in journal.tallyChanges {
      var tally = try tally(of: list)
      tally.total += change.total
      tally.done += change.done
      try setTally(tally, of: list)
    }
  }
}

extension TodoIntent {
  /// Whether there is nothing to do, so that no transaction is needed.
  var isEmpty: Bool {
    switch self {
    case .add(let groups, let items): groups.isEmpty && items.isEmpty
    case .editItems(let ids, _, _), .moveItems(let ids, _), .deleteItems(let ids): ids.isEmpty
    default: false
    }
  }
}
