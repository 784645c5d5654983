import Croft
import CroftFoundation

/// One command that can be undone, or redone, as the store keeps it.
///
/// The names of the type and of its properties are those in the file.
@Model
struct LoggedCommand: Hashable, Sendable {
  /// Its number in the history: numbers follow each other without gaps.
  @PrimaryKey var number: Int64
  /// The command, as JSON of a `TodoCommand`.
  var intent: Data
  /// The commands that undo it, as JSON; empty where they are in portions.
  var undo: Data
  /// The commands that redo it, exactly, as JSON; empty where they are in portions.
  var redo: Data
  /// The bytes of all commands up to this one, those included that were removed, without portions.
  var bytesUpToHere: Int64
  /// Whether it has been undone.
  var isUndone: Bool = false
  /// How many portions hold what undoes and redoes it; 0 where it does so itself.
  var portions: Int64 = 0
  /// When it was performed, or redone last; nil before times were kept.
  var performedAt: Date?

  /// The entry by which callers name the command.
  var step: HistoryStep { HistoryStep(number: number, performedAt: performedAt) }

  var byteCount: Int64 { Int64(intent.count + undo.count + redo.count) }

  func command() throws -> TodoCommand {
    try HistoryJSON.decode(TodoCommand.self, from: intent)
  }

  /// The query of the command that undo undoes: the newest that is not undone.
  static var nextUndo: Query<LoggedCommand> {
    LoggedCommand.where { !$0.isUndone }.order(by: \.number.descending).limit(1)
  }

  /// The query of the command that redo does again: the oldest that is undone.
  static var nextRedo: Query<LoggedCommand> { LoggedCommand.where { $0.isUndone }.limit(1) }
}

/// Undo, redo, and what the history keeps.
extension CommandExecutor {
  /// The most bytes that a command keeps itself; more are in a portion.
  static let ownBytes = 1 << 20

  /// Adds the command to the history; removes the undone commands, and those that are too old.
  ///
  /// - Returns: Its entry; nil if it cannot be undone, as it changed nothing or there is no history.
  mutating func addToHistory(
    _ command: TodoCommand, in tx: inout WriteTransaction
  ) throws -> HistoryStep? {
    if changes.isEmpty, portions == nil { return nil }
    // Without this command in the history no earlier one can be undone.
    guard limits.commands > 0 else {
      try removeAll(in: &tx)
      return nil
    }
    if portions == nil {
      let undo = try HistoryJSON.encode(changes.undo)
      let redo = try HistoryJSON.encode(changes.redo)
      if undo.count + redo.count <= Self.ownBytes {
        let last = try lastDone(in: &tx)
        return try log(
          LoggedCommand(
            number: (last?.number ?? 0) + 1, intent: try HistoryJSON.encode(command), undo: undo,
            redo: redo, bytesUpToHere: 0, performedAt: now), after: last, in: &tx)
      }
    }
    try storePortion(in: &tx)
    guard let portions else { return nil }
    return try log(
      LoggedCommand(
        number: portions.command, intent: try HistoryJSON.encode(command.withoutRows), undo: Data(),
        redo: Data(), bytesUpToHere: 0, portions: portions.count, performedAt: now),
      after: tx.lastCommand(), in: &tx)
  }

  /// Stores what was changed since the last portion.
  mutating func storePortion(in tx: inout WriteTransaction) throws {
    if changes.isEmpty { return }
    if isReplay {
      replayed.items += changes.items.all.compactMap { $0.new ?? $0.old }
      replayed.groups += changes.groups.all.compactMap { $0.new ?? $0.old }
    } else if limits.commands > 0 {
      let (command, count) = try portions ?? ((lastDone(in: &tx)?.number ?? 0) + 1, 0)
      try tx.upsert(
        LoggedPortion(
          id: LoggedPortion.key(command, count),
          undo: DeflatedData.deflating(try HistoryJSON.encode(changes.undo)),
          redo: DeflatedData.deflating(try HistoryJSON.encode(changes.redo))))
      portions = (command, count + 1)
    } else {
      portions = (0, 0)
    }
  }

  /// The newest command, after which nothing is undone: what was is removed.
  private func lastDone(in tx: inout WriteTransaction) throws -> LoggedCommand? {
    let last = try tx.lastCommand()
    guard let last, last.isUndone, let undone = try tx.first(LoggedCommand.nextRedo) else {
      return last
    }
    try tx.removeCommands(undone.number...last.number)
    return try tx.lastCommand()
  }

  private func log(
    _ command: LoggedCommand, after last: LoggedCommand?, in tx: inout WriteTransaction
  ) throws -> HistoryStep {
    var command = command
    command.bytesUpToHere = (last?.bytesUpToHere ?? 0) + command.byteCount
    try tx.upsert(command)
    try removeOldest(upTo: command, in: &tx)
    return command.step
  }

