import ArgumentParser
import Engines
import Foundation
import Harness
import Streams

/// The command line: which workloads, how many objects, for whom the report is.
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measures Croft and Reactive beside their peers, in turn, in one run.",
    discussion: """
      Workloads: \(Workloads.all.map(\.name).joined(separator: ", ")).
      Groups: \(WorkloadGroup.allCases.map(\.rawValue).joined(separator: ", ")), storage (all).
      Times are medians in nanoseconds per object, durable commit included.
      Live queries: \(LiveWorkload.all.map(\.name).joined(separator: ", ")).
      Group: \(LiveWorkload.group) (all). Nothing waits for the disk there, but between processes.
      Chains of events: \(StreamRow.all.map(\.name).joined(separator: ", ")).
      Group: \(StreamRow.group) (all). Ten events for each object of --size.
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
    for word in only
    where Workloads.named(word) == nil && LiveWorkload.named(word) == nil
      && StreamRow.named(word) == nil
    {
      let live = LiveWorkload.all.map(\.name) + [LiveWorkload.group]
      let streams = StreamRow.all.map(\.name) + [StreamRow.group]
      let names = (Workloads.names + live + streams).joined(separator: ", ")
      throw ValidationError("--only does not know '\(word)'. It knows: \(names).")
    }
  }

  func run() throws {
    #if DEBUG
      try Console.error.write("warning: this is a debug build; build with -c release to measure.\n")
    #endif
    let workloads = chosen(Workloads.all, Workloads.named) { $0.name }
    if !workloads.isEmpty { try measureStores(workloads) }
    let live = chosen(LiveWorkload.all, LiveWorkload.named) { $0.name }
    if !live.isEmpty { try measureLive(live) }
    let rows = chosen(StreamRow.all, StreamRow.named) { $0.name }
    if !rows.isEmpty { try measureStreams(rows) }
  }

  private func measureStores(_ workloads: [any Workload]) throws {
    let work = try WorkDirectory(in: directory)
    defer { work.remove() }
    let fileSystem = FileSystem(at: work.path)
    try head(work, fileSystem)
    if fileSystem.isInMemory {
      try Console.error.write(
        "warning: \(work.path) is in memory (\(fileSystem.type)): syncs cost nothing there. "
          + "Name a directory on a disk with --directory.\n")
    }
    try measure(workloads, in: work.path)
  }

  private func measureLive(_ workloads: [LiveWorkload]) throws {
    let work = try WorkDirectory(in: directory)
    defer { work.remove() }
    let lines = try Head.liveLines(size: size, rounds: BenchCommand.rounds)
    try (json ? Console.error : Console.output).write(lines.map { "# \($0)\n" }.joined())
    let runner = LiveRunner(size: size, rounds: BenchCommand.rounds, directory: work.path)
    try report(workloads, runner.compare)
  }

  private func measureStreams(_ rows: [StreamRow]) throws {
    let lines = Head.streamLines(rounds: BenchCommand.rounds)
    try (json ? Console.error : Console.output).write(lines.map { "# \($0)\n" }.joined())
    for row in rows {
      let comparison = try StreamComparison(
        of: row, among: StreamLibraries.all, size: size, rounds: BenchCommand.rounds)
      let report = StreamReport(comparison)
      try Console.output.write(json ? report.json : "\n" + report.text)
    }
  }

  private func head(_ work: WorkDirectory, _ fileSystem: FileSystem) throws {
    let lines = try Head.lines(
      size: size, rounds: BenchCommand.rounds, directory: work.path, fileSystem: fileSystem)
    let text = lines.map { "# \($0)\n" }.joined()
    try (json ? Console.error : Console.output).write(text)
  }

  private func measure(_ workloads: [any Workload], in directory: String) throws {
    let runner = Runner(size: size, rounds: BenchCommand.rounds, directory: directory)
    if workloads.contains(where: { $0.start != .empty }) { try runner.populate() }
    try report(workloads, runner.compare)
  }

  /// Measures one after the other; a table of targets ends a report for people.
  private func report<Case>(_ workloads: [Case], _ compare: (Case) throws -> Comparison) throws {
    var figures: [Figure] = []
    for workload in workloads {
      let comparison = try compare(workload)
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
  private func chosen<Case>(
    _ all: [Case], _ named: (String) -> [Case]?, _ name: (Case) -> String
  ) -> [Case] {
    guard !only.isEmpty else { return all }
    let names = Set(only.flatMap { named($0) ?? [] }.map(name))
    return all.filter { names.contains(name($0)) }
  }
}
