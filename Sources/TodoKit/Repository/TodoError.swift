public import Presentation

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Why a repository could not do what it was asked.
///
/// Nothing was changed when a verb throws.
public enum TodoError: CodedError {
  /// No item has this id.
  case notFound(UUID)
  /// No group has this id.
  case groupNotFound(UUID)
  /// An item or a group with this id exists already.
  case duplicate(UUID)
  /// A group cannot have the name of a list that is no group.
  case reservedName(String)
  /// What was to be deleted or changed is not what the user was shown; whose id it is.
  case changedSince(UUID)
  /// No deletion waits for a decision under this token: it was decided, or given up.
  case noPendingDeletion(UUID)
  /// There is no command to take back.
  case nothingToUndo
  /// There is no command to do again.
  case nothingToRedo
  /// A picture cannot be had.
  case noImage(ImageFailure)
  /// The folder for the store's file cannot be made.
  case folder(path: String, cause: any Error)
  /// The store refused; the cause says why and what to do.
  case storage(any Error)
}

extension ValidationIssue.Code {
  /// No item has the id that was named.
  public static let itemNotFound: Self = "todo.itemNotFound"
  /// No group has the id that was named.
  public static let groupNotFound: Self = "todo.groupNotFound"
  /// The name belongs to a list that is no group.
  public static let reservedName: Self = "todo.reservedName"
  /// The list gathers its items by itself, and does not offer what was asked of it.
  public static let listIsFixed: Self = "todo.listIsFixed"
  /// What was to be deleted or changed is not what the user was shown.
  public static let changedSince: Self = "todo.changedSince"
  /// No deletion waits for a decision.
  public static let noPendingDeletion: Self = "todo.noPendingDeletion"
  /// There is no command to take back.
  public static let nothingToUndo: Self = "todo.nothingToUndo"
  /// There is no command to do again.
  public static let nothingToRedo: Self = "todo.nothingToRedo"
  /// An item or a group with that id exists already.
  public static let itemExists: Self = "todo.itemExists"
  /// A picture cannot be had.
  public static let noImage: Self = "todo.noImage"
  /// The folder for the store's file cannot be made.
  public static let folderUnavailable: Self = "todo.folderUnavailable"
  /// The store refused.
  public static let storageFailed: Self = "todo.storageFailed"
}

extension TodoError {
  /// The name under which message catalogues hold the error's text.
  public var code: ValidationIssue.Code {
    switch self {
    case .notFound: .itemNotFound
    case .groupNotFound: .groupNotFound
    case .duplicate: .itemExists
    case .reservedName: .reservedName
    case .changedSince: .changedSince
    case .noPendingDeletion: .noPendingDeletion
    case .nothingToUndo: .nothingToUndo
    case .nothingToRedo: .nothingToRedo
    case .noImage: .noImage
    case .folder: .folderUnavailable
    case .storage: .storageFailed
    }
  }

  /// What the error's text may name: an id, a path, the cause in its own words.
  public var params: [String: ValidationIssue.Value] {
    switch self {
    case .notFound(let id), .groupNotFound(let id), .duplicate(let id), .changedSince(let id),
      .noPendingDeletion(let id):
      ["id": .text(id.uuidString.lowercased())]
    case .reservedName(let name): ["name": .text(name)]
    case .nothingToUndo, .nothingToRedo: [:]
    case .noImage(let failure): ["reason": .text("\(failure)")]
    case .folder(let path, let cause):
      ["path": .text(path), "reason": .text(Self.reason(of: cause))]
    case .storage(let cause): ["reason": .text("\(cause)")]
    }
  }

  /// Foundation's own description of a file error is a dump; people need a few words.
  private static func reason(of cause: any Error) -> String {
    switch (cause as? CocoaError)?.code {
    case .fileWriteNoPermission: "permission denied"
    case .fileWriteFileExists: "a file stands in its place"
    case .fileNoSuchFile: "no folder can be made there"
    case .fileWriteVolumeReadOnly: "the volume is read-only"
    case .fileWriteOutOfSpace: "no space is left"
    default: "\(cause)"
    }
  }
}

extension TodoError: CustomStringConvertible {
  /// The error's English text.
  public var description: String {
    MessageCatalog.todo(in: .english).message(for: self)
  }
}

extension TodoError: LocalizedError {
  /// The error's English text; a message catalogue gives it in another language.
  public var errorDescription: String? { description }
}
