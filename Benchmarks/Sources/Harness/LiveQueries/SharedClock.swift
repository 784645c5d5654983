internal import Dispatch

/// A clock that shows all processes of a machine the same: `CLOCK_MONOTONIC` on Linux.
package enum SharedClock {
  /// Nanoseconds since a moment that is the same for all.
  package static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}
