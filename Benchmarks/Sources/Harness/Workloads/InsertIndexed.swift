/// All objects into an empty store with two indexes, in one transaction.
package struct InsertIndexed: Workload {
  package let name = "insert-indexed"
  package let group = WorkloadGroup.insert
  package let start = StartingPoint.empty

  package func run(on engine: any Engine, _ dataset: Dataset) throws -> Int {
    try engine.insertAll()
    return dataset.items.count
  }
}