  /// Undoes the last command that is not undone.
  mutating func undo(in tx: inout WriteTransaction) throws -> CommandResult {
    guard var entry = try tx.first(LoggedCommand.nextUndo) else { throw TodoError.nothingToUndo }
    entry.isUndone = true
    try replay(entry.undo, after: entry.redo, in: &tx)
    for number in (0..<entry.portions).reversed() {
      let portion = try tx.portion(number, of: entry)
      try replay(portion.undo, after: portion.redo, in: &tx)
    }
    return try finishReplay(of: entry, in: &tx)
  }

  /// Redoes the command that was undone last.
  mutating func redo(in tx: inout WriteTransaction) throws -> CommandResult {
    guard var entry = try tx.first(LoggedCommand.nextRedo) else { throw TodoError.nothingToRedo }
    entry.isUndone = false
    entry.performedAt = now
    try replay(entry.redo, after: entry.undo, in: &tx)
    var parts: [[TodoItem]] = []
    for number in 0..<entry.portions {
      let portion = try tx.portion(number, of: entry)
      try replay(portion.redo, after: portion.undo, in: &tx)
      try finishPortion(in: &tx)
      parts.append(replayed.items)
      replayed.items = []
    }
    // Of a deletion the first portion has the last items.
    let isDeletion = try parts.first?.first.map { try tx.get(TodoItem.self, $0.id) == nil } ?? false
    replayed.items += (isDeletion ? parts.reversed() : parts).joined()
    return try finishReplay(of: entry, in: &tx)
  }

  private mutating func finishReplay(
    of entry: LoggedCommand, in tx: inout WriteTransaction
  ) throws -> CommandResult {
    try finishPortion(in: &tx)
    try tx.upsert(entry)
    return CommandResult(
      command: try entry.command(), items: replayed.items, groups: replayed.groups,
      step: entry.isUndone ? nil : entry.step, leftAlone: leftAlone)
  }

  private func removeAll(in tx: inout WriteTransaction) throws {
    guard let first = try tx.firstCommand(), let last = try tx.lastCommand() else { return }
    try tx.removeCommands(first.number...last.number)
  }

  /// Removes the oldest commands until the limits hold; the newest one always stays.
  private func removeOldest(upTo last: LoggedCommand, in tx: inout WriteTransaction) throws {
    while let first = try tx.firstCommand(), first.number < last.number {
      let count = last.number - first.number + 1
      let bytes = last.bytesUpToHere - first.bytesUpToHere + first.byteCount
      if count <= limits.commands && bytes <= limits.bytes { return }
      try tx.removeCommands(first.number...first.number)
    }
  }
}

extension TodoCommand {
  /// The command without ids and items, for a history that stores its rows separately.
  package var withoutRows: TodoCommand {
    switch self {
    case .add(let groups, _): .add(groups: groups, items: [])
    case .editItems(_, let patch, let expected, let newGroup):
      .editItems(ids: [], patch: patch, ifStill: expected, inNewGroup: newGroup)
    case .moveItems(_, let position): .moveItems(ids: [], to: position)
    case .deleteItems: .deleteItems(ids: [])
    case .deleteGroup(let id, _): .deleteGroup(id: id, holding: nil)
    case .importItems(let groups, _, _): .importItems(groups: groups, items: [], edits: [])
    case .editGroup, .moveGroup, .deleteAll, .ifUnchanged, .reusingGroups, .undo,
      .redo:
      self
    }
  }
}

extension WriteTransaction {
  /// The oldest command of the history.
  fileprivate mutating func firstCommand() throws -> LoggedCommand? {
    try first(LoggedCommand.all.limit(1))
  }

  /// The newest command of the history, undone or not.
  fileprivate mutating func lastCommand() throws -> LoggedCommand? {
    try first(LoggedCommand.all.order(by: \.number.descending).limit(1))
  }

  fileprivate mutating func removeCommands(_ numbers: ClosedRange<Int64>) throws {
    let portions =
      LoggedPortion.key(numbers.lowerBound, 0)...(LoggedPortion.key(numbers.upperBound + 1, 0) - 1)
    try delete(LoggedPortion.where { $0.id.in(portions) })
    try delete(LoggedCommand.where { $0.number.in(numbers) })
  }
}

extension ReadableTransaction where Self: ~Copyable {
  /// A part of what undoes and redoes a command.
  mutating func portion(
    _ number: Int64, of command: LoggedCommand
  ) throws -> LoggedPortion {
    let key = LoggedPortion.key(command.number, number)
    guard var portion = try get(LoggedPortion.self, key) else {
      throw TodoError.historyIncomplete
    }
    portion.undo = try DeflatedData.inflating(portion.undo)
    portion.redo = try DeflatedData.inflating(portion.redo)
    return portion
  }
}
