/// A count by a predicate over two fields without an index: about a quarter matches.
package struct ScanCount: Workload {
  package let name = "scan-count"
  package let group = WorkloadGroup.scan
  package let start = StartingPoint.shared

  package func run(on engine: any Engine, _ dataset: Dataset) throws -> Int {
    try engine.countOpen(createdAfter: dataset.createdAfter)
  }
}
