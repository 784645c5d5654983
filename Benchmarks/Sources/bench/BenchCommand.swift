import ArgumentParser
import Engines
import Foundation
import Harness

/// The command line: which workloads, how many objects, for whom the report is.
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measures Croft beside raw LMDB and GRDB, in turn, in one run.",
    discussion: """
      Workloads: \(Workloads.all.map(\.name).joined(separator: ", ")).
      Groups: \(WorkloadGroup.allCases.map(\.rawValue).joined(separator: ", ")), storage (all).
      Times are medians in nanoseconds per object, durable commit included.
      """)

  /// Measured rounds of each engine, after one to warm up.
  private static let rounds = 5

  @Option(help: ArgumentHelp("How many objects.", valueName: "n"))
  var size = 100_000

  @Option(
    help: ArgumentHelp("One workload or group; may be given again.", valueName: "name-or-group"))
  var only: [String] = []

  @Flag(help: "One JSON object a line on stdout; the head of the report goes to stderr.")
  var json = false

  @Option(help: "Where stores are made and removed again; by default TMPDIR.")
  var directory: String?

  func validate() throws {
    guard (1...10_000_000).contains(size) else {
      throw ValidationError("--size must be 1 to 10000000, not \(size).")
    }
    for word in only where Workloads.named(word) == nil {
      let names = Workloads.names.joined(separator: ", ")
      throw ValidationError("--only does not know '\(word)'. It knows: \(names).")
    }
  }

  func run() throws {
    let work = try WorkDirectory(in: directory)
    defer { work.remove() }
    let fileSystem = FileSystem(at: work.path)
    try head(work, fileSystem)
    if fileSystem.isInMemory {
      try Console.error.write(
        "warning: \(work.path) is in memory (\(fileSystem.type)): syncs cost nothing there. "
          + "Name a directory on a disk with --directory.\n")
    }
    #if DEBUG
      try Console.error.write("warning: this is a debug build; build with -c release to measure.\n")
    #endif
    try measure(in: work.path)
  }

  private func head(_ work: WorkDirectory, _ fileSystem: FileSystem) throws {
    let lines = try Head.lines(
      size: size, rounds: BenchCommand.rounds, directory: work.path, fileSystem: fileSystem)
    let text = lines.map { "# \($0)\n" }.joined()
    try (json ? Console.error : Console.output).write(text)
  }

  private func measure(in directory: String) throws {
    let workloads = chosen()
    let runner = Runner(size: size, rounds: BenchCommand.rounds, directory: directory)
    if workloads.contains(where: { $0.start != .empty }) { try runner.populate() }
    var figures: [Figure] = []
    for workload in workloads {
      let comparison = try runner.compare(workload)
      figures += comparison.figures
      if json {
        try Console.output.write(comparison.figures.map { $0.json + "\n" }.joined())
      } else {
        try Console.output.write("\n" + Table.text(of: comparison))
      }
    }
    if !json, let report = Target.report(on: figures) {
      try Console.output.write("\n" + report)
    }
  }

  /// What `--only` names, each once, in the order of a report.
  private func chosen() -> [any Workload] {
    guard !only.isEmpty else { return Workloads.all }
    let names = Set(only.flatMap { Workloads.named($0) ?? [] }.map(\.name))
    return Workloads.all.filter { names.contains($0.name) }
  }
}
