import Synchronization

/// What a reader of events was given last.
final class EventReader: Sendable {
  let last = Mutex<UInt64?>(nil)
}
