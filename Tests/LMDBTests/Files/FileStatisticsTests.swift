import Foundation
import LMDB
import Testing
import TestSupport

@Suite struct FileStatisticsTests {
  let folder = TemporaryFolder()
  let environment: Environment

  init() throws {
    environment = try Environment.open(at: folder.path(), options: .forTests())
  }

  private func write(rows: Range<Int>, bytes: Int = 50) throws {
    try environment.write { transaction in
      let database = try transaction.openDatabase(named: "d")
      for row in rows {
        try transaction.put(String(repeating: "v", count: bytes), at: "\(row)", in: database)
      }
    }
  }

  private var figures: FileStatistics {
    get throws { try environment.read { try $0.fileStatistics() } }
  }

  @Test func aTreeIsAsLargeAsItsPages() throws {
    try write(rows: 0..<1_000)
    try write(rows: 1_000..<1_003, bytes: 10_000)
    let tree = try environment.read { transaction in
      let database = try #require(try transaction.database(named: "d"))
      return try transaction.statistics(of: database)
    }
    #expect(tree.entries == 1_003)
    #expect(tree.depth == 2)
    #expect(tree.branchPages == 1)
    #expect(tree.overflowPages == 9)
    #expect(tree.leafPages > 15)
    #expect(tree.bytes == tree.pages * 4_096)
  }

  @Test func treesAndFreePagesAndTwoFrontPagesAreTheFile() throws {
    try write(rows: 0..<1_000)
    try environment.write { transaction in
      let database = try transaction.openDatabase(named: "d")
      let other = try transaction.openDatabase(named: "other")
      try transaction.put("value", at: "key", in: other)
      try transaction.deleteRange(.prefix("1".bytes), in: database)
    }
    let figures = try figures
    #expect(figures.pageBytes == 4_096)
    #expect(figures.freePages > 1)
    #expect(figures.fileBytes == (figures.trees.pages + figures.freePages + 2) * 4_096)
    #expect(figures.mapBytes == environment.mapSizeBytes)
    #expect(try figures.fileBytes == environment.fileBytes)
  }

  @Test func aSnapshotPinsWhatWasFreedSince() throws {
    try write(rows: 0..<1_000)
    let snapshot = try environment.snapshot(named: "old")
    #expect(try figures.pagesFreed(since: snapshot.version) == 0)
    #expect(try figures.readers.map(\.version) == [snapshot.version])
    try environment.write { transaction in
      let database = try transaction.openDatabase(named: "d")
      try transaction.empty(database)
    }
    try write(rows: 0..<1_000)
    let pinned = try figures.pagesFreed(since: snapshot.version)
    #expect(pinned > 15)
    let reader = try #require(try figures.readers.first)
    #expect(reader.version == snapshot.version)
    #expect(reader.process == Int(ProcessInfo.processInfo.processIdentifier))
  }

  @Test func readersOfOtherProcessesAreSeen() async throws {
    try write(rows: 0..<10)
    let snapshot = try environment.snapshot(named: "here")
    await #expect(processExitsWith: .success) { [path = folder.path() as String] in
      let environment = try Environment.open(at: path, options: .forTests())
      let readers = try environment.read { try $0.fileStatistics().readers }
      try #require(readers.count == 1)
      try #require(readers[0].process != Int(ProcessInfo.processInfo.processIdentifier))
    }
    withExtendedLifetime(snapshot) {}
  }
}
