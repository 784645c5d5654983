import Foundation
import LMDB
import Testing

@testable import Croft

/// The records that commits of a store write into its log.
@Suite(.keepsFailedStores) struct StoreLogTests {
  @Test func aCommitNotesTheKeysOfEachModelThatItChanged() throws {
    try withStore(of: Song.self, Album.self, isShared: true) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<3)) }
      try store.write { tx in
        try tx.update(Song.self, 1) { $0.plays = 99 }
        try tx.delete(Song.self, 0)
        try tx.upsert(Song(id: 7, title: "new"))
        try tx.insert(Album(name: "b", year: nil))
        try tx.insert(Album(name: "a", year: 1))
      }
      let commits = try store.loggedCommits(after: 0)
      #expect(commits?.map(\.sequence) == [1, 2])
      let (songs, albums) = (try store.number(of: Song.self), try store.number(of: Album.self))
      #expect(
        commits?[0].models
          == [.init(model: songs, keys: [Song.key(0), Song.key(1), Song.key(2)])])
      let expected = [
        LogRecord.ModelKeys(model: songs, keys: [Song.key(0), Song.key(1), Song.key(7)]),
        LogRecord.ModelKeys(model: albums, keys: [Album.key("a"), Album.key("b")]),
      ]
      #expect(commits?[1].models == expected.sorted { $0.model < $1.model })
    }
  }

  @Test func aKeyThatIsWrittenOftenIsNotedOnce() throws {
    try withStore(of: Song.self, isShared: true) { store in
      try store.write { tx in
        try tx.insert(Song(id: 1, title: "a"))
        for plays in 0..<9 { try tx.update(Song.self, 1) { $0.plays = plays } }
        try tx.delete(Song.self, 1)
        try tx.insert(Song(id: 1, title: "b"))
      }
      #expect(try store.loggedCommits(after: 0)?[0].models.map(\.keys) == [[Song.key(1)]])
    }
  }

  @Test func whatASavepointUndidIsNotNoted() throws {
    try withStore(of: Song.self, Album.self, isShared: true) { store in
      try store.write { tx in
        try tx.insert(Song(id: 1, title: "kept"))
        #expect(throws: Refused.self) {
          try tx.savepoint { tx in
            try tx.insert(contentsOf: Song.numbered(10..<5_000))
            try tx.insert(Album(name: "gone", year: nil))
            throw Refused()
          }
        }
        try tx.insert(Song(id: 2, title: "kept"))
      }
      let keys = try store.loggedCommits(after: 0)?[0].models.map(\.keys)
      #expect(keys == [[Song.key(1), Song.key(2)]])
    }
  }

  @Test func aCommitOfManyChangesNotesOnlyWhichModelsChanged() throws {
    try withStore(of: Song.self, Album.self, isShared: true) { store in
      try store.write { tx in
        try tx.insert(contentsOf: Song.numbered(0..<10_000))
        try tx.insert(Album(name: "a", year: 1))
      }
      try store.write { _ = try $0.deleteAll(Song.self) }
      let commits = try #require(try store.loggedCommits(after: 0))
      let songs = try store.number(of: Song.self)
      #expect(commits[0].models.first { $0.model == songs }?.keys == [])
      #expect(commits[0].models.first { $0.model != songs }?.keys == [Album.key("a")])
      #expect(commits[1].models == [.init(model: songs, keys: [])])
    }
  }

  @Test func theLastCommitsThatFitAreKept() throws {
    try withStore(of: Song.self, isShared: true) { store in
      for id in 1...(Threshold.loggedCommits.value + 10) {
        try store.write { try $0.insert(Song(id: id, title: "a")) }
      }
      let last = UInt64(Threshold.loggedCommits.value + 10)
      let log = try #require(try store.statistics.log)
      #expect(log.entries <= Threshold.loggedCommits.value)
      #expect(log.entries >= Threshold.loggedCommits.value / 8 * 7)
      #expect(try store.loggedCommits(after: 0) == nil)
      #expect(try store.loggedCommits(after: last - UInt64(log.entries))?.count == log.entries)
    }
  }

  @Test func aTransactionWithoutChangesLeavesNoRecord() throws {
    try withStore(of: Song.self, isShared: true) { store in
      try store.write { try $0.insert(Song(id: 1, title: "a")) }
      try store.write { _ = try $0.delete(Song.self, 5) }
      #expect(throws: Refused.self) {
        try store.write { tx in
          try tx.insert(Song(id: 2, title: "a"))
          throw Refused()
        }
      }
      #expect(try store.statistics.log?.entries == 1)
    }
  }

  @Test func switchedOffNothingIsNotedAndTheNextReaderFindsAGap() throws {
    try withTemporaryStore(of: Song.self) { temporary in
      let other = try temporary.open()
      try temporary.open().write { try $0.insert(Song(id: 1, title: "a")) }
      do {
        let options = Store.Options.forTests { $0.logsCommits = false }
        let silent = try Store.open(at: temporary.url, models: Song.self, options: options)
        try silent.write { try $0.insert(Song(id: 2, title: "b")) }
        #expect(try silent.statistics.log?.entries == 1)
      }
      let store = try temporary.open()
      try store.write { try $0.insert(Song(id: 3, title: "c")) }
      #expect(try store.loggedCommits(after: 0) == nil)
      #expect(try store.loggedCommits(after: 1) == nil)
      #expect(try store.loggedCommits(after: 2)?.map(\.sequence) == [3])
      withExtendedLifetime(other) {}
    }
  }

  @Test func aFileWithoutALogGetsOneWithItsNextCommit() throws {
    try FileFormatTests.withFixture(2) { temporary in
      let store = try temporary.open()
      #expect(try store.statistics.log == nil)
      let before = try store.sequence
      let other = try temporary.open()
      for _ in 0..<2 { try store.write { _ = try $0.update(Song.self, 7) { $0.plays += 1 } } }
      #expect(try store.loggedCommits(after: before)?.count == 2)
      #expect(try store.loggedCommits(after: before - 1) == nil)
      #expect(try store.fetch(Album.all) == FileFormatTests.albums)
      #expect(try other.loggedCommits(after: before)?.count == 2)
      #expect(try other.verify().problems == [])
    }
  }

  @Test func aRecordThatCannotBeReadIsFoundByVerification() throws {
    try withTemporaryStore(of: Song.self, checksAtEnd: false) { temporary in
      let store = try temporary.open()
      try store.write { try $0.insert(Song(id: 1, title: "a")) }
      try store.environment.write { tx in
        let log = try #require(try CommitLog(in: tx))
        let (key, bytes, odd) = (
          CommitLog.key(9), [UInt8](repeating: 7, count: 3), [1, 2] as [UInt8]
        )
        try tx.put(bytes.span.bytes, at: key.span.bytes, in: log.tree)
        try tx.put(bytes.span.bytes, at: odd.span.bytes, in: log.tree)
      }
      let problems = try store.verify().problems
      #expect(problems.count == 2)
      #expect(problems.contains { $0.contains("commit 9") })
    }
  }

  /// A record costs two pages, and nobody reads those of commits before it opened the file.
  @Test func nothingIsNotedWhileNothingElseHasTheFileOpen() throws {
    try withTemporaryStore(of: Song.self) { temporary in
      let store = try temporary.open()
      try store.write { try $0.insert(Song(id: 1, title: "a")) }
      #expect(try store.statistics.log?.entries == 0)
      do {
        let other = try temporary.open()
        try store.write { try $0.insert(Song(id: 2, title: "b")) }
        #expect(try other.statistics.log?.entries == 1)
      }
      try store.write { try $0.insert(Song(id: 3, title: "c")) }
      #expect(try store.statistics.log?.entries == 1)
      // An observer that opens the file in the middle of a transaction finds a gap.
      let other = try store.write { tx in
        let other = try temporary.open()
        try tx.insert(Song(id: 4, title: "d"))
        return other
      }
      #expect(try other.loggedCommits(after: 3) == nil)
      try store.write { try $0.insert(Song(id: 5, title: "e")) }
      #expect(try other.loggedCommits(after: 4)?.map(\.sequence) == [5])
    }
  }

  @Test func aStoreInMemoryKeepsNoLog() throws {
    let store = try Store.inMemory(models: Song.self)
    try store.write { try $0.insert(Song(id: 1, title: "a")) }
    #expect(try store.statistics.log?.entries == 0)
  }
}

extension Store {
  /// The log's records after a commit; nil where it lacks one.
  func loggedCommits(after known: UInt64) throws -> [LogRecord]? {
    let transaction = try LMDB.ReadTransaction(beginningIn: environment)
    let (_, header) = try catalog(in: transaction, publishes: true)
    return try CommitLog(in: transaction)?
      .commits(after: known, through: header.sequence, in: transaction)
  }

  /// The catalog's number of a model.
  func number<M: Model>(of model: M.Type) throws -> Int {
    let transaction = try LMDB.ReadTransaction(beginningIn: environment)
    return try catalog(in: transaction, publishes: true).0.table(of: M._schema.erased).id
  }
}

extension Model {
  /// The code of a primary key.
  static func key(_ key: PrimaryKey) -> [UInt8] {
    var buffer = _ByteBuffer()
    key.appendKey(to: &buffer)
    return unsafe Array(buffer.bytes)
  }
}
