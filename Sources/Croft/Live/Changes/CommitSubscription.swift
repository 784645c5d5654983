import LMDB
import Synchronization

/// Somebody's wish to hear of commits to a file, until it is cancelled or gone.
///
/// The first one of a file starts its ``CommitWatcher``, and the last one stops it.
///
/// Threads: any; watchers are shared under a lock.
final class CommitSubscription: Sendable {
  private static let watchers = Mutex<[ObjectIdentifier: CommitWatcher]>([:])

  private let file: ObjectIdentifier
  private let number: Int
  private let isCancelled = Atomic(false)

  /// Begins to listen.
  ///
  /// - Parameters:
  ///   - environment: The open file.
  ///   - known: The sequence that the listener knows of; any other is told.
  ///   - sequence: Reads the sequence of the file's last commit.
  ///   - body: Told on the watcher's queue, which must not be kept.
  init(
    to environment: Environment, knowing known: UInt64,
    _ sequence: @escaping @Sendable () throws -> UInt64, _ body: @escaping CommitWatcher.Listener
  ) {
    file = environment.file
    number = Self.watchers.withLock { [file] watchers in
      if let watcher = watchers[file] { return watcher.add(knowing: known, body) }
      let watcher = CommitWatcher(sequence)
      watchers[file] = watcher
      watcher.start(path: environment.realPath)
      return watcher.add(knowing: known, body)
    }
  }

  deinit { cancel() }

  /// Asks to be told of the last commit again, once it can be read.
  func tellAgain() {
    Self.watchers.withLock { $0[file]?.forget(number) }
  }

  /// How many listen to a file, for tests; a watcher is at work when anybody does.
  static func listenerCount(of environment: Environment) -> Int {
    watchers.withLock { $0[environment.file]?.listenerCount ?? 0 }
  }

  /// Ends it; a call that is under way may still come.
  func cancel() {
    guard !isCancelled.exchange(true, ordering: .relaxed) else { return }
    Self.watchers.withLock { watchers in
      guard let watcher = watchers[file], watcher.remove(number) else { return }
      watchers[file] = nil
      watcher.stop()
    }
  }
}
