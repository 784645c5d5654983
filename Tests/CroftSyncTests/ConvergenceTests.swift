import Croft
import Foundation
import TestSupport
import Testing

@testable import CroftSync

/// Replicas of one space come to the same objects, whatever happens to their messages.
@Suite struct ConvergenceTests {
  /// Runs a simulation; the events, and how many pushes were accepted.
  private func run(
    _ seed: UInt64, _ laws: Laws = .all, _ accidents: Simulation.Accidents = []
  ) throws -> Simulation {
    let folder = FileManager.default.temporaryDirectory.appending(path: "croft-sync-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer {
      // A folder that stays is litter and no failure.
      try? FileManager.default.removeItem(at: folder)
    }
    let simulation = try Simulation(seed: seed, laws: laws, accidents, in: folder)
    try simulation.run(steps: 250)
    return simulation
  }

  private static let shards: UInt64 = 4

  /// Each run is of three to five stores; what was decided in all of a shard covers every rule.
  @Test(arguments: 0..<shards)
  func replicasConverge(shard: UInt64) throws {
    var kinds: [String: Int] = [:]
    var accepted = 0
    let count = UInt64(Torture.steps(short: 200, long: 10_000))
    for seed in stride(from: shard, to: count, by: UInt64.Stride(Self.shards)) {
      do {
        let run = try run(seed)
        accepted += run.accepted
        for event in run.events { kinds[event.kind.name, default: 0] += 1 }
      } catch {
        Issue.record("seed \(seed): \(error)")
      }
    }
    print("counts: pushes accepted \(accepted), events \(kinds.sorted { $0.key < $1.key })")
    let expected: Set = [
      "overwritten", "objectGone", "denied", "adopted", "reverted", "dropped", "restored",
      "cascaded",
    ]
    #expect(Set(kinds.keys) == expected)
  }

  /// Nothing is lost that a replica has, where the server loses pushes and stores are copied.
  @Test(arguments: 0..<shards)
  func replicasConvergeAfterAccidents(shard: UInt64) throws {
    var gaveBack = 0
    var restores = 0
    let count = UInt64(Torture.steps(short: 60, long: 5_000))
    for seed in stride(from: shard, to: count, by: UInt64.Stride(Self.shards)) {
      do {
        let run = try run(seed, .all, [.restores, .copies])
        restores += run.restores
        gaveBack += run.events.count { $0.kind.name == "gaveBack" }
      } catch {
        Issue.record("seed \(seed): \(error)")
      }
    }
    print("counts: restores \(restores), given back \(gaveBack)")
    #expect(restores > 0 && gaveBack > 0)
  }

  /// Rows that no replica writes are set aside by all, and when they are gone nothing is missing.
  @Test(arguments: 0..<shards)
  func replicasConvergeWhateverAMemberWrites(shard: UInt64) throws {
    var aside = 0
    let count = UInt64(Torture.steps(short: 60, long: 5_000))
    for seed in stride(from: shard, to: count, by: UInt64.Stride(Self.shards)) {
      do {
        aside += try run(seed, .all, .intruders).events.count { $0.kind.name == "setAside" }
      } catch {
        Issue.record("seed \(seed): \(error)")
      }
    }
    print("counts: set aside \(aside)")
    #expect(aside > 100)
  }

  private static let needed: [(law: Laws, name: String)] = [
    (.compareAndSet, "compare and set"), (.strictDeletions, "strict deletions"),
    (.strictUniqueValues, "strict unique values"), (.references, "references"),
    (.ownPush, "own push"), (.onlyForward, "only forward"),
    (.wholeSnapshots, "whole snapshots"), (.incarnations, "incarnations"),
    (.absence, "absence"), (.rebase, "rebase"), (.lineage, "lineage"), (.setAside, "set aside"),
  ]

  /// Without a law a run fails that does not fail with it; its seed is printed.
  @Test(arguments: needed.map(\.name))
  func eachLawIsNeeded(_ name: String) throws {
    let (law, _) = try #require(Self.needed.first { $0.name == name })
    let seed = (0..<200 as Range<UInt64>).first { seed in
      let accidents: Simulation.Accidents =
        law == .lineage ? .restores : law == .setAside ? .intruders : []
      do { _ = try run(seed, Laws.all.subtracting(law), accidents) } catch {
        print("counts: without \(name), seed \(seed): \(error)")
        return true
      }
      return false
    }
    #expect(seed != nil)
  }
}

extension ReplicaEvent.Kind {
  fileprivate var name: String { String("\(self)".prefix { $0.isLetter }) }
}
