import Croft
import CroftFoundation
import Presentation

/// Executes one command in a write transaction: rows, then tallies, then the history.
///
/// The store's transaction is all that it touches, so what a command means is written once. Every
/// changed row is recorded, and tallies, undo and redo are derived from the records. Those of a
/// command of many rows are stored in portions, so that memory does not hold them all.
///
/// Threads: that of the transaction.
struct CommandExecutor: Sendable {
  /// The time that is stored as the moment of a change.
  let now: Date
  /// The current day of the user, from which repeated items get their next day.
  let today: @Sendable () -> CalendarDay
  /// How much history is kept.
  let limits: HistoryLimits
  /// Called with the number of changed rows after each portion; what it throws ends the command.
  let onProgress: (@Sendable (Int) throws -> Void)?
  /// Whether a command of the history is replayed: names and order keys are stored as they are.
  var isReplay = false
  /// What a replay has left alone.
  var leftAlone = LeftAlone()
  /// What the command has changed since its last portion was stored.
  var changes = ChangeSet()
  /// The rows of a replay as they are afterwards or, if they were deleted, in their last state.
  var replayed: (items: [TodoItem], groups: [TodoGroup]) = ([], [])
  /// The number of the command in the history, and of its portions; nil before the first portion.
  var portions: (command: Int64, count: Int64)?

  /// How many rows the stored portions have.
  var rowCount = 0

  /// Executes a command with a copy of this, with its tallies and its entry in the history.
  func executing(
    _ command: TodoCommand, in tx: inout WriteTransaction
  ) throws -> CommandResult {
    var executor = self
    switch command {
    case .ifUnchanged(let shown, let command):
      try check(shown, in: &tx)
      return try executing(command, in: &tx)
    case .reusingGroups(let command):
      let (command, reused) = try reusingGroups(of: command, in: &tx)
      let result = try executing(command, in: &tx)
      return reused.isEmpty ? result : result.with(groups: result.groups + reused)
    case .undo: return try executor.undo(in: &tx)
    case .redo: return try executor.redo(in: &tx)
    default:
      let (items, groups) = try executor.apply(command, in: &tx)
      let isNoOp = executor.changes.isEmpty && executor.portions == nil
      try executor.updateTallies(in: &tx)
      let step = try executor.addToHistory(command, in: &tx)
      return CommandResult(
        command: command, items: items, groups: groups, isNoOp: isNoOp, step: step)
    }
  }

  /// Applies a command to items and groups, and records each change.
  mutating func apply(
    _ command: TodoCommand, in tx: inout WriteTransaction
  ) throws -> (items: [TodoItem], groups: [TodoGroup]) {
    switch command {
    case .add(let newGroups, let newItems):
      let groups = try add(newGroups, in: &tx)
      return (try add(newItems, in: &tx), groups)
    case .editItems(let ids, let patch, let expected, let newGroup):
      let groups = try add(newGroup.map { [$0] } ?? [], in: &tx)
      return (try edit(ids, patch, ifStill: expected, in: &tx), groups)
    case .editGroup(let id, let patch, let expected):
      return ([], [try edit(id, patch, ifStill: expected, in: &tx)])
    case .moveItems(let ids, let position): return (try move(ids, to: position, in: &tx), [])
    case .moveGroup(let id, let position):
      return ([], [try moveGroup(id, to: position, in: &tx)])
    case .deleteItems(let ids):
      let items = try ids.unique.map { try knownItem($0, in: &tx) }
      return (try delete(items, in: &tx), [])
    case .deleteAll(let list, let filter):
      return (try delete(tx.items(in: list, filter), in: &tx), [])
    case .deleteGroup(let id, let held): return try deleteGroup(id, holding: held, in: &tx)
    case .importItems(let groups, let items, let edits):
      return try importItems(groups, items, edits, in: &tx)
    // These are executed above: the history does not contain them.
    case .ifUnchanged, .reusingGroups, .undo, .redo: return ([], [])
    }
  }

  /// Records a change of an item, which is nil before its insertion and after its deletion.
  mutating func record(
    _ old: TodoItem?, _ new: TodoItem?, in tx: inout WriteTransaction
  ) throws {
    changes.record(old, new)
    if old == nil, let new { try tx.upsert(ItemEnding(reversed: new.id.reversed)) }
    if new == nil, let old { try tx.delete(ItemEnding.self, old.id.reversed) }
    if changes.count >= limits.rowsPerPortion { try finishPortion(in: &tx) }
  }

  /// Records a change of a group, which is nil before its insertion and after its deletion.
  mutating func record(
    _ old: TodoGroup?, _ new: TodoGroup?, in tx: inout WriteTransaction
  ) throws {
    changes.record(old, new)
    if changes.count >= limits.rowsPerPortion { try finishPortion(in: &tx) }
  }

  /// Stores and counts what was changed since the last portion, and forgets it.
  mutating func finishPortion(in tx: inout WriteTransaction) throws {
    try updateTallies(in: &tx)
    try storePortion(in: &tx)
    rowCount += changes.count
    changes = ChangeSet()
    try onProgress?(rowCount)
  }

  /// Throws unless all is as a user was shown it; the order of items and groups does not count.
  private func check(_ shown: ExpectedState, in tx: inout WriteTransaction) throws {
    for old in shown.items {
      var new = try knownItem(old.id, in: &tx)
      new.order = old.order
      guard ItemPatch(from: old, to: new) == ItemPatch() else {
        throw TodoError.changedSince(old.id)
      }
    }
    for old in shown.groups {
      var new = try knownGroup(old.id, in: &tx)
      new.order = old.order
      guard GroupPatch(from: old, to: new) == GroupPatch() else {
        throw TodoError.changedSince(old.id)
      }
    }
    if let step = shown.lastStep, try tx.first(LoggedCommand.nextUndo)?.step != step {
      throw TodoError.notTheLastCommand
    }
  }

  /// Updates the tallies: a constant number of writes for each list that was changed.
  mutating func updateTallies(in tx: inout WriteTransaction) throws {
    try tx.updateTallies(changes)
  }
}

extension WriteTransaction {
  /// Updates the tallies of the lists whose items were changed.
  mutating func updateTallies(_ changes: ChangeSet) throws {
    for (list, change) in changes.tallyChanges {
      let old = try tally(of: list)
      try setTally(
        Tally(total: old.total + change.total, done: old.done + change.done), of: list)
    }
  }

  /// Stores a list's tally; that of an empty list is removed.
  mutating func setTally(_ tally: Tally, of list: ItemList) throws {
    if tally == Tally() {
      try delete(ListTally.self, list.tallyKey)
    } else {
      try upsert(ListTally(list: list.tallyKey, total: tally.total, done: tally.done))
    }
  }
}
