import Synchronization

extension Sync {
  /// What a synchronization does.
  public enum Status: Hashable, Sendable {
    /// It connects to the server.
    case connecting
    /// It receives rows, which are applied when all have come; so many it has by now.
    case loading(rows: Int)
    /// The store has the space's version, and so many objects have changes that are not sent.
    case live(pending: Int, version: UInt64)
    /// As ``live(pending:version:)``, but the user may not write the space: changes are kept.
    case readOnly(pending: Int, version: UInt64)
    /// The server cannot be reached; it tries again by itself.
    case offline(SyncError, pending: Int)
    /// Another program synchronizes the store; this one does when that one ends.
    case elsewhere
    /// It has ended: by ``Sync/stop()``, where there is no error.
    case stopped(SyncError?)
  }
}

/// The present status, and those that wait for the next one.
///
/// Threads: any; the state has a lock.
final class StatusBoard: Sendable {
  private struct State {
    var current = Sync.Status.connecting
    var readers: [Int: AsyncStream<Sync.Status>.Continuation] = [:]
    var lastReader = 0
  }

  private let state = Mutex(State())

  var current: Sync.Status { state.withLock { $0.current } }

  func set(_ status: Sync.Status) {
    let readers = state.withLock { state -> [AsyncStream<Sync.Status>.Continuation] in
      if state.current == status { return [] }
      state.current = status
      return Array(state.readers.values)
    }
    for reader in readers {
      reader.yield(status)
      if case .stopped = status { reader.finish() }
    }
  }

  /// The present status and those from now on.
  func stream() -> AsyncStream<Sync.Status> {
    let (stream, reader) = AsyncStream<Sync.Status>.makeStream()
    let (number, current) = state.withLock { state in
      state.lastReader += 1
      state.readers[state.lastReader] = reader
      // In the lock, so that no other status comes first.
      reader.yield(state.current)
      return (state.lastReader, state.current)
    }
    if case .stopped = current { reader.finish() }
    reader.onTermination = { [weak self] _ in
      self?.state.withLock { _ = $0.readers.removeValue(forKey: number) }
    }
    return stream
  }
}
