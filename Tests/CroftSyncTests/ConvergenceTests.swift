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
    var (runs, accepted, deletions) = (0, 0, 0)
    let count = UInt64(Torture.steps(short: 200, long: 10_000))
    for seed in stride(from: shard, to: count, by: UInt64.Stride(Self.shards)) {
      do {
        let run = try run(seed)
        runs += 1
        accepted += run.accepted
        deletions += run.checkedDeletions
        for event in run.events { kinds[event.kind.name, default: 0] += 1 }
      } catch {
        Issue.record("seed \(seed): \(error)")
      }
    }
    let events = kinds.sorted { $0.key < $1.key }.map { ", of them \($0.key) \($0.value)" }
    print(
      "counts: simulations of replicas \(runs), pushes that were accepted \(accepted), "
        + "keys with deletions \(deletions), events \(kinds.values.reduce(0, +))"
        + events.joined())
    #expect(deletions > 100)
    let expected: Set = [
      "overwritten", "objectGone", "denied", "adopted", "reverted", "dropped", "restored",
      "cascaded",
    ]
    #expect(Set(kinds.keys) == expected)
  }

  /// Nothing is lost that a replica has, where the server loses pushes and stores are copied.
  @Test(arguments: 0..<shards)
  func replicasConvergeAfterAccidents(shard: UInt64) throws {
    var (runs, accepted, gaveBack, restores) = (0, 0, 0, 0)
    let count = UInt64(Torture.steps(short: 60, long: 5_000))
    for seed in stride(from: shard, to: count, by: UInt64.Stride(Self.shards)) {
      do {
        let run = try run(seed, .all, [.restores, .copies])
        runs += 1
        accepted += run.accepted
        restores += run.restores
        gaveBack += run.events.count { $0.kind.name == "gaveBack" }
      } catch {
        Issue.record("seed \(seed): \(error)")
      }
    }
    print(
      "counts: simulations with restored servers \(runs), their accepted pushes \(accepted), "
        + "restores \(restores), given back \(gaveBack)")
    #expect(restores > 0 && gaveBack > 0)
  }

  /// Rows that no replica writes are set aside by all, and when they are gone nothing is missing.
  @Test(arguments: 0..<shards)
  func replicasConvergeWhateverAMemberWrites(shard: UInt64) throws {
    var (runs, accepted, aside) = (0, 0, 0)
    let count = UInt64(Torture.steps(short: 60, long: 5_000))
    for seed in stride(from: shard, to: count, by: UInt64.Stride(Self.shards)) {
      do {
        let run = try run(seed, .all, .intruders)
        runs += 1
        accepted += run.accepted
        aside += run.events.count { $0.kind.name == "setAside" }
      } catch {
        Issue.record("seed \(seed): \(error)")
      }
    }
    print(
      "counts: simulations with an intruder \(runs), their pushes that were accepted \(accepted), "
        + "set aside \(aside)")
    #expect(aside > 100)
  }

  /// An object of the server was lost to a replica, or the check took it for another one.
  ///
  /// Of two objects under one key, one was out of sight and one the program's. When the program's went out of
  /// sight too, it took the place of the server's.
  @Test(arguments: [2528, 3119] as [UInt64])
  func whatOnceFailedWithAnIntruderConverges(seed: UInt64) throws {
    #expect(try run(seed, .all, .intruders).accepted > 0)
  }

  /// A server was restored to a time before tombstones were collected, which a replica had forgotten by then.
  ///
  /// Its insertion under such a key was refused without an end.
  @Test(arguments: [4580, 4653] as [UInt64])
  func whatNeverRestedAfterARestoreConverges(seed: UInt64) throws {
    #expect(try run(seed, .all, [.restores, .copies]).restores > 0)
  }

  /// The check of deletions took an object of one model for a deleted one of another model.
  ///
  /// It knew models by the server's numbers, which a restore changes, and then by those of one store, while other
  /// stores have other numbers.
  @Test(arguments: [280, 1370, 3540] as [UInt64])
  func whatWasTakenForAnotherModelConverges(seed: UInt64) throws {
    #expect(try run(seed, .all, [.restores, .copies]).restores > 0)
  }

  /// A law, and a simulation that fails without it and does not fail with it.
  private struct Needed: Sendable {
    let law: Laws
    let name: String
    let seed: UInt64
    var accidents: Simulation.Accidents = []
  }

  private static let needed = [
    Needed(law: .compareAndSet, name: "2 compare and set", seed: 11),
    Needed(law: .strictDeletions, name: "3 strict deletions", seed: 5),
    Needed(law: .strictUniqueValues, name: "3 strict unique values", seed: 5),
    Needed(law: .references, name: "4 references", seed: 40),
    Needed(law: .ownPush, name: "5 own push", seed: 0),
    Needed(law: .onlyForward, name: "6 only forward", seed: 2),
    Needed(law: .wholeSnapshots, name: "7 whole snapshots", seed: 2),
    Needed(law: .incarnations, name: "10 incarnations", seed: 5),
    Needed(
      law: .priorInsertions, name: "10 prior insertions", seed: 23,
      accidents: [.restores, .copies]),
    Needed(law: .absence, name: "12 absence", seed: 2),
    Needed(law: .rebase, name: "13 rebase", seed: 0),
    Needed(law: .setAside, name: "15 set aside", seed: 0, accidents: .intruders),
    Needed(law: .lineage, name: "16 lineage", seed: 1, accidents: .restores),
  ]

  /// How many seeds are tried where the one that is named does not fail any more.
  private static let tried: Range<UInt64> = 0..<400

  /// Without a law the run of its seed fails, and with the law it does not.
  @Test(arguments: needed.map(\.name))
  func eachLawIsNeeded(_ name: String) throws {
    let needed = try #require(Self.needed.first { $0.name == name })
    let laws = Laws.all.subtracting(needed.law)
    if let found = failure(needed.seed, laws, needed.accidents) {
      print("without \(name), seed \(needed.seed): \(found)")
      #expect(failure(needed.seed, .all, needed.accidents) == nil)
      return
    }
    let other = Self.tried.first { failure($0, laws, needed.accidents) != nil }
    Issue.record("without \(name) seed \(needed.seed) does not fail; name \(other ?? .max)")
  }

  /// What a run fails with; nil where it does not.
  private func failure(
    _ seed: UInt64, _ laws: Laws, _ accidents: Simulation.Accidents
  ) -> String? {
    do { _ = try run(seed, laws, accidents) } catch { return "\(error)" }
    return nil
  }
}

extension ReplicaEvent.Kind {
  fileprivate var name: String { String("\(self)".prefix { $0.isLetter }) }
}
