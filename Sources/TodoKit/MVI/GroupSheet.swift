import Presentation

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A sheet with one field, in one of its modes.
public struct GroupSheet: Equatable, Sendable {
  /// What is typed, and what it is for.
  public enum Mode: Hashable, Codable, Sendable {
    /// The title of a new item.
    case create
    /// Another title for an item.
    case retitle(id: UUID)
    /// Another name for the group.
    case rename
  }

  /// What is typed.
  public let mode: Mode
  /// What stands in the field, untrimmed.
  public internal(set) var text: String
  /// Whether what was typed is being stored.
  public internal(set) var isSaving = false

  /// Whether saving would lead to something; a button is disabled while there is nothing to read.
  public var canSave: Bool {
    !isSaving && Validator<String, String>.title.validate(text).firstError == nil
  }

  /// What saving means.
  var intent: GroupIntent {
    switch mode {
    case .create: .createTask(title: text)
    case .retitle(let id): .retitleTask(id: id, title: text)
    case .rename: .renameGroup(name: text)
    }
  }
}
