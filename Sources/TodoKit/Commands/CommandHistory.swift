/// Which commands can be undone and redone.
public struct CommandHistory: Hashable, Sendable {
  /// The command that undo would undo; nil if there is none.
  public let undo: TodoCommand?
  /// The command that redo would redo; nil if there is none.
  public let redo: TodoCommand?

  /// Makes a history; an empty one without commands.
  public init(undo: TodoCommand? = nil, redo: TodoCommand? = nil) {
    self.undo = undo
    self.redo = redo
  }
}

/// How much history a repository keeps; the oldest commands are removed first, the newest one never.
///
/// Commands of other programs on the same file are included. The undo of a command of many rows is
/// stored in rows of its own until the command is removed, and is not included in ``bytes``; such a
/// command is remembered without its ids.
public struct HistoryLimits: Hashable, Sendable {
  /// The most commands; 0 for no history.
  public var commands: Int
  /// The most bytes of all commands together, without those of many rows.
  public var bytes: Int
  /// How many changed rows one row with a part of a command's undo has, at least 1; for tests.
  package var rowsPerPortion = 1000

  /// Makes limits; by default a hundred commands and 64 MiB.
  ///
  /// - Precondition: Neither is negative.
  public init(commands: Int = 100, bytes: Int = 64 << 20) {
    precondition(
      commands >= 0 && bytes >= 0, "A history cannot have a negative limit: pass 0 for none.")
    self.commands = commands
    self.bytes = bytes
  }
}
