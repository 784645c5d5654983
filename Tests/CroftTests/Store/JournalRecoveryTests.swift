import Foundation
@testable import LMDB
import Testing
import TestSupport

@testable import Croft

#if os(Linux)
  /// The recovery after a power cut that took all pages since a checkpoint.
  @Suite(.keepsFailedStores) struct JournalRecoveryTests {
    @Model struct Item: Equatable {
      @PrimaryKey var id: Int
      @Indexed var group: Int
      @Indexed var day: Double
      var title: String
      var commit = 0
    }

    private let count = 2_000
    /// Fewer than lead to a checkpoint, so that each is a record of the journal.
    private static let recovered = 200

    private let options = Store.Options.forTests { $0.durability = .full }

    /// Updates one object in each of some commits.
    private func commit(_ commits: Int, to store: Store) throws {
      for commit in 1...commits {
        try store.write { tx in
          _ = try tx.update(Item.self, commit * 7_919 % count) {
            $0.commit += 1
            $0.group += 1
          }
        }
      }
    }

    /// The journal's checkpoints, which also a second without commits changes.
    private func checkpoints(_ temporary: TemporaryStore) throws -> Data {
      try Data(contentsOf: URL(fileURLWithPath: temporary.url.path + "-journal")).prefix(8_192)
    }

    /// The data file of one moment with the journal of a later one, between which there was no checkpoint.
    private func cut(_ temporary: TemporaryStore, _ store: Store) throws -> URL {
      let copy = temporary.folder.appending(path: "cut.croft")
      while true {
        // The first commit of a process waits for its pages.
        try commit(2, to: store)
        let before = try checkpoints(temporary)
        try FileManager.default.copyItem(at: temporary.url, to: copy)
        try commit(Self.recovered, to: store)
        try FileManager.default.copyItem(
          atPath: temporary.url.path + "-journal", toPath: copy.path + "-journal")
        if try checkpoints(temporary) == before { return copy }
        for suffix in ["", "-journal"] {
          try FileManager.default.removeItem(atPath: copy.path + suffix)
        }
      }
    }

    @Test func aRecoveryBringsBackEveryCommitThatHasNoCheckpoint() throws {
      try withTemporaryStore(of: Item.self, options: options) { temporary in
        let items = (0..<count).map {
          Item(id: $0, group: $0 % 97, day: Double($0 % 31), title: "number \($0)")
        }
        try temporary.open().write { try $0.insert(contentsOf: items) }
        let store = try temporary.open()
        let copy = try cut(temporary, store)
        let file = try DataFile(openingAt: copy.path, Environment.Options())
        #expect(try file.journalMarker?.isOpen == true)
        #expect(try Environment.replayJournal(at: copy.path, options: Environment.Options()))
        #expect(try file.journalMarker?.isOpen == false)
        let image = try Store.open(at: copy, models: Item.self, options: options)
        #expect(try image.fetch(Item.all) == store.fetch(Item.all))
        #expect(try image.count(Item.where { $0.commit > 0 }) == Self.recovered)
        #expect(try image.verify().isSound)
      }
    }
  }
#endif
