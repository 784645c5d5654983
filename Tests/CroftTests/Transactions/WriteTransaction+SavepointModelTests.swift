import Testing
import TestSupport

@testable import Croft

/// Random statements in savepoints of any depth, against a dictionary that is copied.
@Suite(.keepsFailedStores) struct WriteTransactionSavepointModelTests {
  private typealias Twin = [Int: Song]

  @Test func savepointsOfAnyDepthAreKeptOrUndoneExactly() throws {
    var random = SeededGenerator.forTest("savepoints")
    var steps = Torture.steps(short: 6_000, long: 1_000_000)
    try withStore(of: Song.self) { store in
      var twin: Twin = [:]
      while steps > 0 {
        let before = twin
        do {
          try store.write { tx in
            // Some transactions apply their buffers every few entries.
            if random.oneIn(3) { tx.context.entryWriters.longestBufferBytes = 200 }
            try operate(&tx, &twin, &random, &steps, depth: 0)
            if random.oneIn(5) { throw Refused() }
          }
        } catch is Refused {
          twin = before
        }
        #expect(try store.fetch(Song.all) == twin.sorted, "seed \(random.seed)")
        #expect(try store.verify().problems == [], "seed \(random.seed)")
      }
    }
  }

  private func operate(
    _ tx: inout WriteTransaction, _ twin: inout Twin, _ random: inout SeededGenerator,
    _ steps: inout Int, depth: Int
  ) throws {
    for _ in 0..<1 + random.below(14) {
      steps -= 1
      guard depth < 9, random.oneIn(7) else {
        try change(&tx, &twin, &random)
        continue
      }
      let before = twin
      do {
        try tx.savepoint { tx in
          try operate(&tx, &twin, &random, &steps, depth: depth + 1)
          if random.oneIn(2) { throw Refused() }
        }
      } catch is Refused {
        twin = before
      }
    }
    let plays = random.below(10)
    let found = try tx.fetch(Song.where { $0.plays == plays })
    #expect(found == twin.sorted.filter { $0.plays == plays }, "seed \(random.seed)")
  }

  private func change(
    _ tx: inout WriteTransaction, _ twin: inout Twin, _ random: inout SeededGenerator
  ) throws {
    let id = random.below(120)
    let plays = random.below(10)
    let song = Song(id: id, title: "\(random.below(5))", plays: plays, genre: .jazz)
    switch random.below(15) {
    case 0..<3:
      do {
        try tx.insert(song)
        #expect(twin[id] == nil, "seed \(random.seed)")
        twin[id] = song
      } catch StoreError.duplicateKey {
        #expect(twin[id] != nil, "seed \(random.seed)")
      }
    case 3..<5:
      let songs = (0..<10).map { Song(id: id + $0, title: "bulk", plays: plays) }
      do {
        try tx.insert(contentsOf: songs)
        for song in songs { twin[song.id] = song }
      } catch StoreError.duplicateKey {
        #expect(songs.contains { twin[$0.id] != nil }, "seed \(random.seed)")
      }
    case 5..<7:
      try tx.upsert(song)
      twin[id] = song
    case 7..<9:
      try tx.update(Song.self, id) { $0.plays = plays }
      twin[id]?.plays = plays
    case 9..<11: try updateSome(&tx, &twin, &random, plays)
    case 11: #expect(try tx.delete(Song.self, id) == (twin.removeValue(forKey: id) != nil))
    case 12:
      let gone = twin.values.filter { $0.plays == plays }
      #expect(try tx.delete(Song.where { $0.plays == plays }) == gone.count)
      for song in gone { twin[song.id] = nil }
    case 13 where random.oneIn(8):
      #expect(try tx.deleteAll(Song.self) == twin.count, "seed \(random.seed)")
      twin = [:]
    default:
      let count = try tx.count(Song.where { $0.plays == plays })
      #expect(count == twin.values.count { $0.plays == plays }, "seed \(random.seed)")
    }
  }

  /// Changes the songs of some plays; its closure may refuse one of them.
  private func updateSome(
    _ tx: inout WriteTransaction, _ twin: inout Twin, _ random: inout SeededGenerator,
    _ plays: Int
  ) throws {
    let refused = random.below(120)
    var changed = twin
    var isRefused = false
    for (id, song) in twin where song.plays == plays {
      isRefused = isRefused || id == refused
      changed[id]?.plays = (plays + 1) % 10
    }
    do {
      try tx.update(Song.where { $0.plays == plays }) { song in
        if song.id == refused { throw Refused() }
        song.plays = (plays + 1) % 10
      }
      #expect(!isRefused, "seed \(random.seed)")
      twin = changed
    } catch is Refused {
      #expect(isRefused, "seed \(random.seed)")
    }
  }
}

extension [Int: Song] {
  fileprivate var sorted: [Song] { values.sorted { $0.id < $1.id } }
}
