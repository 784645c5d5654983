import Synchronization

/// A count that several threads may change.
package final class Counter: Sendable {
  private let count = Atomic<Int>(0)

  package init() {}

  @discardableResult
  package func increment() -> Int { count.add(1, ordering: .acquiringAndReleasing).newValue }

  package var value: Int { count.load(ordering: .acquiring) }
}
