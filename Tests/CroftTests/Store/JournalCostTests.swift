import Foundation
@testable import LMDB
import Testing
import TestSupport

@testable import Croft

#if os(Linux)
  /// What the journal costs: a commit, the one that makes a checkpoint, and the recovery after a power cut.
  ///
  /// `Scripts/torture --filter JournalCostTests` prints the times.
  @Suite(.keepsFailedStores) struct JournalCostTests {
    @Model struct Item: Equatable {
      @PrimaryKey var id: Int
      @Indexed var group: Int
      @Indexed var day: Double
      var title: String
      var commit = 0
    }

    private let count = Torture.steps(short: 2_000, long: 100_000)
    private let rounds = Torture.steps(short: 1, long: 9)
    /// Fewer than lead to a checkpoint, so that each is a record of the journal.
    private static let records = 200

    private let options = Store.Options.forTests {
      $0.durability = .full
      $0.mapSizeBytes = 1 << 30
    }

    private func item(_ id: Int) -> Item {
      let scattered = UInt64(id) &* 0x9E37_79B9_7F4A_7C15
      return Item(
        id: id, group: Int(scattered >> 54), day: Double(scattered >> 40),
        title: "an object with a text, number \(id)")
    }

    private func median(_ times: [Double]) throws -> Double {
      let sorted = times.sorted()
      return try #require(sorted.isEmpty ? nil : sorted[sorted.count / 2])
    }

    private func milliseconds(_ body: () throws -> Void) rethrows -> Double {
      let clock = ContinuousClock()
      return try clock.measure(body) / .milliseconds(1)
    }

    /// Updates one object in each of some commits, the time of each in milliseconds.
    private func commit(_ commits: Int, to store: Store) throws -> [Double] {
      try (1...commits).map { commit in
        try milliseconds {
          try store.write { tx in
            _ = try tx.update(Item.self, commit * 7_919 % count) {
              $0.commit = commit
              $0.group += 1
            }
          }
        }
      }
    }

    @Test func aRecoveryBringsBackEveryCommitThatHasNoCheckpoint() throws {
      var (commits, slowest, replays, openings): ([Double], [Double], [Double], [Double]) =
        ([], [], [], [])
      for _ in 0..<rounds {
        try withTemporaryStore(of: Item.self, options: options) { temporary in
          try temporary.open().write { try $0.insert(contentsOf: (0..<count).lazy.map(item)) }
          let store = try temporary.open()
          _ = try commit(Self.records, to: store)
          let copy = temporary.folder.appending(path: "cut.croft")
          for suffix in ["", "-journal"] {
            try FileManager.default.copyItem(
              atPath: temporary.url.path + suffix, toPath: copy.path + suffix)
          }
          let file = try DataFile(openingAt: copy.path, Environment.Options())
          #expect(try file.journalMarker?.isOpen == true)
          replays.append(
            try milliseconds {
              _ = try Environment.replayJournal(at: copy.path, options: Environment.Options())
            })
          #expect(try file.journalMarker?.isOpen == false)
          var image: Store?
          openings.append(
            try milliseconds { image = try .open(at: copy, models: Item.self, options: options) })
          #expect(try image?.fetch(Item.all) == store.fetch(Item.all))
          #expect(try image?.count(Item.where { $0.commit > 0 }) == Self.records)
          let perCheckpoint = Threshold.commitsBetweenCheckpoints.value
          let times = try commit(2 * perCheckpoint, to: store)
          commits += times
          slowest += [times[..<perCheckpoint], times[perCheckpoint...]].map { $0.max() ?? 0 }
        }
      }
      print(
        """
        \(count) objects with two indexes, \(rounds) rounds, medians:
          a commit: \(try median(commits)) ms
          the slowest of \(Threshold.commitsBetweenCheckpoints.value), of which one makes a checkpoint: \
        \(try median(slowest)) ms
          the recovery of \(Self.records) commits: \(try median(replays)) ms
          the opening after that: \(try median(openings)) ms
        """)
    }
  }
#endif
