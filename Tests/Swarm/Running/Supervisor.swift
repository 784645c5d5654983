import Foundation

/// Runs programs in processes of their own, and says what came of them.
///
/// A worker says which seed it begins, so that a crash is known by its seed.
final class Supervisor: @unchecked Sendable {
  // What changes is guarded by the lock.
  struct Verdict {
    let seed: UInt64
    let column: String
    let text: String
  }

  private(set) var counts = Counts()
  private(set) var verdicts: [Verdict] = []
  private var unreached: Set<String>
  private let lock = NSLock()
  private let started = Date.now
  private var next: UInt64
  private var left: Int
  private let deadline: Date?
  /// Whether the first program that fails is the last.
  private let stopsAtFirst: Bool

  /// - Parameters:
  ///   - seed: The first program's; the others' follow it.
  ///   - programs: How many to run; as many as there is time for where there is a deadline.
  init(seed: UInt64, programs: Int, until deadline: Date?, stopsAtFirst: Bool) {
    self.stopsAtFirst = stopsAtFirst
    next = seed
    left = programs
    self.deadline = deadline
    unreached = Hooks.unreachedMarks
  }

  /// The seeds that a worker takes next; none at the end.
  private func take(_ most: Int) -> [UInt64] {
    lock.withLock {
      if let deadline, deadline < .now { return [] }
      if stopsAtFirst, !verdicts.isEmpty { return [] }
      let count = min(most, left)
      left -= count
      let seeds = (0..<UInt64(count)).map { next &+ $0 }
      next &+= UInt64(count)
      return seeds
    }
  }

  func run(workers: Int) {
    DispatchQueue.concurrentPerform(iterations: workers) { _ in
      while true {
        var seeds = take(8)
        if seeds.isEmpty { return }
        while !seeds.isEmpty { seeds = work(seeds) }
      }
    }
  }

  /// Runs seeds in one process.
  ///
  /// - Returns: Those that it did not come to, because one crashed it.
  private func work(_ seeds: [UInt64]) -> [UInt64] {
    let result: Child.Result
    do {
      result = try Child.run(["work"] + seeds.map(String.init), seconds: 600)
    } catch {
      note(Verdict(seed: seeds[0], column: "crashed", text: "no process: \(error)"))
      return []
    }
    var begun: UInt64?
    for line in result.output.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      switch words.first {
      case "begin": begun = words.count > 1 ? UInt64(words[1]) : nil
      case "done":
        begun = nil
        if let data = words.dropFirst().first?.data(using: .utf8) { take(data) }
      case "failed":
        let text = words.count > 2 ? words[2] : ""
        let column = text.hasPrefix("lost") ? "lost" : "wrong"
        if let seed = begun { note(Verdict(seed: seed, column: column, text: text)) }
        begun = nil
      case "unreached":
        let names = Set(line.dropFirst("unreached ".count).split(separator: ",").map(String.init))
        lock.withLock { unreached.formIntersection(names) }
      default: break
      }
    }
    guard let seed = begun else { return [] }
    let last = result.output.split(separator: "\n").suffix(3).joined(separator: " | ")
    note(Verdict(seed: seed, column: "crashed", text: "status \(result.status): \(last)"))
    return Array(seeds.drop { $0 != seed }.dropFirst())
  }

  private func take(_ data: Data) {
    guard let counts = try? JSONDecoder().decode(Counts.self, from: data) else {
      // A worker that crashed in the middle of a line has said nothing of worth.
      return
    }
    lock.withLock { self.counts += counts }
  }

  private func note(_ verdict: Verdict) {
    lock.withLock { verdicts.append(verdict) }
    let took = Date.now.timeIntervalSince(started)
    Command.say(
      "swarm: seed \(verdict.seed) \(verdict.column) after \(String(format: "%.1f", took)) s: "
        + verdict.text)
  }

  /// The table of counts, and the marks that were never reached.
  func report() {
    let named = counts.lines.map { "swarm: \($0) \($1)" }
    let bad = ["lost", "wrong", "crashed"].map { column in
      "\(column) \(verdicts.filter { $0.column == column }.count)"
    }
    Command.say(
      "counts: " + (named + bad).map { $0.replacing(", as", with: " as") }.joined(separator: ", "))
    let reached = Hooks.allMarks - unreached.count
    Command.say(
      "marks reached                           \(reached) of \(Hooks.allMarks)"
        + (unreached.isEmpty ? "" : "; never: \(unreached.sorted().joined(separator: ", "))"))
  }

  var unreachedMarks: Set<String> { unreached }
}
