import Synchronization
import TodoKit

/// A repository that is opened when it is needed for the first time.
final class LazyRepository: Sendable {
  /// What an open repository offers.
  typealias Opened = (repository: any TodoRepository, deletions: PendingDeletions)

  private let open: @Sendable () throws -> any TodoRepository
  /// What was opened; the mutex protects it, and is held while opening: a file is opened once.
  private let opened = Mutex<Opened?>(nil)

  init(_ open: @escaping @Sendable () throws -> any TodoRepository) { self.open = open }

  /// What was opened; an opening that failed is tried again the next time.
  func callAsFunction() throws -> Opened {
    try opened.withLock { opened in
      if let opened { return opened }
      let repository = try open()
      let new = (repository, PendingDeletions(repository: repository))
      opened = new
      return new
    }
  }
}
