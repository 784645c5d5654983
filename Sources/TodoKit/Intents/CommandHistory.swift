/// Which commands can be taken back and done again.
public struct CommandHistory: Hashable, Sendable {
  /// The command that undo takes back; nil when there is none.
  public let undo: TodoIntent?
  /// The command that redo does again; nil when there is none.
  public let redo: TodoIntent?

  /// Makes a history; an empty one without commands.
  public init(undo: TodoIntent? = nil, redo: TodoIntent? = nil) {
    self.undo = undo
    self.redo = redo
  }
}
