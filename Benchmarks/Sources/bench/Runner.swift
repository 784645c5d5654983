import Engines
import Harness

/// Runs workloads with one child process for each engine.
struct Runner {
  /// How many objects.
  let size: Int
  /// Measured rounds, after one to warm up.
  let rounds: Int
  /// The folder of the stores.
  let directory: String
  /// The engines that take part.
  var engines = Engines.all

  /// Makes each engine's populated store, each in a process of its own.
  func populate() throws {
    for engine in engines {
      try ChildProcess(engine.name, arguments(engine.name)).finish()
    }
  }

  /// Measures one workload on all engines.
  func compare(_ workload: any Workload) throws -> Comparison {
    var children: [ChildProcess] = []
    do {
      for engine in engines {
        let arguments = arguments(engine.name) + ["--workload", workload.name]
        children.append(try ChildProcess(engine.name, arguments))
      }
      let comparison = try Comparison(of: workload.name, among: children, rounds: rounds)
      for child in children { try child.finish() }
      return comparison
    } catch {
      for child in children { child.stop() }
      throw error
    }
  }

  private func arguments(_ engine: String) -> [String] {
    [ChildCommand.word, "--engine", engine, "--size", "\(size)", "--directory", directory]
  }
}
