/// Every object goes by its key, one call each, in one transaction.
package struct DeleteEach: Workload {
  package let name = "delete-each"
  package let group = WorkloadGroup.delete
  package let start = StartingPoint.copy

  package func run(on engine: any Engine, _ dataset: Dataset) throws -> Int {
    try engine.deleteEach()
  }
}
