/// One field without an index changes in every object, by key, one call each, in one transaction.
package struct UpdatePlain: Workload {
  package let name = "update-plain"
  package let group = WorkloadGroup.update
  package let start = StartingPoint.copy

  package func run(on engine: any Engine, _ dataset: Dataset) throws -> Int {
    try engine.toggleEach()
    return dataset.items.count
  }
}
