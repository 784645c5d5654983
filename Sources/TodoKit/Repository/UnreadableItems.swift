import Croft
import Synchronization

/// Tells of items that cannot be read, of each once.
///
/// Threads: any; the mutex protects what was told.
final class UnreadableItems: Sendable {
  private let told = Mutex<Set<String>>([])
  private let onNotice: (@Sendable (RepositoryNotice) -> Void)?

  init(_ onNotice: (@Sendable (RepositoryNotice) -> Void)?) { self.onNotice = onNotice }

  /// Tells of an item.
  ///
  /// - Throws: The error itself where nobody is told.
  func tell(_ key: String, _ error: StoreError) throws {
    guard let onNotice else { throw error }
    guard told.withLock({ $0.insert(key).inserted }) else { return }
    var property = ""
    if case .schemaMismatch(_, let field?, _) = error { property = field }
    onNotice(.unreadableItem(key: key, property: property))
  }
}
