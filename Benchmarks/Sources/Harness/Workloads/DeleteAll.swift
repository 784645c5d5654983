/// Everything goes at once.
package struct DeleteAll: Workload {
  package let name = "delete-all"
  package let group = WorkloadGroup.delete
  package let start = StartingPoint.copy

  package func run(on engine: any Engine, _ dataset: Dataset) throws -> Int {
    try engine.deleteAll()
    return dataset.items.count
  }
}
