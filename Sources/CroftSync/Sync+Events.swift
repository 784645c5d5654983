import Croft
import Synchronization

// Events are kept in the store, and given to one reader.

extension Sync {
  func tell(_ events: [ReplicaEvent]) {
    if !events.isEmpty { wakeEventReaders() }
  }

  func wakeEventReaders() {
    for reader in eventReaders { reader.resume() }
    eventReaders = []
  }

  func nextEvent(for reader: EventReader) async -> SyncEvent? {
    while !Task.isCancelled {
      do {
        if let last = reader.last.withLock({ $0.take() }) { try replica.forgetEvent(last) }
        if let (number, event) = try replica.firstEvent() {
          reader.last.withLock { $0 = number }
          return event
        }
      } catch let error as StoreError where error.mayPass {
        guard await waitsAgain() else { return nil }
        continue
      } catch {
        fail(with: error)
        return nil
      }
      if board.current.isStopped { return nil }
      await withCheckedContinuation { eventReaders.append($0) }
    }
    return nil
  }

  /// Waits until the store may be free again; false where nobody waits any more.
  private func waitsAgain() async -> Bool {
    do { try await time.wait(for: .milliseconds(500)) } catch {
      // Only a cancelled task ends it.
      return false
    }
    return !board.current.isStopped
  }
}

extension Sync.Status {
  var isStopped: Bool { if case .stopped = self { true } else { false } }
}
