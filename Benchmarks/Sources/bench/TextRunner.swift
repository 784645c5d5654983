import Engines
import Harness

/// Runs the workloads of titles, all engines in this process.
struct TextRunner {
  /// How many objects.
  let size: Int
  /// Measured rounds, after one to warm up.
  let rounds: Int
  /// The folder of the stores.
  let directory: String

  /// Measures one workload on the engines that take part.
  func compare(_ workload: TextWorkload) throws -> Comparison {
    let types = Engines.text.filter(workload.takes)
    let trials = try types.map { try TextTrial($0, workload, size: size, in: directory) }
    let comparison = try Comparison(of: workload.name, among: trials, rounds: rounds)
    for trial in trials { try trial.finish() }
    return comparison
  }
}
