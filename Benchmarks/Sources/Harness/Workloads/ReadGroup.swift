/// The objects of one group by its index, about a hundred: a query for each group.
///
/// The time is per query.
package struct ReadGroup: Workload {
  package let name = "read-group"
  package let group = WorkloadGroup.read
  package let start = StartingPoint.shared

  package func run(on engine: any Engine, _ dataset: Dataset) throws -> Int {
    try engine.readGroups()
    return dataset.groupCount
  }

  package func objects(_ dataset: Dataset, answer: Int) -> Int { dataset.groupCount }

  package func results(of engine: any Engine) throws -> [Item] { engine.takeResults() }
}
