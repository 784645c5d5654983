import ArgumentParser
import Engines
import Foundation
import Harness

/// One engine in a process of its own, so that its memory and its caches are its own.
///
/// With a workload: each line on stdin asks for one round, and each round answers with one line of
/// JSON on stdout, until stdin ends. Without one: it makes the engine's populated store and ends.
struct ChildCommand: ParsableCommand {
  /// The first argument that makes the executable a child.
  static let word = "child"

  static let configuration = CommandConfiguration(commandName: "bench child")

  @Option var engine: String
  @Option var workload: String?
  @Option var size: Int
  @Option var directory: String

  func run() throws {
    guard let type = Engines.named(engine) else {
      throw ValidationError("There is no engine '\(engine)'.")
    }
    let dataset = Dataset(size: size)
    guard let workload else { return try Trial.populate(type, dataset, in: directory) }
    guard let workload = Workloads.all.first(where: { $0.name == workload }) else {
      throw ValidationError("There is no workload '\(workload)'.")
    }
    let trial = Trial(type, workload, dataset, in: directory)
    while readLine() != nil { try Reply { try trial.round() }.write() }
    try trial.finish()
  }
}
