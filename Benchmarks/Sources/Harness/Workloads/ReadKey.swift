/// Every object by its key, in random order, all fields decoded, in one read transaction.
package struct ReadKey: Workload {
  package let name = "read-key"
  package let group = WorkloadGroup.read
  package let start = StartingPoint.shared

  package func run(on engine: any Engine, _ dataset: Dataset) throws -> Int {
    try engine.readEach()
    return dataset.items.count
  }

  package func results(of engine: any Engine) throws -> [Item] { engine.takeResults() }
}
