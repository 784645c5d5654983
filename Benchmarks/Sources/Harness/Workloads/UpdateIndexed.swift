/// One field with an index changes in every object, by key, one call each, in one transaction.
package struct UpdateIndexed: Workload {
  package let name = "update-indexed"
  package let group = WorkloadGroup.update
  package let start = StartingPoint.copy

  package func run(on engine: any Engine, _ dataset: Dataset) throws -> Int {
    try engine.raiseEach()
    return dataset.items.count
  }
}
