import Croft

/// What a repository has to say that is no error.
public enum RepositoryNotice: Hashable, Sendable {
  /// A change has waited a second for another process, and goes on waiting; the text names it.
  case waiting(reason: String)
  /// The file of the store was empty, so that the list begins anew: something may have cut it.
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
