/// The latest hundred of the objects that match a predicate; neither part has an index.
package struct SortFirst: Workload {
  package let name = "sort-first"
  package let group = WorkloadGroup.scan
  package let start = StartingPoint.shared

  package func run(on engine: any Engine, _ dataset: Dataset) throws -> Int {
    try engine.readLatestOpen(createdAfter: dataset.createdAfter, limit: 100)
    return dataset.items.count
  }

  package func results(of engine: any Engine) throws -> [Item] { engine.takeResults() }
}
