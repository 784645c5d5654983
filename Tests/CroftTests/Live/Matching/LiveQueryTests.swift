import Testing

@testable import Croft

/// The effect of single commits on a result.
@Suite(.keepsFailedStores) struct LiveQueryTests {
  private func withQuery(
    _ query: Query<Song>, count: Int = 10,
    _ body: (WatchedQuery<Song>) throws -> Void
  ) throws {
    try withStore(of: Song.self) { store in
      try store.write { tx in
        try tx.insert(
          contentsOf: (0..<count).map { Song(id: $0, title: "Song \($0)", plays: $0 * 10) })
      }
      try body(try WatchedQuery(query, in: store))
    }
  }

  private let popular = Song.where { $0.plays >= 50 }.order(by: \.plays)

  @Test func aRowThatBeginsToMatchEnters() throws {
    try withQuery(popular) { query in
      try query.commit { try $0.update(Song.self, 2) { $0.plays = 65 } }
      let diff = try #require(query.tell())
      #expect(diff.insertions == [2])
      #expect(query.results.map(\.id) == [5, 6, 2, 7, 8, 9])
    }
  }

  @Test func aRowThatMatchesNoLongerLeaves() throws {
    try withQuery(popular) { query in
      try query.commit { try $0.update(Song.self, 6) { $0.plays = 1 } }
      let diff = try #require(query.tell())
      #expect(diff.deletions == [1])
      #expect(diff.insertions == [] && diff.moves == [] && diff.modifications == [])
    }
  }

  @Test func aRowThatStaysIsModified() throws {
    try withQuery(popular) { query in
      try query.commit { try $0.update(Song.self, 6) { $0.title = "new" } }
      let diff = try #require(query.tell())
      #expect(diff.modifications == [1])
      #expect(diff.modificationsAfter == [1])
    }
  }

  @Test func aChangedSortKeyMovesTheRow() throws {
    try withQuery(popular) { query in
      try query.commit { try $0.update(Song.self, 9) { $0.plays = 51 } }
      let diff = try #require(query.tell())
      #expect(diff.moves == [ResultMove(from: 4, to: 1, isModified: true)])
      #expect(diff.modifications == [] && diff.deletions == [] && diff.insertions == [])
    }
  }

  @Test func aChangedSortKeyThatChangesNoPlaceIsAModification() throws {
    try withQuery(popular) { query in
      try query.commit { try $0.update(Song.self, 7) { $0.plays = 75 } }
      let diff = try #require(query.tell())
      #expect(diff.modifications == [2])
      #expect(diff.moves == [])
    }
  }

  @Test func aRowThatDoesNotMatchBeforeAndAfterIsSilence() throws {
    try withQuery(popular) { query in
      let outcome = try query.commit { try $0.update(Song.self, 1) { $0.plays = 3 } }
      #expect(outcome == .unchanged)
      #expect(query.tell() == nil)
    }
  }

  @Test func deletedAndMadeAnewIsAModification() throws {
    try withQuery(popular) { query in
      try query.commit { tx in
        try tx.delete(Song.self, 6)
        try tx.insert(Song(id: 6, title: "anew", plays: 60))
      }
      let diff = try #require(query.tell())
      #expect(diff.modifications == [1])
      #expect(diff.deletions == [] && diff.insertions == [])
    }
  }

  @Test func deletedAndMadeAnewElsewhereIsAMove() throws {
    try withQuery(popular) { query in
      try query.commit { try $0.delete(Song.self, 6) }
      try query.commit { try $0.insert(Song(id: 6, title: "anew", plays: 200)) }
      let diff = try #require(query.tell())
      #expect(diff.moves == [ResultMove(from: 1, to: 4, isModified: true)])
      #expect(diff.deletions == [] && diff.insertions == [])
    }
  }

  @Test func deletedAndMadeAnewAsItWasIsSilence() throws {
    try withQuery(popular) { query in
      let song = try #require(query.results.first)
      try query.commit { try $0.delete(Song.self, song.id) }
      try query.commit { try $0.insert(song) }
      #expect(query.tell() == nil)
    }
  }

  @Test func insertedAndDeletedBetweenTwoLooksIsSilence() throws {
    try withQuery(popular) { query in
      try query.commit { try $0.insert(Song(id: 77, title: "short", plays: 55)) }
      try query.commit { try $0.delete(Song.self, 77) }
      #expect(query.tell() == nil)
      try query.follow([(nil, nil)])
      #expect(query.tell() == nil)
    }
  }

  @Test func manyCommitsAreToldAsTheirNetEffect() throws {
    try withQuery(popular) { query in
      try query.commit { try $0.insert(Song(id: 77, title: "one", plays: 55)) }
      try query.commit { try $0.update(Song.self, 77) { $0.plays = 300 } }
      try query.commit { try $0.delete(Song.self, 5) }
      try query.commit { try $0.update(Song.self, 8) { $0.title = "eight" } }
      let diff = try #require(query.tell())
      #expect(diff.deletions == [0])
      #expect(diff.insertions == [4])
      #expect(diff.modifications == [3])
      #expect(diff.modificationsAfter == [2])
    }
  }

  @Test func resultsStayAsTheyWereAndMayCrossThreads() async throws {
    try withQuery(popular) { query in
      let before = query.results
      try query.commit { try $0.deleteAll(Song.self) }
      #expect(before.map(\.id) == [5, 6, 7, 8, 9])
      #expect(query.results.isEmpty)
      func send(_ value: some Sendable) {}
      send(before)
    }
  }

