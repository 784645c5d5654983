import Testing

@testable import Croft

@Suite(.keepsFailedStores) struct WriteTransactionSavepointTests {
  @Test func aSavepointThatThrowsIsTakenBackAlone() throws {
    try withStore(of: Song.self) { store in
      try store.write { tx in
        try tx.insert(Song(id: 1, title: "before", plays: 3))
        #expect(throws: Refused.self) {
          try tx.savepoint { tx in
            try tx.insert(Song(id: 2, title: "inside", plays: 3))
            try tx.update(Song.self, 1) { $0.plays = 4 }
            throw Refused()
          }
        }
        #expect(try tx.fetch(Song.where { $0.plays == 3 }).map(\.id) == [1])
        try tx.insert(Song(id: 3, title: "after", plays: 3))
      }
      #expect(try store.fetch(Song.all).map(\.title) == ["before", "after"])
    }
  }

  @Test func aSavepointReturnsAValueAndItsChangesAreTheTransactions() throws {
    try withStore(of: Song.self) { store in
      let count = try store.write { tx in
        try tx.savepoint { tx in
          try tx.insert(contentsOf: Song.numbered(0..<7))
          return try tx.count(Song.all)
        }
      }
      #expect(count == 7)
      #expect(try store.count(Song.all) == 7)
      #expect(throws: Refused.self) {
        try store.write { tx in
          try tx.savepoint { _ = try $0.deleteAll(Song.self) }
          throw Refused()
        }
      }
      #expect(try store.count(Song.all) == 7)
    }
  }

  /// Entries that waited before the savepoint reached the tree inside it, and were undone there.
  @Test func entriesFromBeforeASavepointSurviveItsUndo() throws {
    try withStore(of: Song.self) { store in
      try store.write { tx in
        try tx.insert(Song(id: 1, title: "a", plays: 3))
        #expect(throws: Refused.self) {
          try tx.savepoint { tx in
            try tx.insert(Song(id: 2, title: "b", plays: 3))
            // Applies the index's buffer, for this query plans on the index.
            #expect(try tx.count(Song.where { $0.plays == 3 }) == 2)
            throw Refused()
          }
        }
        #expect(try tx.fetch(Song.where { $0.plays == 3 }).map(\.id) == [1])
      }
      #expect(try store.fetch(Song.where { $0.plays == 3 }).map(\.id) == [1])
    }
  }

  @Test func emptyingAModelInsideASavepointIsUndoneToo() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<20)) }
      try store.write { tx in
        try tx.insert(Song(id: 50, title: "a", plays: 3))
        #expect(throws: Refused.self) {
          try tx.savepoint { tx in
            #expect(try tx.deleteAll(Song.self) == 21)
            try tx.insert(Song(id: 51, title: "b", plays: 3))
            throw Refused()
          }
        }
        #expect(try tx.fetch(Song.where { $0.plays == 3 }).map(\.id) == [3, 13, 50])
      }
      #expect(try store.count(Song.where { $0.plays == 3 }) == 3)
    }
  }

  @Test func aTransactionOfOnlyAnUndoneSavepointCommitsNothing() throws {
    try withStore(of: Song.self) { store in
      let before = try store.sequence
      try store.write { tx in
        try? tx.savepoint { tx in
          try tx.insert(Song(id: 1, title: "a"))
          throw Refused()
        }
      }
      #expect(try store.sequence == before)
    }
  }

  /// A full map breaks what is written to it; outside the savepoint there is still room.
  @Test func aSavepointThatFillsTheMapLeavesItsTransactionUsable() throws {
    let options = Store.Options.forTests { $0.mapSizeBytes = 1 << 20 }
    try withTemporaryStore(of: Song.self, options: options) { temporary in
      let store = try temporary.open()
      let long = String(repeating: "x", count: 1_200_000)
      try store.write { tx in
        try tx.insert(Song(id: 1, title: "a"))
        let error = StoreError.thrown {
          try tx.savepoint { try $0.insert(Song(id: 2, title: long)) }
        }
        #expect(error?.isRetryable == true)
        try tx.insert(Song(id: 3, title: "c"))
      }
      #expect(try store.fetch(Song.all).map(\.id) == [1, 3])
      // The map grew when the transaction ended.
      try store.write { try $0.insert(Song(id: 2, title: long)) }
    }
  }

  @Test func aFailureThatASavepointSwallowsIsThrownAtItsEnd() throws {
    let options = Store.Options.forTests { $0.mapSizeBytes = 1 << 20 }
    try withTemporaryStore(of: Song.self, options: options) { temporary in
      let store = try temporary.open()
      let long = String(repeating: "x", count: 1_200_000)
      try store.write { tx in
        let error = StoreError.thrown {
          try tx.savepoint { tx in
            try tx.insert(Song(id: 1, title: "half"))
            _ = StoreError.thrown { try tx.insert(Song(id: 2, title: long)) }
          }
        }
        guard case .mapFull = error else {
          Issue.record("another error: \(String(describing: error))")
          return
        }
        try tx.insert(Song(id: 3, title: "c"))
      }
      #expect(try store.fetch(Song.all).map(\.id) == [3])
    }
  }

  @Test func theExampleOfTheArticleDoesWhatItSays() throws {
    try withStore(of: Song.self) { store in
      try store.write { try $0.insert(Song(id: 2, title: "there", genre: .rock)) }
      let song = Song(id: 1, title: "a")
      let covers = [Song(id: 3, title: "b"), Song(id: 3, title: "c")]
      try store.write { tx in
        try tx.insert(song)
        do {
          try tx.savepoint { tx in
            try tx.delete(Song.where { $0.genre == .rock })
            try tx.insert(contentsOf: covers)
          }
        } catch StoreError.duplicateKey {
          try tx.update(Song.self, song.id) { $0.note = "without covers" }
        }
      }
      #expect(try store.fetch(Song.all).map(\.id) == [1, 2])
      #expect(try store.get(Song.self, 1)?.note == "without covers")
    }
  }
}
