public import Presentation

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Why a repository could not do what it was asked.
///
/// Nothing was changed when a verb throws.
public enum TodoError: Error {
  /// No item has this id.
  case notFound(UUID)
  /// An item with this id exists already.
  case duplicate(UUID)
  /// The folder for the store's file cannot be made.
  case folder(path: String, cause: any Error)
  /// The store refused; the cause says why and what to do.
  case storage(any Error)
}

extension ValidationIssue.Code {
  /// No item has the id that was named.
  public static let itemNotFound: Self = "todo.itemNotFound"
  /// An item with that id exists already.
  public static let itemExists: Self = "todo.itemExists"
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
    case .duplicate: .itemExists
    case .folder: .folderUnavailable
    case .storage: .storageFailed
    }
  }

  /// What the error's text may name: an id, a path, the cause in its own words.
  public var params: [String: ValidationIssue.Value] {
    switch self {
    case .notFound(let id), .duplicate(let id): ["id": .text(id.uuidString.lowercased())]
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
