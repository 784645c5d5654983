import Croft

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One command that can be undone, or redone, as the store keeps it.
///
/// The names of the type and of its properties are those in the file.
@Model
struct LoggedCommand: Hashable, Sendable {
  /// Its number in the history: numbers follow each other without gaps.
  @PrimaryKey var number: Int64
  /// The command, as JSON of a `TodoCommand`.
  var intent: Data
  /// The commands that undo it, as JSON.
  var undo: Data
  /// The commands that redo it, exactly as it was done, as JSON.
  var redo: Data
  /// The bytes of all commands up to this one, those included that were removed.
  var bytesUpToHere: Int64
  /// Whether it has been undone.
  var isUndone: Bool = false

  /// The bytes of this command.
  var byteCount: Int64 { Int64(intent.count + undo.count + redo.count) }

  /// The command.
  ///
  /// - Throws: `DecodingError` where the bytes are not its JSON.
  func command() throws -> TodoCommand {
    try JSONDecoder().decode(TodoCommand.self, from: intent)
  }

  /// The query of the command that undo takes back: the newest that is not undone.
  static var nextUndo: Query<LoggedCommand> {
    LoggedCommand.where { !$0.isUndone }.order(by: \.number.descending).limit(1)
  }

  /// The query of the command that redo does again: the oldest that is undone.
  static var nextRedo: Query<LoggedCommand> { LoggedCommand.where { $0.isUndone }.limit(1) }
}

/// Undo, redo, and what the history keeps.
extension CommandExecutor {
  /// Adds the command to the history; removes the undone commands, and those that are too old.
  ///
  /// - Returns: Whether it can be undone: it changed something, and the history keeps it.
  mutating func addToHistory(
    _ command: TodoCommand, in tx: inout WriteTransaction
  ) throws -> Bool {
    if changes.isEmpty { return false }
    // Without this command in the history no earlier one can be undone.
    guard limits.commands > 0 else {
      try removeAll(in: &tx)
      return false
    }
    var last = try tx.lastCommand()
    if let end = last, end.isUndone, let undone = try tx.first(LoggedCommand.nextRedo) {
      try tx.removeCommands(undone.number...end.number)
      last = try tx.lastCommand()
    }
    let encoder = JSONEncoder()
    var entry = LoggedCommand(
      number: (last?.number ?? 0) + 1, intent: try encoder.encode(command),
      undo: try encoder.encode(changes.undo), redo: try encoder.encode(changes.redo),
      bytesUpToHere: last?.bytesUpToHere ?? 0)
    entry.bytesUpToHere += entry.byteCount
    guard entry.byteCount <= limits.bytes else {
      try removeAll(in: &tx)
      return false
    }
    try tx.upsert(entry)
    try removeOldest(upTo: entry, in: &tx)
    return true
  }

  /// Undoes the last command that is not undone.
  mutating func undo(in tx: inout WriteTransaction) throws -> CommandResult {
    guard var entry = try tx.first(LoggedCommand.nextUndo) else { throw TodoError.nothingToUndo }
    entry.isUndone = true
    return try replay(entry.undo, of: entry, in: &tx)
  }

  /// Redoes the command that was undone last.
  mutating func redo(in tx: inout WriteTransaction) throws -> CommandResult {
    guard var entry = try tx.first(LoggedCommand.nextRedo) else { throw TodoError.nothingToRedo }
    entry.isUndone = false
    return try replay(entry.redo, of: entry, in: &tx)
  }

  private mutating func replay(
    _ steps: Data, of entry: LoggedCommand, in tx: inout WriteTransaction
  ) throws -> CommandResult {
    isReplay = true
    for step in try JSONDecoder().decode([TodoCommand].self, from: steps) {
      _ = try apply(step, in: &tx)
    }
    try updateTallies(in: &tx)
    try tx.upsert(entry)
    return CommandResult(
      command: try entry.command(),
      items: changes.items.all.compactMap { $0.new ?? $0.old },
      groups: changes.groups.all.compactMap { $0.new ?? $0.old }, isUndoable: !entry.isUndone)
  }

  private func removeAll(in tx: inout WriteTransaction) throws {
    guard let first = try tx.firstCommand(), let last = try tx.lastCommand() else { return }
    try tx.removeCommands(first.number...last.number)
  }

  /// Removes the oldest commands until the limits hold.
  private func removeOldest(upTo last: LoggedCommand, in tx: inout WriteTransaction) throws {
    while let first = try tx.firstCommand() {
      let count = last.number - first.number + 1
      let bytes = last.bytesUpToHere - first.bytesUpToHere + first.byteCount
      if count <= limits.commands && bytes <= limits.bytes { return }
      try tx.removeCommands(first.number...first.number)
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
    try delete(LoggedCommand.where { $0.number.in(numbers) })
  }
}
