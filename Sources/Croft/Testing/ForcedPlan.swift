#if DEBUG || CROFT_SWARM
  import Synchronization

  /// Makes the queries of a scope run by one plan of all that can serve them, for tests.
  ///
  /// ```swift
  /// let forced = ForcedPlan(1)
  /// try ForcedPlan.$current.withValue(forced) { try store.fetch(query) }
  /// forced.count   // how many plans there were: a test forces 0, 1, 2 ... in turn
  /// ```
  package final class ForcedPlan: Sendable {
    /// The plan of the running task or thread, if any.
    @TaskLocal package static var current: ForcedPlan?

    private let place: Int
    private let most = Atomic<Int>(0)

    /// Forces the plan with a place among those of a query; of fewer, the last.
    package init(_ place: Int) { self.place = place }

    /// The most plans that a query of the scope could choose from.
    package var count: Int { most.load(ordering: .relaxed) }

    func pick(_ plans: [Plan]) -> Plan {
      _ = most.max(plans.count, ordering: .relaxed)
      return plans[min(place, plans.count - 1)]
    }
  }
#endif
