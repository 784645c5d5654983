import LMDB

/// Holds the result of one live query, and carries it from commit to commit.
///
/// A condition and an order over a row's own fields are followed incrementally: each changed row is
/// tested on its bytes and moved in trees, O(log *n*) a change. Where a query looks at other rows
/// (references, inverse links), a change of a model that it depends on means that it is run again.
///
/// It keeps its rows by key as well, so that it finds what a changed row was by itself. A commit
/// of which only the keys are known is as good as one of which all is known.
///
/// Confined to the queue that drives it; ``results`` are values and may go anywhere.
final class QueryEvaluator {
  /// What became of some changes.
  enum Outcome: Sendable {
    /// They were applied, and the rows kept are what they were.
    case unchanged
    /// They were applied, and ``results`` is a new version.
    case changed
    /// Nothing was applied: the query has to be run again.
    case needsRun
  }

  /// What is asked.
  let query: QueryCore
  /// The model that is asked for.
  let schema: Schema
  /// The numbers of the models whose changes matter; empty until the query was run.
  private(set) var dependencies: Set<Int> = []
  /// Whether changes can be applied; else each means that the query is run again.
  let isIncremental: Bool
  /// How many rows were tested by the condition since the start, for tests.
  private(set) var predicatesEvaluated = 0
  /// How many times the query was run, for tests.
  private(set) var runs = 0

  private var state: RowMatcher?
  private var kept: MaterializedResult

  /// Makes an evaluator that has not looked at anything.
  init(_ query: QueryCore, _ schema: Schema) {
    self.query = query
    self.schema = schema
    isIncremental = query.readsOwnFieldsOnly
    kept = MaterializedResult(query)
  }

  /// The result as of the last change.
  var results: ResultRows { kept.results }

  /// Reads the whole result: at first, where ``apply(_:)`` asks for it, and after a gap.
  ///
  /// What did not change is shared with the result so far.
  ///
  /// - Parameter transaction: Shows the commit from which changes are applied later.
  /// - Throws: ``StoreError`` as a fetch does, except for rows that cannot be decoded.
  /// - Complexity: As a fetch, without making objects.
  func run(in transaction: borrowing ReadTransaction) throws {
    try StoreError.mapping {
      let catalog = transaction.catalog
      let table = try catalog.table(of: schema)
      var codes = try StoredRowBuilder(query, table, catalog)
      let reserve = kept.reserve
      let plan = try Plan(reserve.query(query), table, catalog, in: transaction.base)
      var rows: [StoredRow] = []
      try plan.forEachMatch(in: transaction.base) { row in
        rows.append(try codes.stored(row, in: transaction.base))
        return true
      }
      kept.replace(by: rows)
      dependencies = try query.dependencies(table, catalog)
      state = try RowMatcher(query, table, catalog, codes)
      runs += 1
    }
  }

  /// Applies what a commit did to rows of the query's own model.
  ///
  /// - Parameter changes: The key and the new row of each change count; each key once, ascending.
  /// - Returns: Whether the result may have changed, or has to be read again.
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` for a row whose ends lie.
  /// - Complexity: O(*c* log *n*) for *c* changes among *n* rows.
  func apply(_ changes: [RowDelta]) throws -> Outcome {
    if changes.isEmpty { return .unchanged }
    guard isIncremental, let state, changes.allSatisfy({ state.reads($0.new) }) else {
      return .needsRun
    }
    predicatesEvaluated += changes.count
    return kept.apply(try state.matches(of: changes))
  }
}
