/// One thing that is measured.
package protocol Workload: Sendable {
  /// The name in reports and after `--only`.
  var name: String { get }
  /// The group that `--only` may name instead.
  var group: WorkloadGroup { get }
  /// What the store is opened with; indexed unless said.
  var schema: Schema { get }
  /// What the store holds when the clock starts.
  var start: StartingPoint { get }

  /// The timed part, commit included.
  ///
  /// - Returns: the engine's answer, which goes into the checksum.
  func run(on engine: any Engine, _ dataset: Dataset) throws -> Int

  /// The objects that the time is divided by; all of the dataset unless said.
  func objects(_ dataset: Dataset, answer: Int) -> Int

  /// The objects for the checksum, after the clock: the store's content unless said.
  func results(of engine: any Engine) throws -> [Item]
}

extension Workload {
  package var schema: Schema { .indexed }

  package func objects(_ dataset: Dataset, answer: Int) -> Int { dataset.items.count }

  package func results(of engine: any Engine) throws -> [Item] {
    try engine.scan()
    return engine.takeResults()
  }
}

/// Workloads that are run together.
package enum WorkloadGroup: String, Sendable, CaseIterable {
  case insert, delete, update, write, read, scan
}

/// What a store holds before each round.
package enum StartingPoint: Sendable, Hashable {
  /// An empty store, new in each round.
  case empty
  /// All objects, in a fresh copy of one file in each round.
  case copy
  /// All objects, in a store that stays open over all rounds.
  case shared
}
