/// Objects into a full store, each in a durable transaction of its own.
package struct WriteSingle: Workload {
  package let name = "write-single"
  package let group = WorkloadGroup.write
  package let start = StartingPoint.copy

  package func run(on engine: any Engine, _ dataset: Dataset) throws -> Int {
    try engine.insertSingly()
    return dataset.extras.count
  }

  package func objects(_ dataset: Dataset, answer: Int) -> Int { dataset.extras.count }
}
