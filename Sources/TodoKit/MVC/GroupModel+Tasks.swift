import Presentation
import Reactive

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
    try attempt { storage in
      let title = try Validator<String, String>.title.at(.title).validate(title).get()
      return try storage.repository.add(TodoItem(title: title, in: group))
    }
  }

  /// Gives an item another title.
  ///
  /// - Returns: The item afterwards.
  /// - Throws: `ValidationIssue` for a title without anything to read; ``TodoError``.
  @discardableResult
  public func retitle(_ id: UUID, to title: String) throws -> TodoItem {
    try attempt { storage in
      let title = try Validator<String, String>.title.at(.title).validate(title).get()
      return try storage.repository.retitle(id, to: title)
    }
  }

  /// Marks items done, or open again; those that are so already stay so.
  ///
  /// - Returns: The items afterwards, in the order of the ids.
  /// - Throws: ``TodoError``.
  @discardableResult
  public func setDone(_ ids: [UUID], _ isDone: Bool) throws -> [TodoItem] {
    try attempt { try $0.repository.setDone(ids, isDone) }
  }

  /// Puts items side by side at a place on their list.
  ///
  /// - Returns: The items afterwards, in the order of the ids.
  /// - Throws: ``TodoError``.
  @discardableResult
  public func move(_ ids: [UUID], to place: Place) throws -> [TodoItem] {
    try attempt { try $0.repository.move(ids, to: place) }
  }
}
