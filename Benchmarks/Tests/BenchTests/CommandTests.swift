import Engines
import Foundation
import Harness
import Testing

/// The executable as a user runs it, at a tiny size.
@Suite struct CommandTests {
  @Test func itReportsInJSONOneObjectALine() throws {
    let result = try run("--size", "300", "--only", "delete-quarter", "--json")
    #expect(result.status == 0)
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == Engines.all.count)
    let objects = try lines.map { line in
      try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    for object in objects {
      #expect(
        Set(object.keys) == [
          "workload", "engine", "objects", "nanosecondsPerObject", "firstQuartile",
          "ratioToRawLMDB", "spread", "checksum", "fileBytes", "peakBytes",
        ])
    }
    #expect(objects.compactMap { $0["engine"] as? String } == Engines.all.map { $0.name })
    #expect(Set(objects.compactMap { $0["checksum"] as? String }).count == 1)
    #expect(result.error.contains("# 300 objects"))
  }

  @Test func theTableStartsWithVersionsSyncAndFileSystem() throws {
    let result = try run("--size", "100", "--only", "insert-plain", "--only", "scan")
    #expect(result.status == 0)
    let blocks = result.output.components(separatedBy: "\n\n")
    #expect(blocks[0].split(separator: "\n").allSatisfy { $0.hasPrefix("# ") })
    for word in ["LMDB 0.", "SQLite 3.", "GRDB 7.", "Swift 6.", "synchronous=FULL", " on "] {
      #expect(blocks[0].contains(word))
    }
    let titles = blocks.dropFirst().map { $0.prefix { $0 != "," } }
    #expect(titles.dropLast() == ["insert-plain", "scan-decode", "scan-count", "sort-first"])
  }

  @Test func theTableEndsWithTheTargetsOfTheWorkloadsThatRan() throws {
    let result = try run("--size", "100", "--only", "delete-all")
    let report = try #require(result.output.components(separatedBy: "\n\n").last)
    let lines = report.split(separator: "\n")
    #expect(lines[0] == "targets")
    #expect(lines.count == 6)
    #expect(lines.dropFirst(2).allSatisfy { $0.hasSuffix("met") || $0.hasSuffix("missed") })
    #expect(lines.dropFirst(2).allSatisfy { $0.contains("delete-all") })
  }

  @Test func growthHasARowForEachLargeThing() throws {
    let result = try run("--size", "1000", "--only", "large", "--growth")
    #expect(result.status == 0)
    for workload in LargeWorkload.allCases {
      #expect(result.output.contains("\n  \(workload.rawValue) "), "\(workload)")
    }
    #expect(try run("--only", "large").status != 0)
  }

  @Test func growthHasAColumnForATenthAndForTenTimesTheObjects() throws {
    let result = try run("--size", "100", "--only", "read-key", "--only", "live-count", "--growth")
    #expect(result.status == 0)
    let lines = try #require(result.output.components(separatedBy: "\n\n").last)
      .split(separator: "\n")
    #expect(lines[0] == "growth")
    #expect(
      lines[1].split(separator: " ").prefix(5) == ["workload", "10", "100", "1000", "growth"])
    #expect(
      lines.dropFirst(2).map { $0.split(separator: " ").first } == ["read-key", "live-count"])
    #expect(try run("--size", "2000000", "--growth").status != 0)
  }

  @Test func wakeUpsBetweenProcessesAreReportedWithMedianAndPercentile() throws {
    let result = try run("--size", "100", "--only", "live-wake-up")
    #expect(result.status == 0)
    let blocks = result.output.components(separatedBy: "\n\n")
    #expect(blocks[0].contains("no peer"))
    let rows = blocks[1].split(separator: "\n").map { $0.split(separator: " ") }
    #expect(rows[0].first == "live-wake-up,")
    #expect(rows.dropFirst(2).map(\.first) == ["croft", "croft-p99"])
    #expect(blocks.last?.contains("20000000 ns") == true)
  }

  @Test func textScansAreReportedWithTheirTargets() throws {
    let result = try run("--size", "100", "--only", "scan-text")
    #expect(result.status == 0)
    let blocks = result.output.components(separatedBy: "\n\n")
    #expect(blocks[0].contains("# 50 titles"))
    #expect(blocks[0].contains("localizedStandardContains"))
    let titles = blocks.dropFirst().dropLast().map { String($0.prefix { $0 != "," }) }
    #expect(titles == TextWorkload.all.map(\.name))
    #expect(blocks.last?.contains("croft scan-text-ascii") == true)
  }

  @Test func chainsOfEventsAreReportedWithTheirTargets() throws {
    let result = try run("--size", "10", "--only", "subscribe", "--only", "subject-1")
    #expect(result.status == 0)
    let blocks = result.output.components(separatedBy: "\n\n")
    #expect(blocks[0].contains("OpenCombine 0."))
    let titles = blocks.dropFirst().map { $0.prefix { $0 != "," } }
    #expect(titles == ["subject-1", "subscribe"])
    #expect(blocks.dropFirst().allSatisfy { $0.contains("times as fast as OpenCombine") })
  }

  @Test func aRunWritesItsFiguresToAPageOnceItHasAllOfThem() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let page = folder.appendingPathComponent("Figures.md")
    let result = try run(
      "--size", "100", "--only", "delete-all", "--only", "live-change-1000",
      "--only", "scan-text-korean", "--only", "subject-1", "--report", page.path)
    #expect(result.status == 0)
    let text = try String(contentsOf: page, encoding: .utf8)
    let picture = try String(
      contentsOf: folder.appendingPathComponent("Stores.svg"), encoding: .utf8)
    #expect(picture.contains(">delete-all</text>"))
    let titles = text.split(separator: "\n").filter { $0.hasPrefix("## ") }
    #expect(
      titles == [
        "## Stores", "## Live queries", "## Text scans", "## Chains of events",
        "## Recorded from other commands",
      ])
    #expect(text.contains("`Scripts/bench --size 100 --only delete-all"))
    for row in ["| delete-all |", "| live-change-1000 |", "| scan-text-korean |", "| subject-1 |"] {
      #expect(text.contains("\n\(row)"))
    }
    #expect(text.contains("- croft: Croft, revision "))
    // Readers of the page have no use for the folder of the stores.
    #expect(!text.contains(", in /"))
  }

  @Test func aRunThatFailsLeavesThePageAsItWas() throws {
    let page = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data("as it was".utf8).write(to: page)
    defer { try? FileManager.default.removeItem(at: page) }
    let result = try run(
      "--size", "10", "--directory", "/nowhere/at/all", "--report", page.path)
    #expect(result.status == 1)
    #expect(try String(contentsOf: page, encoding: .utf8) == "as it was")
  }

  @Test(arguments: [
    ["--size", "0"], ["--size", "many"], ["--only", "nothing"], ["--unknown"], ["extra"],
  ])
  func badArgumentsExitWith64(arguments: [String]) throws {
    let result = try run(arguments)
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
    #expect(result.error.contains("Usage: bench"))
  }

  @Test func aDirectoryThatIsNotThereIsNamed() throws {
    let result = try run("--size", "10", "--directory", "/nowhere/at/all")
    #expect(result.status == 1)
    #expect(result.error.contains("/nowhere/at/all"))
  }

  @Test func anEngineThatFailsEndsTheRunWithItsMessage() throws {
    let result = try run(
      "child", "--engine", "lmdb", "--size", "10", "--directory", "/nowhere/at/all")
    #expect(result.status == 1)
    #expect(result.error.contains("/nowhere/at/all") || result.error.contains("lmdb"))
  }

  private struct Result {
    let status: Int32
    let output: String
    let error: String
  }

  private func run(_ arguments: String...) throws -> Result { try run(arguments) }

  /// Runs the command with an empty TMPDIR of its own, which must be empty again afterwards.
  private func run(_ arguments: [String]) throws -> Result {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: directory) }
    let process = Process()
    process.executableURL = CommandTests.products.appendingPathComponent("bench")
    process.arguments = arguments
    process.environment = ["TMPDIR": directory.path]
    let output = Pipe()
    process.standardOutput = output
    let error = directory.appendingPathExtension("error")
    try Data().write(to: error)
    defer { try? FileManager.default.removeItem(at: error) }
    process.standardError = try FileHandle(forWritingTo: error)
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
    return Result(
      status: process.terminationStatus, output: text,
      error: try String(contentsOf: error, encoding: .utf8))
  }

  /// Where the build put the executable: beside the tests.
  private static var products: URL {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    return bundle?.bundleURL.deletingLastPathComponent() ?? Bundle.main.bundleURL
  }
}
