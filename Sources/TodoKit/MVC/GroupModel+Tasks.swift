#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension GroupModel {
  /// Makes an item at the end of a group, or of none.
  ///
  /// - Returns: The item as it was stored.
  /// - Throws: `ValidationIssue` for a title without anything to read; ``TodoError``.
  @discardableResult
  public func createTask(_ title: String, in group: UUID?) throws -> TodoItem {
    try perform(.addTitle(title, in: group)).items[0]
  }

  /// Gives an item another title.
  ///
  /// - Returns: The item afterwards.
  /// - Throws: `ValidationIssue` for a title without anything to read; ``TodoError``.
  @discardableResult
  public func retitle(_ id: UUID, to title: String) throws -> TodoItem {
    try perform(.retitle(id, to: title)).items[0]
  }

  /// Marks items done, or open again; those that are so already stay so.
  ///
  /// - Returns: The items afterwards, in the order of the ids.
  /// - Throws: ``TodoError``.
  @discardableResult
  public func setDone(_ ids: [UUID], _ isDone: Bool) throws -> [TodoItem] {
    try perform(.setDone(ids, isDone)).items
  }

  /// Puts items side by side at a place on their list.
  ///
  /// - Returns: The items afterwards, in the order of the ids.
  /// - Throws: ``TodoError``.
  @discardableResult
  public func move(_ ids: [UUID], to position: Position) throws -> [TodoItem] {
    try perform(.move(ids, to: position)).items
  }
}
