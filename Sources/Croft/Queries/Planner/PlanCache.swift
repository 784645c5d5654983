import Synchronization

/// The plans that a query could choose from when it ran before, so that one that is kept makes them once.
///
/// They are right for one catalog. Copies of a query share the cache, and ``Query/changed(_:)`` gives a copy another one. A
/// query that is fetched and asked for its first object in turn makes its plans each time, and one that runs once keeps nothing, since most queries are made where they are used.
final class PlanCache: Sendable {
  private let hasRun = Atomic(false)
  private let choices = Mutex<(rows: PlanChoice?, count: PlanChoice?)>((nil, nil))

  /// The plans of a query, from the cache or made for it; nil where it has not run before.
  func choice(
    of query: QueryCore, _ table: Table, _ catalog: Catalog, for purpose: Plan.Purpose
  ) -> PlanChoice? {
    if !hasRun.exchange(true, ordering: .relaxed) { return nil }
    let known = choices.withLock { purpose == .count ? $0.count : $0.rows }
    // Plans that referred to the cache would keep each other in memory.
    var query = query
    query.plans = KeptPlans()
    if let known, known.catalog === catalog, known.table === table, known.query == query {
      CoverageMark.hit(.plansKept)
      return known
    }
    let choice = PlanChoice(leastOf: query, table, catalog, for: purpose)
    if choice.isLasting {
      choices.withLock { choices in
        if purpose == .count { choices.count = choice } else { choices.rows = choice }
      }
    }
    return choice
  }
}

/// A query's reference to its plans, without which none are kept.
///
/// All are equal, because queries are equal by what they ask for.
struct KeptPlans: Hashable, Sendable {
  let cache: PlanCache?

  init(_ cache: PlanCache? = nil) { self.cache = cache }

  static func == (_: KeptPlans, _: KeptPlans) -> Bool { true }
  func hash(into _: inout Hasher) {}
}
