/// The result of a command.
public struct CommandResult: Hashable, Sendable {
  /// The command as it was given; for undo and redo the one that was undone or redone.
  ///
  /// Values that were stored differently, such as a numbered name, are in items and groups.
  public let command: TodoCommand
  /// The items of the command: as they are afterwards or, if they were deleted, in their last state.
  public let items: [TodoItem]
  /// The groups of the command, in the same way.
  public let groups: [TodoGroup]
  /// Whether nothing had to change: nothing was written, and there is no step of undo.
  public let isNoOp: Bool
  /// Whether the history keeps the command, so that it can be undone.
  ///
  /// False for a command that changed nothing, for undo itself, and for a command that is larger
  /// than the limits of the history.
  public let isUndoable: Bool
  /// Of undo and redo: what another machine has changed since, so that it was left as it is.
  public let leftAlone: LeftAlone

  /// Makes a result.
  public init(
    command: TodoCommand, items: [TodoItem] = [], groups: [TodoGroup] = [], isNoOp: Bool = false,
    isUndoable: Bool = false, leftAlone: LeftAlone = LeftAlone()
  ) {
    self.command = command
    self.items = items
    self.groups = groups
    self.isNoOp = isNoOp
    self.isUndoable = isUndoable
    self.leftAlone = leftAlone
  }
}
