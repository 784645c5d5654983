/// One query's result, kept up to date for all who observe it.
///
/// Confined to the hub's queue.
final class LiveQuery {
  /// What makes two observers share a result.
  struct ID: Hashable, Sendable {
    let schema: ObjectIdentifier
    let core: QueryCore

    init(_ core: QueryCore, _ schema: Schema) {
      self.schema = ObjectIdentifier(schema)
      self.core = core
    }
  }

  let number: Int
  let id: ID
  let evaluator: QueryEvaluator
  /// The commit that it read last; earlier ones are in its result.
  private(set) var sequence: UInt64 = 0
  var observers: [Int: any ValueObserver<ResultRows>] = [:]

  init(_ number: Int, _ core: QueryCore, _ schema: Schema) {
    self.number = number
    id = ID(core, schema)
    evaluator = QueryEvaluator(core, schema)
  }

  /// Reads the result.
  ///
  /// - Parameter skipped: The observers that need not hear of what changed.
  func run(
    in transaction: borrowing ReadTransaction, at sequence: UInt64, skipped: Set<Int> = []
  ) throws {
    let before = evaluator.results
    try evaluator.run(in: transaction)
    self.sequence = sequence
    skip(from: before, skipped)
  }

  /// Applies a part of a commit.
  func apply(_ changes: [RowDelta], skipped: Set<Int>) throws -> QueryEvaluator.Outcome {
    let before = evaluator.results
    let outcome = try evaluator.apply(changes)
    if case .changed = outcome { skip(from: before, skipped) }
    return outcome
  }

  /// Hands the result to the observers.
  func publish(_ sequence: UInt64) {
    let results = evaluator.results
    for observer in observers.values { observer.update(results, max(sequence, self.sequence)) }
  }

  private func skip(from before: ResultRows, _ skipped: Set<Int>) {
    if skipped.isEmpty { return }
    let after = evaluator.results
    for number in skipped { observers[number]?.skip(from: before, to: after) }
  }
}
