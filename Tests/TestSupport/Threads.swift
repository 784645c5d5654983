internal import Foundation
internal import Synchronization

/// Threads of a test that continue at the same moment.
///
/// `DispatchQueue.concurrentPerform` runs one iteration after another where its pool has no thread free,
/// so that an iteration which waits for a later one waits for ever.
package enum Threads {
  /// Runs a closure on as many new threads at once, with the numbers from 0; returns when all have ended.
  package static func run(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    let start = Start()
    for number in 0..<count {
      group.enter()
      Thread.detachNewThread {
        start.arrived.add(1, ordering: .acquiringAndReleasing)
        while start.arrived.load(ordering: .acquiring) < count {}
        work(number)
        group.leave()
      }
    }
    group.wait()
  }

  private final class Start: Sendable {
    let arrived = Atomic(0)
  }
}
