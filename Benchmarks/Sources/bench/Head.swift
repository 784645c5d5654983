import Engines
import Foundation
import Harness
import Streams

/// The first lines of every report: what was measured, with which libraries, on what.
enum Head {
  /// Collects the lines.
  ///
  /// - Throws: what an engine throws when it cannot tell its version.
  static func lines(
    size: Int, rounds: Int, directory: String, fileSystem: FileSystem
  ) throws -> [String] {
    var lines = [
      "\(size) objects, seed \(Dataset.seed), median of \(rounds) rounds after one to warm up, "
        + "engines in turn, a process each",
      machine,
      "\(fileSystem.type) on \(fileSystem.device), in \(directory)",
    ]
    for engine in Engines.all {
      let about = try engine.about()
      lines.append("\(engine.name): \(about.versions); \(about.sync)")
    }
    return lines
  }

  /// The lines above a report of live queries.
  ///
  /// - Throws: what an engine throws when it cannot tell its version.
  static func liveLines(size: Int, rounds: Int) throws -> [String] {
    [
      "\(size) objects, seed \(Dataset.seed), median of \(rounds) rounds after one to warm up, "
        + "engines in turn, in one process",
      "commits until their change is delivered, less the same number of commits without observers",
      "live-wake-up: from another process's durable commit to the call of an observer here; no peer, "
        + "because GRDB's observation does not see other processes",
      machine,
    ]
      + (try Engines.live.map { engine in
        let about = try engine.about()
        return "\(engine.name): \(about.versions); \(about.sync)"
      })
  }

  /// The lines above a report of text scans.
  ///
  /// - Throws: what an engine throws when it cannot tell its version.
  static func textLines(size: Int, rounds: Int) throws -> [String] {
    [
      "\(TextWorkload.all[0].titles(size).count) titles, seed \(Dataset.seed), median of \(rounds) "
        + "rounds after one to warm up, engines in turn, in one process",
      "counts of the titles that contain a text, for \(TextWorkload.all[0].searched.count) texts; "
        + "the time is that of one title and one text",
      machine,
    ] + (try Engines.text.map { "\($0.name): \(try $0.about())" })
  }

  /// The lines above a report of searches.
  ///
  /// - Throws: what an engine throws when it cannot tell its version.
  static func searchLines(size: Int, rounds: Int) throws -> [String] {
    [
      "\(size) titles and \(max(1, size / 5)) notes, seed \(Dataset.seed), median of \(rounds) rounds "
        + "after one to warm up, engines in turn, in one process",
      "times are those of one search, one insertion, and of one text of a build; files are the index alone",
      machine,
    ] + (try Engines.search.map { "\($0.name): \(try $0.about())" })
  }

  /// The lines above a table of several numbers of objects.
  static func growthLines(rounds: Int) -> [String] {
    [
      "Croft alone; seed \(Dataset.seed), median of \(rounds) rounds after one to warm up",
      "growth: the time with the most objects, for each of them, against that with the fewest",
      machine,
    ]
  }

  /// The lines above a report of event chains.
  static func streamLines(rounds: Int) -> [String] {
    [
      "median of \(rounds) rounds after one to warm up, libraries in turn, in one process",
      machine,
      Meter.countsAllocations
        ? "allocations of the measuring thread, counted in front of the C library's allocator"
        : "allocations are not counted on this system",
    ] + StreamLibraries.all.map { "\($0.name): \($0.version)" }
  }

  private static var machine: String {
    "\(swift), \(build) build, \(ProcessInfo.processInfo.operatingSystemVersionString), "
      + "\(ProcessInfo.processInfo.activeProcessorCount) cores"
  }

  private static var build: String {
    #if DEBUG
      "debug"
    #else
      "release"
    #endif
  }

  /// The compiler can be compared with, but does not tell its version: hence a ladder.
  private static var swift: String {
    #if compiler(>=6.4)
      "Swift 6.4 or later"
    #elseif compiler(>=6.3.2)
      "Swift 6.3.2 or later"
    #elseif compiler(>=6.3.1)
      "Swift 6.3.1"
    #elseif compiler(>=6.3)
      "Swift 6.3"
    #else
      "Swift 6.2"
    #endif
  }
}
