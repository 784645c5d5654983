import Croft

/// A message of a repository that is not an error.
public enum RepositoryNotice: Hashable, Sendable {
  /// A change has waited a second for another process, and continues to wait.
  ///
  /// The number of the process is nil where the system does not tell it. A stopped process has to be
  /// continued or ended.
  case waiting(process: Int?, isStopped: Bool)
  /// Observers wait, because the store cannot be read; this is tried again.
  case observersDelayed
  /// The file of the store was empty, so that a new list begins: something may have truncated it.
  case emptyFile(path: String)
  /// The file is large, and could not be compacted when it was opened.
  ///
  /// ``CroftTodoRepository/compact(at:)`` compacts it, or throws the reason.
  case notCompacted(path: String)
  /// An item is left out of a list, because this version cannot read one of its values; told once.
  ///
  /// It comes on the thread that reads the list, or that of the observers. A newer version may have written the
  /// item, or another program. The key is the id of the item; the property is empty where it is not known.
  case unreadableItem(key: String, property: String)
  /// Anything else, in English words.
  case other(String)

  init(_ diagnostic: StoreDiagnostic) {
    switch diagnostic {
    case .writeDelayed(let reason):
      let writer = StoreWriter(in: reason)
      self = .waiting(process: writer?.process, isStopped: writer?.isStopped ?? false)
    case .observationsDelayed: self = .observersDelayed
    case .oldSnapshot, .observationFailed: self = .other("\(diagnostic)")
    }
  }
}
