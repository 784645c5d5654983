import Foundation
@testable import LMDB
import Testing
import TestSupport

/// Other files in the place of the lock table when a file is opened.
@Suite struct LockFileTests {
  let folder = TemporaryFolder()
  private var lock: String { folder.path("data.mdb-lock") }

  private func open() throws -> Environment {
    try Environment.open(at: folder.path(), options: .forTests())
  }

  /// The lock table was written over whatever the link led to.
  @Test(arguments: [true, false]) func aLinkInTheLockTablesPlaceIsNotFollowed(isDangling: Bool)
    throws
  {
    let victim = folder.path("victim")
    if !isDangling { try "secret".write(toFile: victim, atomically: true, encoding: .utf8) }
    try FileManager.default.createSymbolicLink(atPath: lock, withDestinationPath: victim)
    for isReadOnly in [false, true] {
      let error = lmdbError {
        _ = try Environment.open(
          at: folder.path(), options: .forTests { $0.isReadOnly = isReadOnly })
      }
      #expect(error?.code == .notALockTable)
    }
    #expect(FileManager.default.fileExists(atPath: victim) == !isDangling)
    if !isDangling { #expect(try String(contentsOfFile: victim, encoding: .utf8) == "secret") }
    try FileManager.default.removeItem(atPath: lock)
    try open().write { _ = try $0.openDatabase(named: "d") }
    try FileManager.default.removeItem(atPath: lock)
    try FileManager.default.createSymbolicLink(atPath: lock, withDestinationPath: victim)
    let compaction = lmdbError { try Environment.compact(at: folder.path(), options: .forTests()) }
    #expect(compaction?.code == .notALockTable)
    if !isDangling { #expect(try String(contentsOfFile: victim, encoding: .utf8) == "secret") }
  }

  @Test func aFolderOrPipeOrFileOfTwoNamesInTheLockTablesPlaceIsRefused() throws {
    try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
    #expect(lmdbError { _ = try open() }?.code == .notALockTable)
    try FileManager.default.removeItem(atPath: lock)
    #expect(mkfifo(lock, 0o600) == 0)
    #expect(lmdbError { _ = try open() }?.code == .notALockTable)
    try FileManager.default.removeItem(atPath: lock)
    try Data().write(to: URL(filePath: folder.path("other")))
    #expect(link(folder.path("other"), lock) == 0)
    #expect(lmdbError { _ = try open() }?.code == .notALockTable)
    #expect(try Data(contentsOf: URL(filePath: folder.path("other"))).isEmpty)
  }

  /// Found by cutting the power: nobody waits for a table to be on the disk.
  @Test(arguments: [0x00, 0x5A, 0xFF] as [UInt8])
  func aTableInWhichAPowerCutLeftAnythingIsMadeAnew(byte: UInt8) throws {
    try open().write { _ = try $0.openDatabase(named: "d") }
    let size = try Data(contentsOf: URL(filePath: lock)).count
    for count in [1, 417, 512, size, 3 * size] {
      try Data(repeating: byte, count: count).write(to: URL(filePath: lock))
      let isThere = try open().write { try $0.database(named: "d") != nil }
      #expect(isThere)
    }
  }

  @Test func aTableOfAnEarlierProcessIsUsedAgain() throws {
    for _ in 0..<3 { try open().write { _ = try $0.openDatabase(named: "d") } }
    try Data().write(to: URL(filePath: lock))
    try open().write { _ = try $0.openDatabase(named: "d") }
    try Data(count: 100_000).write(to: URL(filePath: lock))
    try open().write { _ = try $0.openDatabase(named: "d") }
  }

  /// The size that is set aside is the one that the C library asks for.
  @Test(arguments: [1, 2, 126, 512, 10_000]) func aNewTableHasItsRoomOnTheDisk(maxReaders: Int)
    throws
  {
    let environment = try Environment.open(
      at: folder.path(), options: .forTests { $0.maxReaders = maxReaders })
    defer { withExtendedLifetime(environment) {} }
    var status = stat()
    #expect(stat(lock, &status) == 0)
    #expect(Int(status.st_size) == LockFile.byteCount(maxReaders: maxReaders))
    #if os(Linux)
      #expect(Int(status.st_blocks) * 512 >= Int(status.st_size))
    #endif
    #expect(status.st_mode & 0o777 == 0o600)
  }

  #if os(Linux)
    /// A writer that was stopped (^Z) kept another one waiting without a word.
    @Test func whoWaitsForAStoppedWriterGivesUpAndNamesIt() async throws {
      let environment = try open()
      let (path, number) = (folder.path(), folder.path("number"))
      // A process that is awaited keeps one of the few threads that run tests.
      let waiting = OtherThread { begun in
        // Whatever fails here, the other process must continue, since it is awaited.
        defer { Self.continueProcess(numberedIn: number) }
        begun()
        let process = try Self.stoppedWriter(of: environment)
        let error = lmdbError { try environment.write { _ in } }
        #expect(error?.code == .busy)
        #expect(error?.detail.hasPrefix("process \(process) (which is stopped") == true)
        #expect(try environment.read { try $0.isEmpty() })
      }
      await #expect(processExitsWith: .success) {
        [path = path as String, number = number as String] in
        let environment = try Environment.open(at: path, options: .forTests())
        try environment.write { _ in
          try "\(getpid())".write(toFile: number, atomically: true, encoding: .utf8)
          // Sent to the process, it might reach this thread only when the write has ended.
          _ = raise(SIGSTOP)
        }
      }
      waiting.join()
      try environment.write { _ in }
    }

    private struct NobodyStopped: Error {}

    /// Waits until a stopped process has the writer's lock; its number.
    private static func stoppedWriter(of environment: Environment) throws -> Int {
      let end = ContinuousClock.now + .seconds(60)
      while ContinuousClock.now < end {
        if let process = environment.core.file.lockHolder,
          ProcessIdentity.described(process).contains("which is stopped")
        {
          return process
        }
        sched_yield()
      }
      throw NobodyStopped()
    }

    private static func continueProcess(numberedIn path: String) {
      do {
        let process = try #require(Int32(String(contentsOfFile: path, encoding: .utf8)))
        #expect(kill(process, SIGCONT) == 0)
      } catch {
        Issue.record(error)
      }
    }
  #endif
}
