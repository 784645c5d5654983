import Foundation

/// What the swarm's program does with its arguments.
///
/// - `run --seed N --programs N --minutes N --workers N`: programs in workers; a failing one is made
///   shorter, and printed as Swift code.
/// - `work SEED...`, `child PROGRAM FOLDER`, `crowd PROGRAM FOLDER`, `trace SEED FILE`, `program FILE`: what it runs itself for.
/// - `shrink SEED`: makes a seed's program shorter.
package enum Command {
  /// - Returns: The exit code.
  package static func run(_ arguments: [String]) -> Int32 {
    do {
      if ["work", "child", "crowd", "program"].contains(arguments.first) { Child.followParent() }
      switch arguments.first {
      case "run": return try supervise(Array(arguments.dropFirst()))
      case "work": work(arguments.dropFirst().compactMap { UInt64($0) })
      case "child":
        let isDone = try SwarmRun.runChild(
          try read(arguments[1]), in: URL(filePath: arguments[2]))
        if !isDone { say(Runner.undone) }
      case "crowd":
        try SwarmRun.crowd(try read(arguments[1]), in: URL(filePath: arguments[2]))
      case "trace":
        _ = try SwarmRun.run(seed: UInt64(arguments[1]) ?? 0) { program in
          try JSONEncoder().encode(program).write(to: URL(filePath: arguments[2]))
        }
      case "program": _ = try SwarmRun.run(try read(arguments[1]))
      case "time":
        for seed in arguments.dropFirst() {
          let start = Date.now
          let counts = try SwarmRun.run(seed: UInt64(seed) ?? 0)
          say("\(seed) \(Int(Date.now.timeIntervalSince(start) * 1_000)) ms, \(counts.rows) rows")
        }
      case "shrink": try shrink(UInt64(arguments[1]) ?? 0)
      default:
        say("what to do is missing")
        return 64
      }
      return 0
    } catch {
      say("\(error)")
      return 1
    }
  }

  private static func supervise(_ arguments: [String]) throws -> Int32 {
    func option(_ name: String) -> UInt64? {
      arguments.firstIndex(of: "--\(name)").flatMap { place in
        arguments.indices.contains(place + 1) ? UInt64(arguments[place + 1]) : nil
      }
    }
    let seed = option("seed") ?? .random(in: 0...UInt64(UInt32.max))
    say("swarm: --seed \(seed)")
    let minutes = option("minutes").map { Date(timeIntervalSinceNow: Double($0) * 60) }
    let supervisor = Supervisor(
      seed: seed, programs: option("programs").map { Int($0) } ?? .max, until: minutes,
      stopsAtFirst: arguments.contains("--first"))
    supervisor.run(workers: Int(option("workers") ?? 2))
    supervisor.report()
    for verdict in supervisor.verdicts.prefix(arguments.contains("--first") ? 0 : 3) {
      try shrink(verdict.seed)
    }
    if !supervisor.verdicts.isEmpty { return 1 }
    if option("minutes") ?? 0 >= 60, !supervisor.unreachedMarks.isEmpty {
      say("swarm: an hour did not reach every mark")
      return 1
    }
    return 0
  }

  private static func work(_ seeds: [UInt64]) {
    for seed in seeds {
      say("begin \(seed)")
      var drawn: Program?
      do {
        let counts = try SwarmRun.run(seed: seed) { drawn = $0 }
        say("done \(String(decoding: try JSONEncoder().encode(counts), as: UTF8.self))")
      } catch {
        let column = (error as? Failure)?.column.rawValue ?? "wrong"
        let text = "\(error)".replacing("\n", with: " ")
        say("failed \(seed) \(column): \(text.prefix(2_000))")
        // What is drawn after a killed process depends on what it had committed.
        try? JSONEncoder().encode(drawn).write(to: drawnProgram(seed))
      }
    }
    say("unreached \(Hooks.unreachedMarks.sorted().joined(separator: ","))")
  }

  /// Prints the shortest program that fails as a seed's does.
  private static func shrink(_ seed: UInt64) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "swarm-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer {
      // Nothing in it is needed again.
      try? FileManager.default.removeItem(at: folder)
    }
    let file = folder.appending(path: "program.json")
    let first = try Child.run(["trace", "\(seed)", file.path], seconds: 600)
    guard first.status != 0 else {
      say(
        "swarm: seed \(seed) does not fail again; what failed was drawn as "
          + drawnProgram(seed).path + ": run it by `SwarmRunner program FILE`")
      return
    }
    var message = first.output
    var shrinker = Shrinker { program in
      do {
        try JSONEncoder().encode(program).write(to: file)
        let result = try Child.run(["program", file.path], seconds: 60)
        guard result.status == first.status else { return false }
        message = result.output
        return true
      } catch { return false }
    }
    let program = shrinker.shrunk(try read(file.path))
    say("swarm: seed \(seed) fails, made shorter in \(shrinker.attempts) attempts:")
    say(message.prefix(1_500) + "\n" + program.code)
  }

  /// Where the program of a seed is that failed.
  private static func drawnProgram(_ seed: UInt64) -> URL {
    FileManager.default.temporaryDirectory.appending(path: "swarm-\(seed).json")
  }

  private static func read<T: Decodable>(_ path: String) throws -> T {
    try JSONDecoder().decode(T.self, from: Data(contentsOf: URL(filePath: path)))
  }

  static func say(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
  }
}
