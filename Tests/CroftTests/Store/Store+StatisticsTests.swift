import Foundation
import LMDB
import Testing

@testable import Croft

@Suite(.keepsFailedStores) struct StoreStatisticsTests {
  @Test func modelsAndIndexesAreToldByEntriesAndBytes() throws {
    try withStore(of: Song.self, Album.self) { store in
      try store.write { tx in
        try tx.insert(contentsOf: Song.numbered(0..<2_000))
        try tx.insert(Album(name: String(repeating: "x", count: 100), year: 1))
        try tx.insert(Song(id: 5_000, title: String(repeating: "long", count: 5_000)))
      }
      let statistics = try store.statistics
      #expect(statistics.models.map(\.name) == ["Album", "Song"])
      let song = statistics.models[1]
      #expect(song.rows.entries == 2_001)
      #expect(song.rows.overflowPages == 5)
      #expect(song.indexes.map(\.properties) == [["plays"], ["genre"]])
      #expect(song.indexes.map(\.tree.entries) == [2_001, 2_001])
      #expect(song.indexes.allSatisfy { $0.tree.bytes > 2_001 * 16 })
      #expect(song.bytes == song.rows.bytes + song.indexes.reduce(0) { $0 + $1.tree.bytes })
      #expect(statistics.models[0].rows.bytes == 4_096)
      #expect(statistics.models[0].indexes == [])
    }
  }

  /// Printed, the figures were one line of nested structs.
  @Test func theDescriptionIsLinesThatAPersonReads() throws {
    try withStore(of: Song.self, Album.self, isShared: true) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<2_000)) }
      let snapshot = try store.snapshot(named: "report")
      try store.write { _ = try $0.delete(Song.where { $0.plays == 3 }) }
      let statistics = try store.statistics
      let lines = statistics.description.split(separator: "\n")
      #expect(lines[0].hasPrefix("file ") && lines[0].hasSuffix("log 4.1 kB"))
      #expect(lines[1] == "Album: objects 0, 0 bytes")
      #expect(lines[2].hasPrefix("Song: objects 1800, ") && lines[2].hasSuffix(" kB"))
      #expect(lines[3].hasPrefix("  index over plays: entries 1800, "))
      #expect(lines[4].hasPrefix("  index over genre: entries 1800, "))
      #expect(
        lines[5].hasPrefix("reader: process \(getpid()), snapshot \"report\", open for "))
      #expect(lines[5].contains("1 commits old, pins "))
      #expect(lines.count == 6)
      _ = snapshot
    }
  }

  @Test func whatIsCountedIsTheFile() throws {
    try withStore(of: Song.self, Album.self, isShared: true) { store in
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<2_000)) }
      try store.write { _ = try $0.delete(Song.where { $0.plays == 3 }) }
      let statistics = try store.statistics
      #expect(statistics.freePages > 0)
      let log = try #require(statistics.log)
      #expect(log.entries == 2 && log.bytes == 4_096)
      let counted =
        statistics.models.reduce(0) { $0 + $1.bytes } + log.bytes + statistics.otherBytes
      // Two meta pages are at the front of the file.
      #expect(counted + statistics.freeBytes + 2 * 4_096 == statistics.fileBytes)
      let attributes = try FileManager.default.attributesOfItem(atPath: store.environment.path)
      #expect(attributes[.size] as? Int == statistics.fileBytes)
      #expect(statistics.mapBytes == 256 << 20)
      #expect(statistics.readers == [])
      #expect(statistics.oldestReader == nil)
      #expect(statistics.pinnedBytes == 0)
    }
  }

  @Test func aModelOfAnotherProgramCountsAsOther() throws {
    try withTemporaryStore(of: Song.self, Album.self) { temporary in
      do {
        let albums = (0..<500).map { (year: Int) in Album(name: "Album \(year)", year: year) }
        try temporary.open().write { try $0.insert(contentsOf: albums) }
      }
      let songs = try Store.open(at: temporary.url, models: Song.self, options: .forTests)
      let statistics = try songs.statistics
      #expect(statistics.models.map(\.name) == ["Song"])
      #expect(statistics.otherBytes > 500 * 12)
    }
  }

  @Test func theOldestReaderIsToldByNameAndAgeAndWhatItPins() throws {
    try withStore(of: Song.self) { store in
      store.snapshots.setClock { .seconds(100) }
      try store.write { try $0.insert(contentsOf: Song.numbered(0..<1_000)) }
      let old = try store.snapshot(named: "old")
      try store.write { _ = try $0.deleteAll(Song.self) }
      try store.write { try $0.insert(Song(id: 1, title: "a")) }
      let new = try store.snapshot(named: "new")
      store.snapshots.setClock { .seconds(107) }
      let statistics = try store.statistics
      #expect(statistics.readers.map(\.name) == ["old", "new"])
      #expect(statistics.readers.map(\.commitsBehind) == [2, 0])
      let oldest = try #require(statistics.oldestReader)
      #expect(oldest.age == .seconds(7))
      #expect(oldest.process == Int(ProcessInfo.processInfo.processIdentifier))
      #expect(oldest.pinnedBytes == (try old.pinnedBytes()))
      #expect(statistics.pinnedBytes == oldest.pinnedBytes)
      #expect(statistics.pinnedBytes <= statistics.freeBytes && statistics.pinnedBytes > 1_000 * 60)
      #expect(statistics.readers[1].pinnedBytes == 0)
      withExtendedLifetime(new) {}
    }
  }

  @Test func aReaderOfAnotherProcessHasNoNameAndNoAge() async throws {
    try await withStore(of: Song.self) { store in
      let snapshot = try store.snapshot(named: "here")
      await #expect(processExitsWith: .success) { [path = store.environment.path as String] in
        let store = try Store.open(
          at: URL(filePath: path), models: Song.self, options: .forTests)
        let reader = try #require(try store.statistics.oldestReader)
        try #require(reader.name == nil && reader.age == nil && reader.commitsBehind == 0)
        try #require(reader.process != Int(ProcessInfo.processInfo.processIdentifier))
      }
      withExtendedLifetime(snapshot) {}
    }
  }
}
