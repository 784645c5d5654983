import Foundation

/// The program of the workloads, which is beside the test bundle, run in folders of its own.
final class WorkloadProgram {
  static let executable: URL = {
    let bundle = URL(filePath: CommandLine.arguments[0]).standardizedFileURL
    return bundle.deletingLastPathComponent().appending(path: "PowerCutWorkloads")
  }()

  /// What a call has said, and how it ended.
  struct Result {
    let lines: [String]
    /// The exit code, or the number of the signal that ended it, negative.
    let status: Int32
  }

  private let root: URL
  /// Where the workload runs.
  let live: URL
  /// The trace of it.
  let trace: URL

  init() throws {
    // In memory where there is such a place: images are many, and nobody waits for a disk.
    let memory = URL(filePath: "/dev/shm")
    let base =
      FileManager.default.isWritableFile(atPath: memory.path)
      ? memory : FileManager.default.temporaryDirectory
    root = base.appending(path: "powercut-\(UUID())")
    live = root.appending(path: "live")
    trace = root.appending(path: "trace")
    for folder in [live, root.appending(path: "check")] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
  }

  /// Removes what was made, unless it is to be looked at.
  func leave(keeps: Bool) throws {
    if keeps {
      print("What a power cut left is kept in \(root.path)")
    } else {
      try FileManager.default.removeItem(at: root)
    }
  }

  /// Makes a store that has a journal, and nothing in it.
  func makeStore() throws {
    let made = try run("run", "processes", ["steps": "0"])
    guard made.status == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  /// Starts the program; its words go to a file.
  func start(
    _ verb: String, _ workload: String, _ options: [String: String]
  ) throws -> (process: Process, output: URL) {
    let output = root.appending(path: "output-\(UUID())")
    try Data().write(to: output)
    let process = Process()
    process.executableURL = Self.executable
    let folder = verb == "check" ? root.appending(path: "check") : live
    process.arguments =
      [verb, workload, "--folder", folder.path, "--trace", trace.path]
      + options.sorted { $0.key < $1.key }.flatMap { ["--\($0)", $1] }
    process.standardInput = FileHandle.nullDevice
    let handle = try FileHandle(forWritingTo: output)
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    return (process, output)
  }

  /// Runs the program to its end.
  func run(
    _ verb: String, _ workload: String, _ options: [String: String]
  ) throws -> Result {
    let (process, output) = try start(verb, workload, options)
    return try Self.wait(for: process, output)
  }

  /// Waits for the end of the program.
  static func wait(for process: Process, _ output: URL) throws -> Result {
    process.waitUntilExit()
    let text = try String(contentsOf: output, encoding: .utf8)
    let status = process.terminationStatus
    return Result(
      lines: text.split(separator: "\n").map(String.init),
      status: process.terminationReason == .exit ? status : -status)
  }
}

/// What came of checking images, or folders after kills.
struct Findings {
  var images = 0
  var secondCuts = 0
  var lost = 0
  var wrong = 0
  var crashed = 0
  /// The first things that were wrong, in words.
  var words: [String] = []

  var isClean: Bool { lost + wrong + crashed == 0 }

  /// Adds other findings.
  mutating func add(_ other: Findings) {
    images += other.images
    secondCuts += other.secondCuts
    lost += other.lost
    wrong += other.wrong
    crashed += other.crashed
    words += other.words
  }

  /// Adds what a call of `check` or `verify` has said; the image at which it crashed, if it did.
  mutating func add(_ result: WorkloadProgram.Result) -> Int? {
    words += result.lines.filter { $0.hasPrefix("bad") }.prefix(3)
    let last = result.lines.last { !$0.isEmpty }?.split(separator: " ") ?? []
    if result.status == 0, last.count == 5, last[0] == "done" {
      let numbers = last.dropFirst().compactMap { Int($0) }
      images += numbers[0]
      secondCuts += numbers[1]
      lost += numbers[2]
      wrong += numbers[3]
      return nil
    }
    crashed += 1
    words.append("ended with \(result.status): \(result.lines.suffix(3))")
    return result.lines.last { $0.hasPrefix("at ") }.flatMap { Int($0.dropFirst(3)) } ?? .max
  }
}

extension WorkloadProgram {
  /// Checks as many images of the trace as are asked for; continues after one that crashes it.
  func check(_ workload: String, _ images: Int, _ options: [String: String]) throws -> Findings {
    var findings = Findings()
    var options = options.merging(["images": "\(images)"]) { $1 }
    while findings.crashed < 5 {
      guard let crashed = findings.add(try run("check", workload, options)) else { break }
      guard crashed < images - 1 else { break }
      // Findings before the crash were printed, but not counted.
      findings.images += crashed + 1 - (options["from"].flatMap { Int($0) } ?? 0)
      options["from"] = "\(crashed + 1)"
    }
    return findings
  }
}
