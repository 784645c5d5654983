import Dispatch

/// The events that a connection waits for, which end with it.
///
/// Threads: one at a time, that of the connection's queue or the one that drops the last reference.
final class SocketEvents: @unchecked Sendable {
  var reader: (any DispatchSourceRead)?
  var writer: (any DispatchSourceWrite)?
  var timer: (any DispatchSourceTimer)?

  deinit { cancel() }

  /// Ends them all; each closes its socket when the queue does not look at it any more.
  func cancel() {
    reader?.cancel()
    writer?.cancel()
    timer?.cancel()
    (reader, writer, timer) = (nil, nil, nil)
  }
}
