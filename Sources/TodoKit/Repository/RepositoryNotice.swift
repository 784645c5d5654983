import Croft

/// A message of a repository that is not an error.
public enum RepositoryNotice: Hashable, Sendable {
  /// A change has waited a second for another process, and continues to wait; the text names it.
  case waiting(reason: String)
  /// The file of the store was empty, so that a new list begins: something may have truncated it.
  case emptyFile(path: String)
  /// Anything else, in words.
  case other(String)
}

extension RepositoryNotice {
  /// The notice for a diagnostic of the store.
  init(_ diagnostic: StoreDiagnostic) {
    switch diagnostic {
    case .writeDelayed(let reason): self = .waiting(reason: reason)
    default: self = .other("\(diagnostic)")
    }
  }
}
