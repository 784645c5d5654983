/// The result of a command.
public struct CommandResult: Hashable, Sendable {
  /// The command that was performed; for undo and redo the one that was undone or redone.
  ///
  /// It is the one that was given, without ``TodoCommand/ifUnchanged(_:then:)`` and ``TodoCommand/reusingGroups(_:)``
  /// around it, and with the groups that were used.
  ///
  /// Values that were stored differently, such as a numbered name, are in items and groups.
  public let command: TodoCommand
  /// The items of the command: as they are afterwards or, if they were deleted, in their last state.
  public let items: [TodoItem]
  /// The groups of the command, in the same way.
  public let groups: [TodoGroup]
  /// Whether nothing had to change: nothing was written, and there is no step of undo.
  public let isNoOp: Bool
  /// The entry of the history that the command is; nil for one that cannot be undone.
  ///
  /// Those are a command that changed nothing, undo itself, and all where the limits keep no history.
  public let step: HistoryStep?
  /// Of undo and redo: what another machine has changed since, so that it was left as it is.
  public let leftAlone: LeftAlone

  /// Makes a result.
  public init(
    command: TodoCommand, items: [TodoItem] = [], groups: [TodoGroup] = [], isNoOp: Bool = false,
    step: HistoryStep? = nil, leftAlone: LeftAlone = LeftAlone()
  ) {
    self.command = command
    self.items = items
    self.groups = groups
    self.isNoOp = isNoOp
    self.step = step
    self.leftAlone = leftAlone
  }

  /// The result with other groups.
  package func with(groups: [TodoGroup]) -> CommandResult {
    CommandResult(
      command: command, items: items, groups: groups, isNoOp: isNoOp, step: step,
      leftAlone: leftAlone)
  }

  /// Whether the history keeps the command, so that it can be undone.
  public var isUndoable: Bool { step != nil }
}