  @Test func largeCommitsAreAppliedLikeSmallOnes() throws {
    try withQuery(popular.where { $0.plays <= 5_000 }, count: 600) { query in
      let outcome = try query.commit { tx in
        try tx.update(Song.all) { song in song.plays = 6_000 - song.plays }
        try tx.delete(Song.where { $0.id < 10 })
      }
      #expect(outcome == .changed)
      #expect(query.results.map(\.id) == (100..<596).reversed())
      #expect(query.wishesToRun == 0)
    }
  }
}

/// Limits, offsets and distinct values.
@Suite(.keepsFailedStores) struct LiveQueryWindowTests {
  private func withQuery(
    _ query: Query<Song>, count: Int = 300, _ body: (WatchedQuery<Song>) throws -> Void
  ) throws {
    try withStore(of: Song.self) { store in
      try store.write { tx in
        try tx.insert(
          contentsOf: (0..<count).map {
            Song(id: $0, title: "Song \($0)", plays: $0 * 10, genre: Genre.allCases[$0 % 3])
          })
      }
      try body(try WatchedQuery(query, in: store))
    }
  }

  private func ids(_ query: WatchedQuery<Song>) -> [Int] { query.results.map(\.id) }

  @Test func aRowBeforeTheWindowPushesOneOutAndOneIn() throws {
    try withQuery(Song.all.order(by: \.plays).limit(3, offset: 2)) { query in
      try query.commit { try $0.insert(Song(id: 500, title: "first", plays: -1)) }
      let diff = try #require(query.tell())
      #expect(diff.deletions == [2])
      #expect(diff.insertions == [0])
      #expect(ids(query) == [1, 2, 3])
    }
  }

  @Test func aRowBehindTheWindowIsSilence() throws {
    try withQuery(Song.all.order(by: \.plays).limit(3)) { query in
      try query.commit { try $0.update(Song.self, 3) { $0.title = "behind" } }
      #expect(query.tell() == nil)
      try query.commit { try $0.delete(Song.self, 299) }
      #expect(query.tell() == nil)
    }
  }

  @Test func aWindowIsRefilledFromItsReserveAndThenFromTheStore() throws {
    try withQuery(Song.all.order(by: \.plays).limit(5)) { query in
      for first in 0..<200 {
        try query.commit { try $0.delete(Song.self, first) }
        let diff = try #require(query.tell())
        #expect(diff.deletions == [0])
        #expect(diff.insertions == [4])
        #expect(ids(query) == Array(first + 1...first + 5))
      }
      #expect(query.wishesToRun == 200 / (Threshold.lookaheadRows.value + 1))
      #expect(query.live.results.tree.count < 200)
    }
  }

  @Test func aLimitBoundsWhatIsKept() throws {
    try withQuery(Song.all.order(by: \.plays.descending).limit(5)) { query in
      for id in 1_000..<1_400 {
        try query.commit { try $0.insert(Song(id: id, title: "", plays: id * 10)) }
        #expect(ids(query).first == id)
        #expect(
          query.live.results.tree.count <= 2 * (5 + Threshold.lookaheadRows.value))
      }
      #expect(query.wishesToRun == 0)
    }
  }

  @Test func aWindowBehindTheLastRowIsEmpty() throws {
    try withQuery(Song.all.order(by: \.plays).limit(5, offset: 10), count: 10) { query in
      #expect(ids(query) == [])
      try query.commit { try $0.insert(Song(id: 50, title: "", plays: 1)) }
      #expect(ids(query) == [9])
      #expect(query.tell()?.insertions == [0])
    }
  }

  @Test func aLimitOfNoneShowsNothing() throws {
    try withQuery(Song.all.limit(0)) { query in
      try query.commit { try $0.delete(Song.self, 0) }
      #expect(query.tell() == nil)
      #expect(ids(query) == [])
    }
  }

  @Test func anOffsetWithoutALimitShowsTheRest() throws {
    var query = Song.all.order(by: \.plays).limit(0, offset: 295)
    query.core.limit = nil
    try withQuery(query) { query in
      #expect(ids(query) == [295, 296, 297, 298, 299])
      try query.commit { try $0.delete(Song.self, 3) }
      #expect(ids(query) == [296, 297, 298, 299])
      #expect(query.tell()?.deletions == [0])
    }
  }

  @Test func aChangedRepresentativeIsADeletionAndAnInsertion() throws {
    try withQuery(Song.all.order(by: \.plays).distinct(by: \.genre), count: 9) { query in
      #expect(ids(query) == [0, 1, 2])
      try query.commit { try $0.update(Song.self, 4) { $0.plays = 5 } }
      let diff = try #require(query.tell())
      #expect(ids(query) == [0, 4, 2])
      #expect(diff.deletions == [1])
      #expect(diff.insertions == [1])
      try query.commit { try $0.delete(Song.self, 4) }
      #expect(ids(query) == [0, 1, 2])
    }
  }

  @Test func aRowThatIsNotItsGroupsFirstIsSilence() throws {
    try withQuery(Song.all.order(by: \.plays).distinct(by: \.genre), count: 9) { query in
      try query.commit { try $0.update(Song.self, 7) { $0.title = "not shown" } }
      #expect(query.tell() == nil)
    }
  }

  @Test func aRowThatGoesToAnotherGroupLeavesAndEnters() throws {
    try withQuery(
      Song.all.order(by: \.plays).distinct(by: \.genre).limit(2), count: 9
    ) { query in
      #expect(ids(query) == [0, 1])
      try query.commit { try $0.update(Song.self, 0) { $0.genre = .rock } }
      #expect(ids(query) == [0, 2])
      let diff = try #require(query.tell())
      #expect(diff.deletions == [1] && diff.insertions == [1] && diff.modifications == [0])
    }
  }
}
