import Synchronization

/// The plans that a query could choose from when it ran before, so that a query which is kept makes them once.
///
/// They are right for one catalog. Copies of a query share the cache; one that was changed since then does not find
/// its own condition or order in it. A query that runs once keeps nothing, since most are made where they are used.
@usableFromInline
final class PlanCache: Sendable {
  private struct State {
    var hasRun = false
    var rows: PlanChoice?
    var count: PlanChoice?
  }

  private let state = Mutex(State())

  /// The plans of a query, from the cache or made.
  func choice(
    of query: QueryCore, _ table: Table, _ catalog: Catalog, for purpose: Plan.Purpose
  ) -> PlanChoice {
    let (hasRun, known) = state.withLock { state in
      defer { state.hasRun = true }
      return (state.hasRun, purpose == .count ? state.count : state.rows)
    }
    if let known, known.catalog === catalog, known.table === table, known.query == query {
      CoverageMark.hit(.plansKept)
      return known
    }
    let choice = PlanChoice(leastOf: query, table, catalog, for: purpose)
    if hasRun, choice.isLasting {
      state.withLock { state in
        if purpose == .count { state.count = choice } else { state.rows = choice }
      }
    }
    return choice
  }
}

// Queries are equal by what they ask for alone.
extension PlanCache: Hashable {
  @usableFromInline static func == (_: PlanCache, _: PlanCache) -> Bool { true }
  @usableFromInline func hash(into _: inout Hasher) {}
}
