import TestSupport

#if os(Linux)
  import Foundation
  import Testing

  /// A process is killed at any moment: acknowledged writes are there, and the next process can write.
  @Suite(.serialized) struct KillTests {
    private static let workloads = [
      "commits", "group", "indexes", "migration", "compaction", "backup", "processes", "searches",
      "growth", "snapshots", "additions",
    ]

    @Test(arguments: ["full", "fullWithoutJournal"])
    func whatAKilledProcessWasToldIsThere(_ durability: String) throws {
      let kills = Torture.steps(short: 40, long: 1_000)
      var random = SystemRandomNumberGenerator()
      var findings = Findings()
      var killed = 0
      for round in 0..<kills * 2 where killed < kills && findings.isClean {
        let workload = Self.workloads[round % Self.workloads.count]
        let place = try WorkloadProgram()
        var options = ["seed": "\(round)", "steps": "400", "durability": durability]
        // Half of them die at a call, in the middle of a write for instance; half at some moment.
        if round.isMultiple(of: 2) {
          options["die-at"] = "\(Int.random(in: 1...200, using: &random))"
        } else {
          options["marks-only"] = "yes"
        }
        let (process, output) = try place.start("run", workload, options)
        if !round.isMultiple(of: 2) {
          usleep(UInt32.random(in: 20_000...250_000, using: &random))
          kill(process.processIdentifier, SIGKILL)
        }
        let result = try WorkloadProgram.wait(for: process, output)
        #expect(result.status == -SIGKILL || result.status == 0, "\(result.lines)")
        killed += result.status == -SIGKILL ? 1 : 0
        // Killed before it had begun to say anything.
        guard FileManager.default.fileExists(atPath: place.trace.path) else {
          try place.leave(keeps: false)
          continue
        }
        _ = findings.add(try place.run("verify", workload, ["durability": durability]))
        try place.leave(keeps: !findings.isClean)
      }
      #expect(findings.isClean, "\(findings.words)")
      findings.tell(kills: killed)
    }

    @Test(arguments: ["full", "fullWithoutJournal"])
    func oneOfThreeIsKilledAndTheOthersGoOn(_ durability: String) throws {
      let kills = Torture.steps(short: 40, long: 1_000)
      var random = SystemRandomNumberGenerator()
      var findings = Findings()
      let place = try WorkloadProgram()
      #expect(
        try place.run(
          "run", "processes", ["steps": "0", "marks-only": "yes", "durability": durability]
        ).status == 0)
      func start(_ lane: Int) throws -> (process: Process, output: URL) {
        try place.start(
          "run", "processes",
          ["lane": "\(lane)", "steps": "100000", "marks-only": "yes", "durability": durability])
      }
      var running = try (0..<3).map(start)
      for round in 0..<kills where findings.isClean {
        usleep(UInt32.random(in: 20_000...120_000, using: &random))
        let lane = Int.random(in: 0..<3, using: &random)
        kill(running[lane].process.processIdentifier, SIGKILL)
        let result = try WorkloadProgram.wait(for: running[lane].process, running[lane].output)
        #expect(result.status == -SIGKILL, "\(result.lines)")
        if round.isMultiple(of: 5) {
          _ = findings.add(
            try place.run("verify", "processes", ["others": "yes", "durability": durability]))
        }
        running[lane] = try start(lane)
      }
      for (process, output) in running {
        kill(process.processIdentifier, SIGKILL)
        _ = try WorkloadProgram.wait(for: process, output)
      }
      _ = findings.add(try place.run("verify", "processes", ["durability": durability]))
      #expect(findings.isClean, "\(findings.words)")
      try place.leave(keeps: !findings.isClean)
      findings.tell(kills: kills + 3)
    }
  }

  extension Findings {
    /// Tells the counts, which `Scripts/torture` adds up.
    fileprivate func tell(kills: Int) {
      print("counts: kills survived \(kills), lost \(lost), wrong \(wrong), crashed \(crashed)")
    }
  }
#endif
