internal import CAllocations

/// Times the measured part of a round and counts its allocations.
///
/// Threads: belongs to one thread, whose allocations it counts.
package final class Meter {
  /// How long the measured part took.
  package private(set) var nanoseconds = 0.0
  /// How many allocations the measured part made.
  package private(set) var allocations = 0

  /// Whether this system lets allocations be counted.
  package static var countsAllocations: Bool { allocations_are_counted() }

  /// Starts with nothing measured.
  package init() {}

  /// Measures a part; what comes before and after it is not counted.
  package func measure(_ body: () -> Void) {
    let clock = ContinuousClock()
    let before = allocations_of_thread()
    let start = clock.now
    body()
    let elapsed = clock.now - start
    allocations += Int(allocations_of_thread() - before)
    nanoseconds += elapsed / .nanoseconds(1)
  }
}
