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
      #expect(try store.verify().isSound)
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
      #expect(try both.verify().isSound)
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
      #expect(try store.verify().isSound)
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

  /// Lends a place for a store to a test, and removes it.
  private func withStoreFile(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "croft-test-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try await body(folder.appending(path: "store.croft"))
    try FileManager.default.removeItem(at: folder)
  }
}
