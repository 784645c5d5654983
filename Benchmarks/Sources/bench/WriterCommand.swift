import ArgumentParser
import Engines
import Harness

/// A process that writes what another one observes.
///
/// Each line on stdin asks for one commit, and each commit answers with one line of JSON on stdout:
/// when it had returned. Stdin's end is the end.
struct WriterCommand: ParsableCommand {
  /// The first argument that makes the executable a writer.
  static let word = "writer"

  static let configuration = CommandConfiguration(commandName: "bench writer")

  @Option var engine: String
  @Option var workload: String
  @Option var size: Int
  @Option var path: String

  func run() throws {
    guard let type = Engines.shared.first(where: { $0.name == engine }),
      let workload = LiveWorkload.all.first(where: { $0.name == workload })
    else {
      throw ValidationError("There is no '\(workload)' between processes on '\(engine)'.")
    }
    var maker = try CommitMaker(type, workload, size: size, at: path)
    while readLine() != nil { try Reply { try maker.commit() }.write() }
    try maker.finish()
  }
}
