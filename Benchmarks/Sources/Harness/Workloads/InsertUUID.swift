/// All objects into an empty store with two indexes, under random 16-byte keys.
package struct InsertUUID: Workload {
  package let name = "insert-uuid"
  package let group = WorkloadGroup.insert
  package let schema = Schema.uuid
  package let start = StartingPoint.empty

  package func run(on engine: any Engine, _ dataset: Dataset) throws -> Int {
    try engine.insertAll()
    return dataset.items.count
  }
}
