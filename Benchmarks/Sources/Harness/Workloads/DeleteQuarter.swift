/// The objects of one priority go, by predicate: about a quarter.
///
/// The time is per deleted object.
package struct DeleteQuarter: Workload {
  package let name = "delete-quarter"
  package let group = WorkloadGroup.delete
  package let start = StartingPoint.copy

  package func run(on engine: any Engine, _ dataset: Dataset) throws -> Int {
    try engine.deleteAll(priority: dataset.doomedPriority)
  }

  package func objects(_ dataset: Dataset, answer: Int) -> Int { max(1, answer) }
}
