import TestSupport

#if os(Linux)
  import Foundation
  import PowerCut
  import Testing

  /// What a power cut may leave of a store, at every moment of some programs.
  @Suite(.serialized) struct PowerCutTests {
    struct Program: CustomTestStringConvertible, Sendable {
      let workload: String
      var durability = "full"
      let steps: Int
      let images: Int

      var testDescription: String { "\(workload), \(durability)" }
    }

    static let programs = [
      Program(workload: "commits", steps: 24, images: 120),
      Program(workload: "group", steps: 16, images: 60),
      Program(workload: "indexes", steps: 12, images: 60),
      Program(workload: "migration", steps: 10, images: 60),
      Program(workload: "compaction", steps: 12, images: 60),
      Program(workload: "backup", steps: 12, images: 60),
      Program(workload: "searches", steps: 14, images: 90),
      Program(workload: "growth", steps: 10, images: 40),
      Program(workload: "snapshots", steps: 24, images: 80),
      Program(workload: "additions", steps: 12, images: 60),
      Program(workload: "faults", steps: 40, images: 120),
      Program(workload: "commits", durability: "relaxed", steps: 24, images: 120),
      Program(workload: "snapshots", durability: "relaxed", steps: 24, images: 60),
      Program(workload: "group", durability: "relaxed", steps: 16, images: 60),
      Program(workload: "indexes", durability: "relaxed", steps: 12, images: 60),
      Program(workload: "migration", durability: "relaxed", steps: 10, images: 60),
      Program(workload: "faults", durability: "relaxed", steps: 40, images: 100),
      Program(workload: "commits", durability: "fullWithoutJournal", steps: 24, images: 80),
      Program(workload: "group", durability: "fullWithoutJournal", steps: 16, images: 40),
      Program(workload: "indexes", durability: "fullWithoutJournal", steps: 12, images: 40),
      Program(workload: "migration", durability: "fullWithoutJournal", steps: 10, images: 40),
      Program(workload: "compaction", durability: "fullWithoutJournal", steps: 12, images: 40),
      Program(workload: "backup", durability: "fullWithoutJournal", steps: 12, images: 40),
      Program(workload: "searches", durability: "fullWithoutJournal", steps: 14, images: 60),
      Program(workload: "growth", durability: "fullWithoutJournal", steps: 10, images: 30),
      Program(workload: "additions", durability: "fullWithoutJournal", steps: 12, images: 40),
      Program(workload: "faults", durability: "fullWithoutJournal", steps: 40, images: 80),
    ]

    @Test(arguments: programs)
    func everyImageHoldsWhatWasAcknowledged(_ program: Program) throws {
      for round in 0..<Torture.steps(short: 1, long: 20) {
        let seed = Torture.seed &+ UInt64(round)
        var options = ["seed": "\(seed)", "durability": program.durability]
        // Few commits make few checkpoints, and small ones no record without operations, unless asked for.
        let place = try WorkloadProgram()
        options["commits-between-checkpoints"] = "6"
        options["record-bytes"] = "1500"
        // The commits since the last checkpoint.
        if program.durability == "relaxed" { options["may-lose"] = "6" }
        let running = try place.run(
          "run", program.workload, options.merging(["steps": "\(program.steps)"]) { $1 })
        #expect(running.status == 0, "\(running.lines)")
        let images = program.images * Torture.steps(short: 1, long: 10)
        let findings = try place.check(
          program.workload, images, options.merging(["claim": program.durability]) { $1 })
        #expect(findings.isClean, "seed \(seed): \(findings.words)")
        try place.leave(keeps: !findings.isClean)
        findings.tell()
      }
    }

    /// Two processes do not wait for the disk, and die; what a third one waited for is there.
    @Test func relaxedProcessesTakeNothingFromOneThatWaits() throws {
      var findings = Findings()
      for round in 0..<Torture.steps(short: 3, long: 40) where findings.isClean {
        let seed = Torture.seed &+ UInt64(round)
        let place = try WorkloadProgram()
        try place.makeStore()
        let common = ["commits-between-checkpoints": "5", "record-bytes": "2000"]
        let running = try (0..<3).map { lane in
          var options = ["steps": "12", "lane": "\(lane)", "seed": "\(seed)"].merging(common) { $1 }
          options["durability"] = lane < 2 ? "relaxed" : "full"
          if lane < 2 { options["die-at"] = "\(5 + (seed &* 7 &+ UInt64(lane) * 13) % 60)" }
          return try place.start("run", "processes", options)
        }
        for (lane, (process, output)) in running.enumerated() {
          let result = try WorkloadProgram.wait(for: process, output)
          #expect(result.status == 0 || (lane < 2 && result.status == -SIGKILL), "\(result.lines)")
        }
        let options = [
          "seed": "\(seed)", "durability": "full", "claim": "relaxed", "may-lose": "5",
          "strict-lane": "2",
        ]
        findings.add(
          try place.check("processes", 60 * Torture.steps(short: 1, long: 10), options))
        #expect(findings.isClean, "seed \(seed): \(findings.words)")
        try place.leave(keeps: !findings.isClean)
      }
      findings.tell()
    }

    /// Three processes write, two of which die at some write or sync; then the power goes.
    @Test(arguments: ["full", "fullWithoutJournal"])
    func processesThatDieBeforeThePowerGoesLoseNothing(_ durability: String) throws {
      for round in 0..<Torture.steps(short: 1, long: 20) {
        let seed = Torture.seed &+ UInt64(round)
        let place = try WorkloadProgram()
        let common = [
          "durability": durability, "commits-between-checkpoints": "5", "record-bytes": "2000",
        ]
        #expect(
          try place.run("run", "processes", common.merging(["steps": "0"]) { $1 }).status == 0)
        let running = try (0..<3).map { lane in
          var options = ["steps": "12", "lane": "\(lane)", "seed": "\(seed)"].merging(common) { $1 }
          if lane < 2 { options["die-at"] = "\(5 + (seed &* 7 &+ UInt64(lane) * 13) % 40)" }
          return try place.start("run", "processes", options)
        }
        for (lane, (process, output)) in running.enumerated() {
          let result = try WorkloadProgram.wait(for: process, output)
          #expect(result.status == 0 || (lane < 2 && result.status == -SIGKILL), "\(result.lines)")
        }
        let findings = try place.check(
          "processes", 60 * Torture.steps(short: 1, long: 10),
          ["seed": "\(seed)", "durability": durability])
        #expect(findings.isClean, "seed \(seed): \(findings.words)")
        try place.leave(keeps: !findings.isClean)
        findings.tell()
      }
    }

    /// A process dies at one of its writes or syncs, the next one opens the store and writes; then the power goes.
    ///
    /// A record whose writer died before its sync used to be replayed without one: the data file was ahead of the
    /// journal, and could not be opened.
    @Test(arguments: ["full", "fullWithoutJournal", "relaxed"])
    func whatADeadProcessDidNotSyncIsNoReasonForLoss(_ durability: String) throws {
      try checkTheNext(
        after: "die-at", atCalls: 1...35, endsWith: [-SIGKILL], durability,
        images: 20 * Torture.steps(short: 1, long: 20))
    }

    /// A write or sync of a process fails, which may end it; the next one opens the store and writes; then the power goes.
    ///
    /// The sync of a first commit that nobody waited for could fail unnoticed: the file then lacked the commit from
    /// which a session was begun later, and could not be opened.
    @Test(arguments: ["full", "fullWithoutJournal", "relaxed"])
    func aCallThatFailsIsNoReasonForLoss(_ durability: String) throws {
      try checkTheNext(
        after: "fail-at", atCalls: 1...25, endsWith: [0, 70], durability,
        images: 60 * Torture.steps(short: 1, long: 7))
    }

    /// Runs a process with a fault at each of some calls, another one after it, and checks what is left.
    private func checkTheNext(
      after fault: String, atCalls calls: ClosedRange<Int>, endsWith statuses: Set<Int32>,
      _ durability: String, images: Int
    ) throws {
      var findings = Findings()
      for call in calls where findings.isClean {
        let place = try WorkloadProgram()
        let common = [
          "durability": durability, "commits-between-checkpoints": "5", "record-bytes": "2000",
        ]
        let first = try place.run(
          "run", "processes", common.merging(["steps": "10", fault: "\(call)"]) { $1 })
        #expect(statuses.contains(first.status), "\(first.lines)")
        let next = try place.run(
          "run", "processes", common.merging(["steps": "3", "lane": "1"]) { $1 })
        #expect(next.status == 0, "\(next.lines)")
        let options = [
          "durability": durability, "seed": "\(Torture.seed &+ UInt64(call))",
          "claim": durability, "may-lose": "5",
        ]
        findings.add(try place.check("processes", images, options))
        #expect(findings.isClean, "call \(call): \(findings.words)")
        try place.leave(keeps: !findings.isClean)
      }
      findings.tell()
    }

    /// A process makes a journal that was removed again, and dies before its name is on the disk.
    @Test func theNameOfAJournalIsOnTheDiskBeforeItIsUsed() throws {
      var findings = Findings()
      for calls in 1...4 where findings.isClean {
        let place = try WorkloadProgram()
        let common = ["durability": "full", "steps": "3"]
        #expect(try place.run("run", "processes", common).status == 0)
        // From here on: a store that was closed and is on the disk, and whose journal is gone.
        try FileManager.default.removeItem(at: place.live.appending(path: "store.croft-journal"))
        try FileManager.default.removeItem(at: place.trace)
        let dying = try place.run(
          "run", "processes", common.merging(["lane": "1", "die-at": "\(calls)"]) { $1 })
        #expect(dying.status == -SIGKILL, "\(dying.lines)")
        let next = try place.run("run", "processes", common.merging(["lane": "2"]) { $1 })
        #expect(next.status == 0, "\(next.lines)")
        findings.add(try place.check("processes", 40, ["durability": "full"]))
        #expect(findings.isClean, "call \(calls): \(findings.words)")
        try place.leave(keeps: !findings.isClean)
      }
      findings.tell()
    }

    /// A program that does not wait for its records does so once a second at most.
    @Test func aRelaxedCommitDoesNotWaitForItsRecord() throws {
      let place = try WorkloadProgram()
      try place.makeStore()
      let made = try Trace(contentsOf: place.trace).events.count
      #expect(
        try place.run("run", "processes", ["steps": "60", "durability": "relaxed"]).status == 0)
      var (commits, waits) = (0, 0)
      for event in try Trace(contentsOf: place.trace).events.dropFirst(made) {
        switch event {
        case .mark(let mark): commits += mark.hasPrefix("attempt") ? 1 : 0
        // The first ones are made in LMDB's way, and open the session.
        case .sync, .syncNames, .write(_, _, _, isSynced: true): waits += commits > 2 ? 1 : 0
        default: break
        }
      }
      #expect(commits == 60)
      // Those of the end, and of seconds that have passed meanwhile.
      #expect(waits < 20)
      try place.leave(keeps: false)
    }

    /// A commit waits for the disk twice in LMDB's way, and once with a journal.
    @Test(arguments: [("fullWithoutJournal", 2), ("full", 1)])
    func aCommitWaitsForTheDiskNoMoreThanItMust(_ durability: String, _ expected: Int) throws {
      let place = try WorkloadProgram()
      let running = try place.run(
        "run", "processes", ["steps": "60", "durability": durability])
      #expect(running.status == 0)
      var waits: [Int] = []
      var count = 0
      let written = try Trace(contentsOf: place.trace).events
      for event in written {
        switch event {
        case .mark(let mark) where mark.hasPrefix("attempt"): count = 0
        case .mark: waits.append(count)
        case .sync, .syncNames, .write(_, _, _, isSynced: true): count += 1
        default: break
        }
      }
      #expect(waits.count == 60)
      // The second commit of a process, after the one that made the store, opens the session.
      #expect(waits.first.map { $0 <= 7 } == true, "\(waits)")
      #expect(waits.dropFirst().allSatisfy { $0 == expected }, "\(waits)")
      // A program that opens the store and closes it writes nothing, and waits for nothing.
      #expect(
        try place.run("run", "processes", ["steps": "0", "durability": durability]).status == 0)
      for event in try Trace(contentsOf: place.trace).events.dropFirst(written.count) {
        switch event {
        case .write, .sync, .syncNames: Issue.record("\(event)")
        default: break
        }
      }
      try place.leave(keeps: false)
    }

    /// A program that forgets to wait for the disk is found out, whatever it forgets.
    ///
    /// With a journal only the writes of the first commits are synchronous by themselves.
    @Test(arguments: [
      (Trace.Omission.syncs, "full"), (.syncsOfNames, "full"), (.syncs, "fullWithoutJournal"),
      (.synchronousWrites, "fullWithoutJournal"), (.syncsOfNames, "fullWithoutJournal"),
    ])
    func aSyncThatIsLeftOutIsFound(_ omission: Trace.Omission, _ durability: String) throws {
      let place = try WorkloadProgram()
      let options = ["seed": "\(Torture.seed)", "durability": durability]
      #expect(
        try place.run("run", "commits", options.merging(["steps": "12"]) { $1 }).status == 0)
      let findings = try place.check(
        "commits", 60, options.merging(["without": omission.rawValue]) { $1 })
      #expect(findings.lost + findings.wrong + findings.crashed > 0)
      try place.leave(keeps: false)
    }

    /// A store that is opened with less durability than its program believes is found out.
    @Test(arguments: ["relaxed", "unsafe"])
    func lessDurabilityThanPromisedIsFound(_ durability: String) throws {
      let place = try WorkloadProgram()
      let options = ["seed": "\(Torture.seed)"]
      let running = try place.run(
        "run", "commits", options.merging(["steps": "12", "durability": durability]) { $1 })
      #expect(running.status == 0)
      let findings = try place.check("commits", 60, options.merging(["claim": "full"]) { $1 })
      #expect(findings.lost + findings.wrong + findings.crashed > 0)
      try place.leave(keeps: false)
    }
  }

  extension Findings {
    /// Tells the counts, which `Scripts/torture` adds up.
    fileprivate func tell() {
      print(
        "counts: images cut \(images), cut again \(secondCuts), lost \(lost), wrong \(wrong), "
          + "crashed \(crashed)")
    }
  }
#endif
