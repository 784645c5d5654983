extension TodoRepository {
  /// Takes the last command back.
  ///
  /// - Returns: The command, and what it was about as it is now.
  /// - Throws: ``TodoError/nothingToUndo``.
  @discardableResult
  public func undo() throws -> TodoReceipt {
    try perform(.undo)
  }

  /// Takes the last command back without blocking; throws as its twin does.
  @discardableResult
  public func undo() async throws -> TodoReceipt {
    try await perform(.undo)
  }

  /// Does again the command that was taken back last.
  ///
  /// - Returns: The command, and what it is about as it is now.
  /// - Throws: ``TodoError/nothingToRedo``.
  @discardableResult
  public func redo() throws -> TodoReceipt {
    try perform(.redo)
  }

  /// Does again the command that was taken back last without blocking; throws as its twin does.
  @discardableResult
  public func redo() async throws -> TodoReceipt {
    try await perform(.redo)
  }
}
