public import CroftFoundation
public import Presentation

/// Why a repository could not perform a command.
///
/// Nothing was changed when a method throws.
public enum TodoError: CodedError {
  /// No item has this id.
  case notFound(UUID)
  /// No group has this id.
  case groupNotFound(UUID)
  /// An item or a group with this id exists already.
  case duplicate(UUID)
  /// A group cannot have the name of a list other than a group.
  case reservedName(String)
  /// The item or group of this id has changed since the user saw it.
  case changedSince(UUID)
  /// No deletion waits under this token: it was confirmed or cancelled.
  case noPendingDeletion(UUID)
  /// There is no command to undo.
  case nothingToUndo
  /// There is no command to redo.
  case nothingToRedo
  /// The command that undo should take back is not the last one any more.
  case notTheLastCommand
  /// The history lacks a part of the command, so that it cannot be undone or redone.
  case historyIncomplete
  /// A picture cannot be fetched.
  case noImage(ImageFailure)
  /// The folder for the store's file cannot be made.
  case folder(path: String, cause: any Error)
  /// The store's file may be read and not be written to, by its mode, owner or file system.
  case readOnly
  /// The store failed; the cause says why and what to do.
  case storage(any Error)
}

extension ValidationIssue.Code {
  /// No item has the id that was named.
  public static let itemNotFound: Self = "todo.itemNotFound"
  /// No group has the id that was named.
  public static let groupNotFound: Self = "todo.groupNotFound"
  /// The name belongs to a list other than a group.
  public static let reservedName: Self = "todo.reservedName"
  /// The list is a query, and does not support the operation.
  public static let listIsFixed: Self = "todo.listIsFixed"
  /// An item or group has changed since the user saw it.
  public static let changedSince: Self = "todo.changedSince"
  /// No deletion waits for confirmation.
  public static let noPendingDeletion: Self = "todo.noPendingDeletion"
  /// There is no command to undo.
  public static let nothingToUndo: Self = "todo.nothingToUndo"
  /// There is no command to redo.
  public static let nothingToRedo: Self = "todo.nothingToRedo"
  /// A command that was to be undone is not the last one any more.
  public static let notTheLastCommand: Self = "todo.notTheLastCommand"
  /// The history lacks a part of a command.
  public static let historyIncomplete: Self = "todo.historyIncomplete"
  /// An item or a group with that id exists already.
  public static let itemExists: Self = "todo.itemExists"
  /// A picture cannot be fetched.
  public static let noImage: Self = "todo.noImage"
  /// The folder for the store's file cannot be made, for a reason that has no code of its own.
  public static let folderUnavailable: Self = "todo.folderUnavailable"
  /// The store's file may only be read.
  public static let storeIsReadOnly: Self = "todo.storeIsReadOnly"
  /// The store failed for a reason that has no code of its own.
  public static let storageFailed: Self = "todo.storageFailed"
}

extension TodoError {
  /// The code of the error's text in message catalogues.
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
    case .notTheLastCommand: .notTheLastCommand
    case .historyIncomplete: .historyIncomplete
    case .noImage: .noImage
    case .folder(let path, let cause): StoreFailure(folder: path, cause).code
    case .readOnly: .storeIsReadOnly
    case .storage(let cause): StoreFailure(cause).code
    }
  }

  /// The parameters of the error's text: an id, a path, the number of a process.
  public var params: [String: ValidationIssue.Value] {
    switch self {
    case .notFound(let id), .groupNotFound(let id), .duplicate(let id), .changedSince(let id),
      .noPendingDeletion(let id):
      ["id": .text(id.uuidString.lowercased())]
    case .reservedName(let name): ["name": .text(name)]
    case .nothingToUndo, .nothingToRedo, .notTheLastCommand, .historyIncomplete, .readOnly: [:]
    case .noImage(let failure): ["reason": .text("\(failure)")]
    case .folder(let path, let cause): StoreFailure(folder: path, cause).params
    case .storage(let cause): StoreFailure(cause).params
    }
  }
}

extension TodoError {
  /// Whether a list cannot be opened because its journal is lost, which a repair can give up.
  package var isLossOfJournal: Bool { code == StoreCause.storeLacksJournal.code }
}

extension TodoError: CustomStringConvertible {
  /// The error's English text.
  public var description: String {
    MessageCatalog.todo(in: .english).message(for: self)
  }
}

extension TodoError: LocalizedError {
  /// The error's English text; message catalogues have other languages.
  public var errorDescription: String? { description }
}
