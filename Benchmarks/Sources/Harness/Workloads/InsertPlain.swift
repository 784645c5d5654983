/// All objects into an empty store without an index, in one transaction.
package struct InsertPlain: Workload {
  package let name = "insert-plain"
  package let group = WorkloadGroup.insert
  package let schema = Schema.plain
  package let start = StartingPoint.empty

  package func run(on engine: any Engine, _ dataset: Dataset) throws -> Int {
    try engine.insertAll()
    return dataset.items.count
  }
}
