import Foundation
import Testing
import TestSupport

@testable import Croft

/// A store that is copied and compacted all the time, against an array; and one of many objects.
@Suite(.keepsFailedStores) struct StoreCopyingModelTests {
  @Test func everyCopyHoldsWhatTheStoreHeld() throws {
    var random = SeededGenerator.forTest("copies")
    try withTemporaryStore(of: Song.self) { temporary in
      var twin: [Int: Song] = [:]
      var store: Store? = try temporary.open()
      let copy = temporary.folder.appending(path: "copy.croft")
      for _ in 0..<Torture.steps(short: 60, long: 5_000) {
        let songs = (0..<1 + random.below(300)).map { _ in
          Song(
            id: random.below(2_000), title: random.anyText(), plays: random.below(10),
            rating: random.maybe { Double($0.below(9)) })
        }
        let gone = random.below(2_000)
        try store?.write { tx in
          for song in songs { try tx.upsert(song) }
          try tx.delete(Song.where { $0.id >= gone && $0.id < gone + 400 })
        }
        for song in songs { twin[song.id] = song }
        twin = twin.filter { !(gone..<gone + 400).contains($0.key) }
        switch random.below(3) {
        case 0: try store?.backup(to: copy, replacesExisting: true)
        case 1: try store?.compact(to: copy, replacesExisting: true)
        default:
          store = nil
          try Store.compact(at: temporary.url, options: .forTests)
          store = try temporary.open()
          try store?.backup(to: copy, replacesExisting: true)
        }
        let copied = try Store.open(at: copy, models: Song.self, options: .forTests)
        let expected = twin.values.sorted { $0.id < $1.id }
        #expect(try copied.fetch(Song.all) == expected, "seed \(random.seed)")
        #expect(try store?.count(Song.all) == expected.count, "seed \(random.seed)")
        let problems = try copied.verify().problems
        #expect(problems == [], "seed \(random.seed)")
      }
    }
  }

  /// Loading, asking for and compacting many objects: a million of them in the long form.
  @Test func manyObjectsAreLoadedAskedForAndCompacted() throws {
    let count = 20_000 * Torture.steps(short: 1, long: 50)
    try withTemporaryStore(of: Song.self, options: .forTests { $0.mapSizeBytes = 4 << 30 }) {
      temporary in
      do {
        let store = try temporary.open()
        for start in stride(from: 0, to: count, by: 20_000) {
          try store.write { try $0.insert(contentsOf: Song.numbered(start..<start + 20_000)) }
        }
        #expect(try store.count(Song.all) == count)
        #expect(try store.count(Song.where { $0.plays == 3 }) == count / 10)
        let last = try store.first(Song.where { $0.plays == 9 && $0.id > count - 11 })
        #expect(last?.id == count - 1)
        try store.write { _ = try $0.delete(Song.where { $0.plays > 2 }) }
        let statistics = try store.statistics
        #expect(statistics.models[0].rows.entries == count / 10 * 3)
        #expect(statistics.freeBytes * 2 > statistics.fileBytes)
      }
      try Store.compact(at: temporary.url, options: .forTests { $0.mapSizeBytes = 4 << 30 })
      let store = try temporary.open()
      let statistics = try store.statistics
      #expect(statistics.freeBytes * 20 < statistics.fileBytes)
      #expect(try store.count(Song.all) == count / 10 * 3)
      #expect(try store.count(Song.where { $0.plays == 1 }) == count / 10)
    }
  }
}
