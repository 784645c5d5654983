/// Objects into a full store, each durable by itself, all asked for at once.
///
/// The peers have no such thing and insert one after another.
package struct WriteConcurrent: Workload {
  package let name = "write-concurrent"
  package let group = WorkloadGroup.write
  package let start = StartingPoint.copy

  package func run(on engine: any Engine, _ dataset: Dataset) throws -> Int {
    try engine.insertAtOnce()
    return dataset.extras.count
  }

  package func objects(_ dataset: Dataset, answer: Int) -> Int { dataset.extras.count }
}
