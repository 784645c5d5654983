import Croft
import Foundation
import Testing

/// Several processes on one file; an exit test is a process of its own.
@Suite(.keepsFailedStores) struct StoreProcessTests {
  @Test func whatAnotherProcessWritesIsSeenHere() async throws {
    try await withStoreFile { url in
      let store = try Store.open(at: url, models: Song.self, options: .forTests)
      try await store.write { try $0.insert(contentsOf: Song.numbered(0..<10)) }
      await #expect(processExitsWith: .success) { [url = url as URL] in
        let store = try Store.open(at: url, models: Song.self, options: .forTests)
        try #require(try await store.count(Song.all) == 10)
        try await store.write { tx in
          try tx.insert(Song(id: 100, title: "from there", plays: 3))
          try tx.delete(Song.self, 0)
        }
      }
      #expect(try await store.fetch(Song.where { $0.plays == 3 }).map(\.id) == [3, 100])
      #expect(try await store.count(Song.all) == 10)
      try await store.write { try $0.insert(Song(id: 101, title: "from here", plays: 3)) }
      #expect(try await store.verify().isSound)
    }
  }

  @Test func aModelThatAnotherProcessAddsDoesNotDisturb() async throws {
    try await withStoreFile { url in
      let store = try Store.open(at: url, models: Song.self, options: .forTests)
      await #expect(processExitsWith: .success) { [url = url as URL] in
        let store = try Store.open(at: url, models: Album.self, Song.self, options: .forTests)
        try await store.write { tx in
          try tx.insert(Album(name: "a", year: 1))
          try tx.insert(Song(id: 1, title: "b", plays: 4))
        }
      }
      #expect(try await store.count(Song.where { $0.plays == 4 }) == 1)
      try await store.write { try $0.insert(Song(id: 2, title: "c", plays: 4)) }
      let both = try Store.open(at: url, models: Song.self, Album.self, options: .forTests)
      #expect(try await both.count(Album.all) == 1)
      #expect(try await both.count(Song.where { $0.plays == 4 }) == 2)
      #expect(try await both.verify().isSound)
    }
  }

  /// Trees of another process were opened in the place of this one's writer, so that reading
  /// inside a write said "nested write", and beside one it waited for as long as the writer took.
  @Test func anIndexThatAnotherProcessAddsIsReadInsideAndBesideAWrite() async throws {
    try await withStoreFile { url in
      let options = Store.Options.forTests { $0.writerTimeout = .milliseconds(20) }
      let store = try Store.open(at: url, models: Unindexed.Mark.self, options: options)
      try await store.write { try $0.insert(Unindexed.Mark(id: 1, rank: 4, name: "a")) }
      let query = Unindexed.Mark.where { $0.rank == 4 }
      await #expect(processExitsWith: .success) { [url = url as URL] in
        let store = try Store.open(at: url, models: ByRank.Mark.self, options: .forTests)
        try await store.write { try $0.insert(ByRank.Mark(id: 2, rank: 4, name: "b")) }
      }
      func readInsideAWrite() throws {
        try store.write { _ throws in
          #expect(try store.fetch(query).map(\.id) == [1, 2])
          #expect(try store.snapshot().count(Unindexed.Mark.all) == 2)
        }
      }
      try readInsideAWrite()
      await #expect(processExitsWith: .success) { [url = url as URL] in
        let store = try Store.open(
          at: url, models: ByRank.Mark.self, Song.self, options: .forTests)
        try await store.write { try $0.insert(ByRank.Mark(id: 3, rank: 4, name: "c")) }
      }
      let gate = Gate()
      let write = Task { try await store.write { _ in gate.pass() } }
      await gate.reached()
      #expect(try await store.fetch(query).map(\.id) == [1, 2, 3])
      gate.open()
      try await write.value
      #expect(try await store.verify().isSound)
    }
  }

  /// A kept plan reads an index that another process has removed.
  @Test func aQueryThatIsKeptOutlivesItsIndex() async throws {
    try await withStoreFile { url in
      let store = try Store.open(at: url, models: ByRank.Mark.self, options: .forTests)
      try await store.write { tx in
        try tx.insert(contentsOf: (0..<200).map { ByRank.Mark(id: $0, rank: $0 % 50, name: "a") })
      }
      let query = ByRank.Mark.where { $0.rank == 4 && $0.name != "b" }
      for _ in 0..<3 { #expect(try await store.fetch(query).map(\.id) == [4, 54, 104, 154]) }
      #expect(try await store.explain(query).access == .indexEquality)
      await #expect(processExitsWith: .success) { [url = url as URL] in
        let store = try Store.open(at: url, models: Unindexed.Mark.self, options: .forTests)
        try await store.write { try $0.insert(Unindexed.Mark(id: 204, rank: 4, name: "c")) }
      }
      for _ in 0..<2 { #expect(try await store.fetch(query).map(\.id) == [4, 54, 104, 154, 204]) }
      #expect(try await store.count(query) == 5)
    }
  }

  /// The place of a process that was killed inside a snapshot pinned its pages until the map was
  /// full, though the article said that they were freed.
  @Test func aProcessThatIsKilledInsideASnapshotPinsNothingForLong() async throws {
    try await withStoreFile { url in
      let store = try Store.open(at: url, models: Song.self, options: .forTests)
      try await store.write { try $0.insert(contentsOf: Song.numbered(0..<1_000)) }
      await #expect(processExitsWith: .signal(SIGKILL)) { [url = url as URL] in
        let store = try Store.open(at: url, models: Song.self, options: .forTests)
        let snapshot = try store.snapshot(named: "killed")
        kill(getpid(), SIGKILL)
        withExtendedLifetime(snapshot) {}
      }
      #expect(try store.statistics.readers.count == 1)
      var plays = 0
      func rewrite() throws {
        try store.write { tx in
          plays += 1
          for id in 0..<1_000 { _ = try tx.upsert(Song(id: id, title: "a", plays: plays)) }
        }
      }
      for _ in 0..<10 { try rewrite() }
      let first = try store.statistics.fileBytes
      for _ in 0..<200 { try rewrite() }
      #expect(try store.statistics.fileBytes < first * 3)
      #expect(try store.statistics.readers.isEmpty)
    }
  }

  @Test func aProcessThatDiesInsideAWriteLeavesNothingAndBlocksNobody() async throws {
    try await withStoreFile { url in
      let store = try Store.open(at: url, models: Song.self, options: .forTests)
      try await store.write { try $0.insert(contentsOf: Song.numbered(0..<10)) }
      await #expect(processExitsWith: .exitCode(7)) { [url = url as URL] in
        let store = try Store.open(at: url, models: Song.self, options: .forTests)
        try await store.write { tx in
          try tx.insert(contentsOf: Song.numbered(100..<2_000))
          try tx.delete(Song.where { $0.plays == 3 })
          exit(7)
        }
      }
      #expect(try await store.fetch(Song.all) == Song.numbered(0..<10))
      try await store.write { try $0.insert(Song(id: 10, title: "after")) }
      #expect(try await store.count(Song.all) == 11)
      #expect(try await store.verify().isSound)
    }
  }

  @Test func aWriterOfAnotherProcessIsWaitedForNoLongerThanAsked() async throws {
    try await withStoreFile { url in
      let options = Store.Options.forTests { $0.writerTimeout = .milliseconds(20) }
      let store = try Store.open(at: url, models: Song.self, options: options)
      let gate = Gate()
      let write = Task { try await store.write { _ in gate.pass() } }
      await gate.reached()
      await #expect(processExitsWith: .success) { [url = url as URL] in
        let options = Store.Options.forTests { $0.writerTimeout = .milliseconds(20) }
        let store = try Store.open(at: url, models: Song.self, options: options)
        let error = StoreError.thrown {
          try store.write { try $0.insert(Song(id: 1, title: "a")) }
        }
        guard case .busy = error else { preconditionFailure("another error than busy") }
        try #require(error?.isRetryable == true)
      }
      gate.open()
      try await write.value
    }
  }

  @Test func severalProcessesWriteAndReadOneFileAtTheSameTime() async throws {
    try await withStoreFile { url in
      let store = try Store.open(at: url, models: Song.self, options: .forTests)
      await withTaskGroup(of: Void.self) { group in
        for writer in 1...3 {
          group.addTask {
            await #expect(processExitsWith: .success) {
              [url = url as URL, writer = writer as Int] in
              let store = try Store.open(at: url, models: Song.self, options: .forTests)
              for round in 0..<40 {
                let id = writer * 1_000 + round * 2
                try await store.write { tx in
                  try tx.insert(Song(id: id, title: "even", plays: 100 + writer))
                  try tx.insert(Song(id: id + 1, title: "odd", plays: 100 + writer))
                }
                let seen = try await store.count(Song.where { $0.plays == 100 + writer })
                try #require(seen == round * 2 + 2)
              }
            }
          }
        }
        group.addTask {
          // Meanwhile this process sees whole transactions only, and writes its own.
          for round in 0..<40 {
            do {
              let count = try await store.count(Song.all)
              #expect(count.isMultiple(of: 2))
              try await store.write { tx in
                try tx.insert(contentsOf: Song.numbered(round * 2..<round * 2 + 2))
              }
            } catch {
              Issue.record(error)
            }
          }
        }
      }
      #expect(try await store.count(Song.all) == 4 * 80)
      #expect(try await store.verify().isSound)
    }
  }

  /// Each child kills itself at another statement of its third transaction, as no exit handler can
  /// soften it.
  @Test(arguments: [1, 2, 50, 199]) func aWriterThatIsKilledInMidWriteIsNeverSeen(
    statement: Int
  ) async throws {
    try await withStoreFile { url in
      let store = try Store.open(at: url, models: Song.self, options: .forTests)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [url = url as URL, statement = statement as Int] in
        let store = try Store.open(at: url, models: Song.self, options: .forTests)
        for round in 0..<3 {
          try await store.write { tx in
            for place in 0..<200 {
              if round == 2, place == statement { kill(getpid(), SIGKILL) }
              let id = round * 200 + place
              try tx.insert(Song(id: id, title: String(repeating: "x", count: 300), plays: place))
            }
          }
        }
      }
      // Readers that were there before, and a new one, see two transactions and nothing else.
      #expect(try await store.count(Song.all) == 400)
      #expect(try await store.verify().isSound)
      try await store.write { try $0.insert(Song(id: 9_999, title: "after")) }
      #expect(try await store.fetch(Song.where { $0.id >= 400 }).map(\.id) == [9_999])
    }
  }

  @Test(arguments: [Store.Durability.full, .relaxed, .unsafe])
  func whatIsCommittedOutlivesItsProcess(durability: Store.Durability) async throws {
    try await withStoreFile { url in
      let mode = [Store.Durability.full, .relaxed, .unsafe].firstIndex(of: durability) ?? 0
      await #expect(processExitsWith: .signal(SIGKILL)) { [url = url as URL, mode = mode as Int] in
        let modes = [Store.Durability.full, .relaxed, .unsafe]
        let options = Store.Options.forTests { $0.durability = modes[mode] }
        let store = try Store.open(at: url, models: Song.self, options: options)
        for id in 0..<20 { try await store.write { try $0.insert(Song(id: id, title: "a")) } }
        kill(getpid(), SIGKILL)
      }
      let options = Store.Options.forTests { $0.durability = durability }
      let store = try Store.open(at: url, models: Song.self, options: options)
      #expect(try await store.count(Song.all) == 20)
      #expect(try await store.verify().isSound)
    }
  }

  @Test func processesOfDifferentDurabilityShareAFile() async throws {
    try await withStoreFile { url in
      let options = Store.Options.forTests { $0.durability = .relaxed }
      let store = try Store.open(at: url, models: Song.self, options: options)
      try await store.write { try $0.insert(Song(id: 1, title: "relaxed")) }
      await #expect(processExitsWith: .success) { [url = url as URL] in
        let options = Store.Options.forTests { $0.durability = .full }
        let store = try Store.open(at: url, models: Song.self, options: options)
        try await store.write { try $0.insert(Song(id: 2, title: "full")) }
      }
      #expect(try await store.fetch(Song.all).map(\.title) == ["relaxed", "full"])
    }
  }

  /// Passes the path of a store to a test, and removes its folder.
  private func withStoreFile(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "croft-test-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try await body(folder.appending(path: "store.croft"))
    try FileManager.default.removeItem(at: folder)
  }
}
