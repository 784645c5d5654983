/// How much of a limited query's result is kept beyond its window.
///
/// A limited query need not keep all rows that match: it keeps the window and some rows behind
/// it, so that a row that leaves has a successor at hand. When those are used up, it is run again.
/// Distinct values need all rows, since any of them may become the first of its group.
struct LimitLookahead: Sendable {
  /// The rows behind the window that a run reads, at least.
  static var leastMargin: Int { Threshold.rowsInReserve.value }

  /// So many rows are read in query order; nil where all are kept.
  let most: Int?
  /// So many rows are shown or passed over.
  private let wanted: Int

  init(_ query: QueryCore) {
    let (sum, isTooMany) = (query.limit ?? 0).addingReportingOverflow(query.offset)
    guard query.limit != nil, query.distinct.isEmpty, !isTooMany, sum < Int.max / 8 else {
      most = nil
      wanted = 0
      return
    }
    wanted = query.limit == 0 ? 0 : sum
    most = wanted + max(Self.leastMargin, wanted)
  }

  /// The query that reads what is kept.
  func query(_ query: QueryCore) -> QueryCore {
    var whole = query
    whole.distinct = []
    whole.offset = 0
    whole.limit = query.limit == 0 ? 0 : most
    // Rows are put in order when they have come, unless only the first are read.
    if most == nil { whole.order = [] }
    return whole
  }

  /// Whether rows are missing that may be in the window.
  func isDry(_ count: Int, hasMore: Bool) -> Bool { hasMore && count < wanted }
}
