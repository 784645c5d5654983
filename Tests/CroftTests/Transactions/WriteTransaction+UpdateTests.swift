import Croft
import Testing

@Suite(.keepsFailedStores) struct WriteTransactionUpdateTests {
  @Test func anUpsertTellsWhatItDid() throws {
    try withStore(of: Song.self) { store in
      try store.write { tx throws in
        var song = Song(id: 1, title: "a", plays: 2, note: "n")
        #expect(try tx.upsert(song) == .inserted)
        #expect(try tx.upsert(song) == .unchanged)
        song.title = "b"
        song.note = nil
        song.rating = 4.5
        #expect(try tx.upsert(song) == .updated(changed: ["title", "note", "rating"]))
        song.plays = 9
        song.genre = .jazz
        #expect(try tx.upsert(song) == .updated(changed: ["plays", "genre"]))
        #expect(try tx.get(Song.self, 1) == song)
        #expect(try tx.fetch(Song.where { $0.plays == 2 }).isEmpty)
        #expect(try tx.fetch(Song.where { $0.plays == 9 }) == [song])
      }
      #expect(try store.count(Song.where { $0.genre == .jazz }) == 1)
    }
  }

  @Test func anUpsertOfAnEquivalentTextKeepsTheNewBytes() throws {
    try withStore(of: Album.self) { store in
      try store.write { tx in
        try tx.insert(Album(name: "é", year: 1))
        #expect(try tx.upsert(Album(name: "e\u{301}", year: 1)) == .updated(changed: ["name"]))
      }
      #expect(try store.fetch(Album.all).map { Array($0.name.utf8) } == [Array("e\u{301}".utf8)])
    }
  }

  /// The table of the last statement is kept for the next one, in reads too.
  @Test func statementsOfTwoModelsInTurnFindTheirTables() throws {
    try withStore(of: Song.self, Album.self) { store in
      try store.write { tx throws in
        try tx.insert(Song(id: 1, title: "a"))
        try tx.insert(Album(name: "b"))
        for turn in 2..<9 {
          #expect(try tx.update(Song.self, 1) { $0.plays = turn }?.plays == turn)
          switch turn % 4 {
          case 0: #expect(try tx.count(Album.all) == turn / 4 + 1)
          case 1: #expect(try tx.get(Album.self, "b")?.year == 3)
          case 2: try tx.insert(Album(name: "\(turn)"))
          default: try tx.update(Album.self, "b") { $0.year = turn }
          }
          #expect(try tx.get(Song.self, 1)?.plays == turn)
        }
      }
      try store.read { tx throws in
        for turn in 0..<4 {
          #expect(try tx.get(Song.self, 1)?.plays == 8)
          if turn % 2 == 0 { #expect(try tx.count(Album.all) == 3) }
          #expect(try tx.get(Song.self, 1)?.title == "a")
          #expect(try tx.get(Album.self, "b")?.year == 7)
        }
      }
    }
  }

  @Test func anUpdateByKeyReturnsTheNewValueOrNil() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<10)) }
      let updated = try store.write { tx in
        let missing = try tx.update(Song.self, 77) { $0.plays = 1 }
        #expect(missing == nil)
        return try tx.update(Song.self, 3) {
          $0.plays += 100
          $0.note = nil
        }
      }
      #expect(updated?.plays == 103)
      #expect(try store.get(Song.self, 3) == updated)
      #expect(try store.fetch(Song.where { $0.plays > 50 }).map(\.id) == [3])
      #expect(try store.count(Song.where { $0.plays == 3 }) == 0)
    }
  }

  @Test func anUpdateByQueryIsSettledBeforeItsFirstChange() throws {
    try withStore(of: Song.self) { store in
      try store.write { tx in
        try tx.insert(contentsOf: Song.numbered(0..<1000))
        // Each change moves the object forward in the index that finds it.
        let count = try tx.update(Song.where { $0.plays >= 5 }) { $0.plays += 5 }
        #expect(count == 500)
        #expect(try tx.count(Song.where { $0.plays >= 10 }) == 500)
      }
      #expect(try store.fetch(Song.where { $0.plays == 14 }).allSatisfy { $0.id % 10 == 9 })
    }
  }

  @Test func anUpdateByQueryFollowsOrderLimitAndOffset() throws {
    try withStore(of: Song.self) { store in
      try store.write { tx in
        try tx.insert(contentsOf: Song.numbered(0..<20))
        var seen: [Int] = []
        let query = Song.where { $0.plays < 5 }.order(by: \.id.descending).limit(3, offset: 1)
        #expect(try tx.update(query) { seen.append($0.id) } == 3)
        #expect(seen == [13, 12, 11])
      }
    }
  }

  @Test func aChangedPrimaryKeyIsRefusedAndTheTransactionStaysUsable() throws {
    try withStore(of: Song.self) { store in
      try store.write { tx in
        try tx.insert(contentsOf: Song.numbered(0..<3))
        #expect(throws: StoreError.primaryKeyChanged(model: "Song", key: "1")) {
          try tx.update(Song.self, 1) { $0.id = 10 }
        }
        #expect(throws: StoreError.primaryKeyChanged(model: "Song", key: "0")) {
          try tx.update(Song.all) { $0.id += 10 }
        }
        try tx.update(Song.self, 2) { $0.title = "changed" }
      }
      #expect(try store.fetch(Song.all).map(\.title) == ["Song 0", "Song 1", "changed"])
    }
  }

  @Test func aThrowingChangeLeavesAllObjectsOfItsStatementAlone() throws {
    try withStore(of: Song.self) { store in
      try store.write { tx in
        try tx.insert(contentsOf: Song.numbered(0..<5))
        #expect(throws: Refused.self) {
          try tx.update(Song.self, 1) {
            $0.plays = 99
            throw Refused()
          }
        }
        #expect(throws: Refused.self) {
          try tx.update(Song.all) {
            $0.plays = 99
            if $0.id == 2 { throw Refused() }
          }
        }
        #expect(try tx.count(Song.where { $0.plays == 99 }) == 0)
      }
      #expect(try store.fetch(Song.all) == Song.numbered(0..<5))
    }
  }

  @Test func manyChangesOfOneObjectLeaveOneEntry() throws {
    try withStore(of: Song.self) { store in
      try store.write { tx in
        try tx.insert(Song(id: 1, title: "a"))
        for plays in 1...50 { try tx.update(Song.self, 1) { $0.plays = plays % 7 } }
        try tx.delete(Song.self, 1)
        try tx.insert(Song(id: 1, title: "b", plays: 3))
      }
      #expect(try store.verify().indexEntries == 2)
      #expect(try store.fetch(Song.where { $0.plays == 3 }).map(\.title) == ["b"])
    }
  }
}
