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

/// How much history a repository keeps; the oldest commands are removed first.
///
/// A command that is not kept removes all commands before it, because they could not be undone
/// without it. That includes commands of other programs on the same file.
public struct HistoryLimits: Hashable, Sendable {
  /// The most commands; 0 for no history.
  public var commands: Int
  /// The most bytes of all commands together; a larger command cannot be undone.
  public var bytes: Int

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
