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
    private static let recovered = 200

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

    private func milliseconds(_ body: () throws -> Void) rethrows -> Double {
      try ContinuousClock().measure(body) / .milliseconds(1)
    }

    /// Updates one object in each of some commits, the time of each in milliseconds.
    private func commit(_ commits: Int, to store: Store) throws -> [Double] {
      try (1...commits).map { commit in
        try milliseconds {
          try store.write { tx in
            _ = try tx.update(Item.self, commit * 7_919 % count) {
              $0.commit += 1
              $0.group += 1
            }
          }
        }
      }
    }

    /// What the journal's checkpoints are now, which also a second without commits changes.
    private func checkpoints(_ temporary: TemporaryStore) throws -> Data {
      try Data(contentsOf: URL(fileURLWithPath: temporary.url.path + "-journal")).prefix(8_192)
    }

    /// The data file of one moment with the journal of a later one, between which there was no checkpoint.
    private func cut(_ temporary: TemporaryStore, _ store: Store) throws -> URL {
      let copy = temporary.folder.appending(path: "cut.croft")
      while true {
        // The first commit of a process waits for its pages.
        _ = try commit(2, to: store)
        let before = try checkpoints(temporary)
        try FileManager.default.copyItem(at: temporary.url, to: copy)
        _ = try commit(Self.recovered, to: store)
        try FileManager.default.copyItem(
          atPath: temporary.url.path + "-journal", toPath: copy.path + "-journal")
        if try checkpoints(temporary) == before { return copy }
        for suffix in ["", "-journal"] {
          try FileManager.default.removeItem(atPath: copy.path + suffix)
        }
      }
    }

    @Test func aRecoveryBringsBackEveryCommitThatHasNoCheckpoint() throws {
      var times: [String: [Double]] = [:]
      for _ in 0..<rounds {
        try withTemporaryStore(of: Item.self, options: options) { temporary in
          try temporary.open().write { try $0.insert(contentsOf: (0..<count).lazy.map(item)) }
          let store = try temporary.open()
          let copy = try cut(temporary, store)
          let file = try DataFile(openingAt: copy.path, Environment.Options())
          #expect(try file.journalMarker?.isOpen == true)
          times["the recovery of \(Self.recovered) commits", default: []].append(
            try milliseconds {
              _ = try Environment.replayJournal(at: copy.path, options: Environment.Options())
            })
          #expect(try file.journalMarker?.isOpen == false)
          var image: Store?
          times["the opening after that", default: []].append(
            try milliseconds { image = try .open(at: copy, models: Item.self, options: options) })
          #expect(try image?.fetch(Item.all) == store.fetch(Item.all))
          #expect(try store.count(Item.where { $0.commit > 0 }) == Self.recovered)
          for _ in 0..<2 {
            let before = try checkpoints(temporary)
            let all = try commit(Threshold.commitsBetweenCheckpoints.value, to: store)
            times["a commit", default: []] += all
            guard try checkpoints(temporary) != before, let slowest = all.max() else { continue }
            times["the slowest of \(all.count) with a checkpoint", default: []].append(slowest)
          }
        }
      }
      if Torture.isAskedFor {
        print("\(count) objects with two indexes, \(rounds) rounds, medians in milliseconds:")
        for (what, all) in times.sorted(by: { $0.key < $1.key }) {
          print("  \(what): \(all.sorted()[all.count / 2])")
        }
      }
    }
  }
#endif
