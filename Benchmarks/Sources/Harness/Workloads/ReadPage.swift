/// A page of fifty objects after each of a hundred objects, in the order of an index: a query each.
///
/// The order is that of the priority, and of the key where priorities are equal. The time is per query.
package struct ReadPage: Workload {
  package let name = "read-page"
  package let group = WorkloadGroup.read
  package let start = StartingPoint.shared

  package func run(on engine: any Engine, _ dataset: Dataset) throws -> Int {
    try engine.readPages()
    return dataset.pageStarts.count
  }

  package func objects(_ dataset: Dataset, answer: Int) -> Int { dataset.pageStarts.count }

  package func results(of engine: any Engine) throws -> [Item] { engine.takeResults() }
}
