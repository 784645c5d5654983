/// How many objects a group has, by its index: a query for each group.
///
/// The time is per query.
package struct CountGroup: Workload {
  package let name = "count-group"
  package let group = WorkloadGroup.read
  package let start = StartingPoint.shared

  package func run(on engine: any Engine, _ dataset: Dataset) throws -> Int {
    try engine.countGroups()
  }

  package func objects(_ dataset: Dataset, answer: Int) -> Int { dataset.groupCount }
}
