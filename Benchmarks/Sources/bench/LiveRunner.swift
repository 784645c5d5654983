import Engines
import Harness

/// Runs live workloads: all engines in this process, and one more process where another writes.
struct LiveRunner {
  /// How many objects.
  let size: Int
  /// Measured rounds, after one to warm up.
  let rounds: Int
  /// The folder of the stores.
  let directory: String
  /// The engines that take part, where no other process does.
  var engines = Engines.live

  /// Measures one workload on the engines that take part.
  func compare(_ workload: LiveWorkload) throws -> Comparison {
    if workload.isBetweenProcesses { return try compareBetweenProcesses(workload) }
    let types = engines.filter { $0.tellsDifferences || !workload.needsDifferences }
    let trials = try types.map { try LiveTrial($0, workload, size: size, in: directory) }
    let comparison = try Comparison(of: workload.name, among: trials, rounds: rounds)
    for trial in trials { try trial.finish() }
    return comparison
  }

  private func compareBetweenProcesses(_ workload: LiveWorkload) throws -> Comparison {
    var writers: [ChildProcess] = []
    do {
      let trials = try Engines.shared.map { type in
        try WakeUpTrial(type, workload, size: size, in: directory) { path in
          let writer = try ChildProcess(
            type.name,
            [WriterCommand.word, "--engine", type.name, "--workload", workload.name]
              + ["--size", "\(size)", "--path", path])
          writers.append(writer)
          return writer
        }
      }
      let comparison = try Comparison(
        of: workload.name, among: trials.flatMap(\.contestants), rounds: rounds)
      for writer in writers { try writer.finish() }
      for trial in trials { try trial.finish() }
      return comparison
    } catch {
      for writer in writers { writer.stop() }
      throw error
    }
  }
}
