import CPowerCut
import Croft
import Foundation
import LMDB
import PowerCut
import TestSupport

/// The command line: PowerCutWorkloads run|check|verify WORKLOAD --folder PATH --trace PATH ...
///
/// `run` does what a workload says under the recorder; `check` makes images of the trace and checks
/// each; `verify` holds a folder to the marks of the trace. README.md in the folder above tells the options and what is printed.
struct CommandLineCall {
  private let verb: String
  private let workload: Workload
  private let options: [String: String]

  init?(_ arguments: [String]) {
    guard arguments.count >= 2, let workload = Workload(rawValue: arguments[1]) else { return nil }
    verb = arguments[0]
    self.workload = workload
    var options: [String: String] = [:]
    for place in stride(from: 2, to: arguments.count - 1, by: 2) {
      options[arguments[place]] = arguments[place + 1]
    }
    self.options = options
    guard ["run", "check", "verify"].contains(verb), options["--folder"] != nil,
      options["--trace"] != nil
    else { return nil }
  }

  private func path(_ name: String) -> String { options[name] ?? "" }

  private func number(_ name: String, _ standard: Int) -> Int {
    options[name].flatMap { Int($0) } ?? standard
  }

  private func durability(_ name: String) -> Store.Durability {
    switch options[name] {
    case "fullWithoutJournal": .fullWithoutJournal
    case "relaxed": .relaxed
    case "unsafe": .unsafe
    default: .full
    }
  }

  private var scene: Scene {
    Scene(
      folder: URL(filePath: path("--folder")),
      random: SeededGenerator(seed: UInt64(number("--seed", 1))),
      steps: number("--steps", 20), durability: durability("--durability"),
      lane: number("--lane", 0))
  }

  /// Does what is asked; the exit code.
  func run() async throws -> Int32 {
    if let count = options["--commits-between-checkpoints"].flatMap({ Int($0) }) {
      Threshold.commitsBetweenCheckpoints.value = count
    }
    if let bytes = options["--record-bytes"].flatMap({ Int($0) }) {
      Threshold.recordBytes.value = bytes
    }
    workload.setThresholds()
    return switch verb {
    case "run": try await record()
    case "check": try check()
    default: try verify()
    }
  }

  private func record() async throws -> Int32 {
    // With a folder that has no files the trace holds the marks alone.
    let recorded = options["--marks-only"] == nil ? path("--folder") : "/nowhere"
    let code = powercut_start(recorded, path("--trace"))
    guard code == 0 else { return 74 }
    powercut_die_at(number("--die-at", 0))
    powercut_fail_at(number("--fail-at", 0))
    defer { powercut_stop() }
    do {
      try await workload.run(scene)
      return 0
    } catch {
      say("failed: \(error)")
      return 70
    }
  }

  private func verify() throws -> Int32 {
    var scene = scene
    let isAlone = options["--others"] == nil
    if isAlone { scene.writerTimeout = .zero }
    let trace = try Trace(contentsOf: URL(filePath: path("--trace")))
    var told = Told(isUnfinished: !isAlone)
    for case .mark(let mark) in trace.events { told.hear(mark) }
    do {
      try workload.check(scene, told, mayLose: 0, writes: true)
      say("done 1 0 0 0")
    } catch {
      let isLost = if case Damage.lost = error { true } else { false }
      say("bad: \(error)")
      say("done 1 0 \(isLost ? 1 : 0) \(isLost ? 0 : 1)")
    }
    return 0
  }

  private func check() throws -> Int32 {
    var trace = try Trace(contentsOf: URL(filePath: path("--trace")))
    if let omission = Trace.Omission(rawValue: path("--without")) {
      trace = trace.without(omission)
    }
    var checking = Checking(
      workload, trace, scene, seed: UInt64(number("--seed", 1)),
      mayLose: durability("--claim") == .relaxed ? number("--may-lose", 1) : 0,
      strictLane: options["--strict-lane"].flatMap { Int($0) })
    try checking.run(number("--images", 100), from: number("--from", 0))
    say("done \(checking.images) \(checking.secondCuts) \(checking.lost) \(checking.wrong)")
    return 0
  }
}

/// Writes a line at once, so that it is read even when the next step kills this process.
func say(_ line: String) {
  FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

guard let call = CommandLineCall(Array(CommandLine.arguments.dropFirst())) else {
  say(
    "usage: PowerCutWorkloads run|check|verify WORKLOAD --folder PATH --trace PATH [--seed N] ...")
  exit(64)
}
exit(try await call.run())
