import Croft
import Foundation

/// A tester that combines: it draws programs from seeds, and runs them against a plain twin.
package enum SwarmRun {
  /// The most objects that a program is drawn for: `SWARM_SIZE`, else a few hundred.
  static let largestSize =
    ProcessInfo.processInfo.environment["SWARM_SIZE"].flatMap { Int($0) } ?? 260

  /// Draws a seed's program and runs it; `record` hears of each step before it is done.
  static func run(
    seed: UInt64, record: (Program) throws -> Void = { _ in }
  ) throws -> Counts {
    var generator = Generator(seed: seed)
    var program = generator.program(Family.all)
    try record(program)
    return try inFolder { folder in
      let runner = try Runner(program, Family.all, in: folder)
      for _ in 0..<generator.stepCount {
        let steps = [
          generator.step(
            runner.twin, runner.family, version: runner.version, hasBackup: runner.backup != nil)
        ]
        for step in steps { try take(step) }
        try take(.ask(generator.questions(runner.twin, 4)))
      }
      return try runner.finish()
      func take(_ step: Step) throws {
        program.steps.append(step)
        try record(program)
        do { try runner.run(step) } catch { throw Failure(error, in: step) }
      }
    }
  }

  /// The thresholds that some of the programs of seeds set, of all that there are.
  package static func drawnThresholds(of seeds: Range<UInt64>) -> (
    drawn: Set<String>, all: Set<String>
  ) {
    var drawn: Set<String> = []
    for seed in seeds {
      var generator = Generator(seed: seed)
      drawn.formUnion(generator.program(Family.all).thresholds.keys)
    }
    return (drawn, Set(Hooks.thresholds.map(\.name)))
  }

  /// How many shapes of models there are, versions counted apart.
  package static var shapeCount: Int {
    Family.all.reduce(0) { $0 + $1.versions.reduce(0) { $0 + $1.shapes.count } }
  }

  /// Runs a program as it is.
  static func run(_ program: Program) throws -> Counts {
    try inFolder { folder in
      let runner = try Runner(program, Family.all, in: folder)
      for step in program.steps {
        do { try runner.run(step) } catch { throw Failure(error, in: step) }
      }
      return try runner.finish()
    }
  }

  /// Runs one step on a store that is there, for another process.
  ///
  /// - Returns: Whether all of it was done.
  static func runChild(_ task: Runner.Errand, in folder: URL) throws -> Bool {
    let runner = try Runner(task.program, Family.all, in: folder)
    try runner.adopt(task.uniques)
    for step in task.program.steps { try runner.run(step) }
    return try runner.finish().undone == 0
  }

  /// Reads a store that is there until this process is killed.
  static func crowd(_ task: Runner.Errand, in folder: URL) throws {
    guard case .crowd(let places, _) = task.program.steps.first else { return }
    let runner = try Runner(task.program, Family.all, in: folder)
    let snapshots = Runner.crowd(try runner.opened(), places)
    Command.say("reading")
    withExtendedLifetime(snapshots) { while true { pause() } }
  }

  private static func inFolder<R>(_ body: (URL) throws -> R) throws -> R {
    let folder = FileManager.default.temporaryDirectory.appending(path: "swarm-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer {
      // The files of a program are worth nothing: its seed makes them again.
      try? FileManager.default.removeItem(at: folder)
    }
    return try body(folder)
  }
}
