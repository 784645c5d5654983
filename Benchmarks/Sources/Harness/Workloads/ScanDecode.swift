/// All objects into an array, all fields decoded.
package struct ScanDecode: Workload {
  package let name = "scan-decode"
  package let group = WorkloadGroup.scan
  package let start = StartingPoint.shared

  package func run(on engine: any Engine, _ dataset: Dataset) throws -> Int {
    try engine.scan()
    return dataset.items.count
  }

  package func results(of engine: any Engine) throws -> [Item] { engine.takeResults() }
}
