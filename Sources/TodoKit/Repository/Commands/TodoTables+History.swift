#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension TodoTables where Self: ~Copyable {
  /// Keeps a command, and forgets what cannot be done again any more, and what is too old.
  mutating func log(
    _ intent: TodoIntent, _ journal: Journal, _ limits: HistoryLimits
  ) throws {
    if journal.isEmpty { return }
    // What came before a command that is not kept cannot be taken back without it.
    if limits.commands == 0 { return try forgetAll() }
    var last = try lastCommand()
    if let undone = try last?.isUndone == true ? firstUndoneCommand() : nil, let end = last {
      try removeCommands(undone.number...end.number)
      last = try lastCommand()
    }
    let encoder = JSONEncoder()
    var command = LoggedCommand(
      number: (last?.number ?? 0) + 1, intent: try encoder.encode(intent),
      undo: try encoder.encode(journal.undo), redo: try encoder.encode(journal.redo),
      bytesUpToHere: last?.bytesUpToHere ?? 0)
    command.bytesUpToHere += command.byteCount
    if command.byteCount > limits.bytes { return try forgetAll() }
    try setCommand(command)
    try forget(upTo: command, limits)
  }

  /// Takes the last command back that stands.
  mutating func takeBack(_ context: CommandContext) throws -> TodoReceipt {
    guard var command = try lastStandingCommand() else { throw TodoError.nothingToUndo }
    command.isUndone = true
    return try replay(command.undo, of: command, context)
  }

  /// Does the command again that was taken back last.
  mutating func doAgain(_ context: CommandContext) throws -> TodoReceipt {
    guard var command = try firstUndoneCommand() else { throw TodoError.nothingToRedo }
    command.isUndone = false
    return try replay(command.redo, of: command, context)
  }

  private mutating func replay(
    _ steps: Data, of command: LoggedCommand, _ context: CommandContext
  ) throws -> TodoReceipt {
    var context = context
    context.isReplay = true
    var journal = Journal()
    for step in try JSONDecoder().decode([TodoIntent].self, from: steps) {
      _ = try carryOut(step, context, &journal)
    }
    try settle(journal)
    try setCommand(command)
    return TodoReceipt(
      intent: try command.decodedIntent(),
      items: journal.items.all.compactMap { $0.new ?? $0.old },
      groups: journal.groups.all.compactMap { $0.new ?? $0.old })
  }

  private mutating func forgetAll() throws {
    guard let first = try firstCommand(), let last = try lastCommand() else { return }
    try removeCommands(first.number...last.number)
  }

  /// Forgets the oldest commands until the limits hold.
  private mutating func forget(upTo last: LoggedCommand, _ limits: HistoryLimits) throws {
    while let first = try firstCommand() {
      let count = last.number - first.number + 1
      let bytes = last.bytesUpToHere - first.bytesUpToHere + first.byteCount
      if count <= limits.commands && bytes <= limits.bytes { return }
      try removeCommands(first.number...first.number)
    }
  }
}

extension LoggedCommand {
  /// What was asked.
  func decodedIntent() throws -> TodoIntent {
    try JSONDecoder().decode(TodoIntent.self, from: intent)
  }
}

extension CommandHistory {
  /// The history whose next steps are the given commands.
  init(standing: LoggedCommand?, undone: LoggedCommand?) throws {
    self.init(undo: try standing?.decodedIntent(), redo: try undone?.decodedIntent())
  }
}
