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
      Text scans: \(TextWorkload.all.map(\.name).joined(separator: ", ")).
      Group: \(TextWorkload.group) (all). One title for every two objects of --size.
      Searches: \(SearchWorkload.all.map(\.name).joined(separator: ", ")).
      Group: \(SearchWorkload.group) (all), only where it is named. --size titles, and a fifth as many notes.
      Chains of events: \(StreamRow.all.map(\.name).joined(separator: ", ")).
      Group: \(StreamRow.group) (all). Ten events for each object of --size.
      With --growth alone: \(LargeWorkload.allCases.map(\.rawValue).joined(separator: ", ")).
      Group: \(LargeWorkload.group) (all). One thing as large as the number of objects.
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

  @Flag(
    help: "Measures Croft with a tenth of the objects and with ten times as many, too, a table.")
  var growth = false

  @Option(
    help: ArgumentHelp(
      "Writes the figures to a page, too: Scripts/bench --report Benchmarks/Figures.md.",
      valueName: "file"))
  var report: String?

  func validate() throws {
    guard (1...10_000_000).contains(size) else {
      throw ValidationError("--size must be 1 to 10000000, not \(size).")
    }
    guard !growth || (100...1_000_000).contains(size) else {
      throw ValidationError("With --growth, --size must be 100 to 1000000, not \(size).")
    }
    for word in only
    where Workloads.named(word) == nil && LiveWorkload.named(word) == nil
      && TextWorkload.named(word) == nil && StreamRow.named(word) == nil
      && SearchWorkload.named(word) == nil
      && !(growth && LargeWorkload.named(word) != nil)
    {
      let live = LiveWorkload.all.map(\.name) + [LiveWorkload.group]
      let texts = TextWorkload.all.map(\.name) + [TextWorkload.group]
      let streams = StreamRow.all.map(\.name) + [StreamRow.group]
      let large = growth ? LargeWorkload.allCases.map(\.rawValue) + [LargeWorkload.group] : []
      let searches = [SearchWorkload.group]
      let names = (Workloads.names + live + texts + searches + streams + large)
        .joined(separator: ", ")
      throw ValidationError("--only does not know '\(word)'. It knows: \(names).")
    }
  }

  func run() throws {
    #if DEBUG
      try Console.error.write("warning: this is a debug build; build with -c release to measure.\n")
    #endif
    var page = FiguresPage(command: commandLine, date: today)
    let workloads = chosen(Workloads.all, Workloads.named) { $0.name }
    if !workloads.isEmpty { page.sections.append(try measureStores(workloads)) }
    let live = chosen(LiveWorkload.all, LiveWorkload.named) { $0.name }
    if !live.isEmpty { page.sections.append(try measureLive(live)) }
    let texts = chosen(TextWorkload.all, TextWorkload.named) { $0.name }
    if !texts.isEmpty { page.sections.append(try measureTexts(texts)) }
    // They take minutes.
    let searches = only.isEmpty ? [] : chosen(SearchWorkload.all, SearchWorkload.named) { $0.name }
    if !searches.isEmpty { page.sections.append(try measureSearches(searches)) }
    let rows = chosen(StreamRow.all, StreamRow.named) { $0.name }
    if !rows.isEmpty { page.sections.append(try measureStreams(rows)) }
    if growth { page.sections.append(try measureGrowth(workloads, live)) }
    // Last, so that a run that fails leaves the page unchanged.
    if let report { try page.write(to: report) }
  }

  /// The command that writes this page again.
  private var commandLine: String {
    (["Scripts/bench --size \(size)"] + only.map { "--only \($0)" } + (growth ? ["--growth"] : [])
      + (report.map { ["--report \($0)"] } ?? [])).joined(separator: " ")
  }

  private var today: String {
    Date.now.formatted(.iso8601.year().month().day())
  }

  private func measureStores(_ workloads: [any Workload]) throws -> FiguresPage.Section {
    let work = try WorkDirectory(in: directory)
    defer { work.remove() }
    let fileSystem = FileSystem(at: work.path)
    let head = try Head.lines(
      size: size, rounds: BenchCommand.rounds, directory: work.path, fileSystem: fileSystem)
    try write(head)
    if fileSystem.isInMemory {
      try Console.error.write(
        "warning: \(work.path) is in memory (\(fileSystem.type)): syncs cost nothing there. "
          + "Name a directory on a disk with --directory.\n")
    }
    let runner = Runner(size: size, rounds: BenchCommand.rounds, directory: work.path)
    if workloads.contains(where: { $0.start != .empty }) { try runner.populate() }
    // The page is for other machines too, where the directory says nothing.
    return .stores(
      try measure(workloads, runner.compare),
      head: head.map { $0.replacing(", in \(work.path)", with: "") })
  }

  private func measureLive(_ workloads: [LiveWorkload]) throws -> FiguresPage.Section {
    let work = try WorkDirectory(in: directory)
    defer { work.remove() }
    let head = try Head.liveLines(size: size, rounds: BenchCommand.rounds)
    try write(head)
    let runner = LiveRunner(size: size, rounds: BenchCommand.rounds, directory: work.path)
    return .liveQueries(try measure(workloads, runner.compare), head: head)
  }

  private func measureTexts(_ workloads: [TextWorkload]) throws -> FiguresPage.Section {
    let work = try WorkDirectory(in: directory)
    defer { work.remove() }
    let head = try Head.textLines(size: size, rounds: BenchCommand.rounds)
    try write(head)
    let runner = TextRunner(size: size, rounds: BenchCommand.rounds, directory: work.path)
    return .textScans(try measure(workloads, runner.compare), head: head)
  }

  private func measureSearches(_ workloads: [SearchWorkload]) throws -> FiguresPage.Section {
    let work = try WorkDirectory(in: directory)
    defer { work.remove() }
    let head = try Head.searchLines(size: size, rounds: BenchCommand.rounds)
    try write(head)
    let runner = SearchRunner(size: size, rounds: BenchCommand.rounds, directory: work.path)
    let figures = try measure(workloads, runner.compare)
    try runner.finish()
    return .searches(figures, head: head)
  }

  private func measureStreams(_ rows: [StreamRow]) throws -> FiguresPage.Section {
    let head = Head.streamLines(rounds: BenchCommand.rounds)
    try write(head)
    let comparisons = try rows.map { row in
      let comparison = try StreamComparison(
        of: row, among: StreamLibraries.all, size: size, rounds: BenchCommand.rounds)
      let report = StreamReport(comparison)
      try Console.output.write(json ? report.json : "\n" + report.text)
      return comparison
    }
    return StreamReport.section(of: comparisons, head: head)
  }

  /// Measures Croft alone, with three numbers of objects.
  private func measureGrowth(
    _ workloads: [any Workload], _ live: [LiveWorkload]
  ) throws -> FiguresPage.Section {
    let head = Head.growthLines(rounds: BenchCommand.rounds)
    try write(head)
    var growth = Growth()
    for size in [size / 10, size, size * 10] {
      let work = try WorkDirectory(in: directory)
      defer { work.remove() }
      let stores = Runner(
        size: size, rounds: BenchCommand.rounds, directory: work.path,
        engines: [CroftEngine.self])
      if workloads.contains(where: { $0.start != .empty }) { try stores.populate() }
      let observers = LiveRunner(
        size: size, rounds: BenchCommand.rounds, directory: work.path,
        engines: [CroftLiveEngine.self])
      let figures =
        try workloads.flatMap { try stores.compare($0).figures }
        + live.filter { !$0.isBetweenProcesses }.flatMap { try observers.compare($0).figures }
        + chosen(LargeWorkload.allCases, LargeWorkload.named) { $0.rawValue }.flatMap {
          try measureLarge($0, size, work.path)
        }
      growth.add(figures, size: size)
    }
    try Console.output.write(json ? growth.json : "\n" + growth.text)
    return growth.section(head: head)
  }

  private func measureLarge(
    _ workload: LargeWorkload, _ size: Int, _ directory: String
  ) throws -> [Figure] {
    let trial = try LargeTrial(workload, size: size, in: directory)
    let comparison = try Comparison(
      of: workload.rawValue, among: [trial], rounds: BenchCommand.rounds)
    try trial.finish()
    return comparison.figures
  }

  /// Writes the first lines of a report; beside JSON they go to stderr.
  private func write(_ head: [String]) throws {
    try (json ? Console.error : Console.output).write(head.map { "# \($0)\n" }.joined())
  }

  /// Measures one after the other; a table of targets ends a report for people.
  private func measure<Case>(
    _ workloads: [Case], _ compare: (Case) throws -> Comparison
  ) throws -> [Figure] {
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
    return figures
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
