/// What a command did.
public struct CommandResult: Hashable, Sendable {
  /// The command as it was given; for undo and redo the one that was undone or redone.
  ///
  /// What it became, such as the name that a new group really got, is in items and groups.
  public let command: TodoCommand
  /// The items it was about: as they are afterwards or, where they were deleted, as they were.
  public let items: [TodoItem]
  /// The groups it was about, in the same way.
  public let groups: [TodoGroup]
  /// Whether everything was so already: nothing was written, and there is no step of undo.
  public let isNoOp: Bool
  /// Whether the history keeps it, so that undo takes it back.
  ///
  /// False for a command that changed nothing, for undo itself, and for one that is larger than
  /// the history may be.
  public let isUndoable: Bool

  /// Makes a result.
  public init(
    command: TodoCommand, items: [TodoItem] = [], groups: [TodoGroup] = [], isNoOp: Bool = false,
    isUndoable: Bool = false
  ) {
    self.command = command
    self.items = items
    self.groups = groups
    self.isNoOp = isNoOp
    self.isUndoable = isUndoable
  }
}
