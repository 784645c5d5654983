import Foundation
import Testing
import TestSupport

@testable import LMDB

/// A file, or its lock table, that is removed or replaced while it is open.
@Suite struct FileReplacementTests {
  let folder = TemporaryFolder()
  private var lock: String { folder.path("data.mdb-lock") }

  private func filled(
    _ name: String = "data.mdb", rows: Int = 3,
    _ change: (inout Environment.Options) -> Void = { _ in }
  ) throws -> Environment {
    let environment = try Environment.open(at: folder.path(name), options: .forTests(change))
    for row in 0..<rows { try Self.put(row, environment) }
    return environment
  }

  private static func put(_ row: Int, _ environment: Environment) throws {
    try environment.write { transaction in
      let database = try transaction.openDatabase(named: "d")
      try transaction.put("value", at: "key \(row)", in: database)
    }
  }

  private func count(_ environment: Environment) throws -> Int {
    try environment.read { transaction in
      guard let database = try transaction.database(named: "d") else { return 0 }
      return try transaction.count(of: database)
    }
  }

  /// Reads until the reader notices, which it looks for ten times a second.
  ///
  /// - Parameter code: An error that it may have until then.
  private func errorOfReading(
    _ environment: Environment, besides code: LMDBError.Code? = nil
  ) -> LMDBError? {
    let end = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < end {
      if let error = lmdbError({ _ = try count(environment) }), error.code != code { return error }
    }
    return nil
  }

  /// Writes to the file without a name were acknowledged, and were lost at the end.
  @Test(arguments: ["data.mdb", "data.mdb-lock"])
  func nothingIsCommittedOnceTheFileOrItsLockTableIsRemoved(name: String) throws {
    let environment = try filled()
    try FileManager.default.removeItem(atPath: folder.path(name))
    let error = lmdbError { try Self.put(3, environment) }
    #expect(error?.code == .fileReplaced)
    #expect(error?.isRetryable == false)
    #expect(error?.description.contains(folder.path(name)) == true)
    // From then on no transaction begins, but the contents can be saved.
    #expect(lmdbError { _ = try count(environment) }?.code == .fileReplaced)
    try environment.copy(to: folder.path("saved.mdb"))
    #expect(try count(filled("saved.mdb", rows: 0)) == 3)
  }

  @Test(arguments: ["data.mdb", "data.mdb-lock"])
  func whatIsRemovedInsideAWriteEndsIt(name: String) throws {
    let environment = try filled()
    let error = lmdbError {
      try environment.write { transaction in
        let database = try transaction.openDatabase(named: "d")
        try transaction.put("value", at: "late", in: database)
        try FileManager.default.removeItem(atPath: folder.path(name))
      }
    }
    #expect(error?.code == .fileReplaced)
    try environment.copy(to: folder.path("saved.mdb"))
    #expect(try count(filled("saved.mdb", rows: 0)) == 3)
  }

  @Test(arguments: ["data.mdb", "data.mdb-lock"]) func readersNoticeTooBeforeLong(name: String)
    throws
  {
    let environment = try filled()
    try FileManager.default.removeItem(atPath: folder.path(name))
    #expect(errorOfReading(environment)?.code == .fileReplaced)
  }

  @Test func aFileMovedAwayIsNotWrittenTo() throws {
    let environment = try filled()
    try FileManager.default.moveItem(atPath: folder.path(), toPath: folder.path("moved.mdb"))
    #expect(lmdbError { try Self.put(3, environment) }?.code == .fileReplaced)
  }

  /// Each name has a lock table of its own: of 300 rows that short-lived processes wrote by the two
  /// names in turn, all acknowledged, some 90 were lost.
  @Test func aFileOfTwoNamesIsUsedByOneAtATime() async throws {
    var environment: Environment? = try filled(rows: 3)
    let other = folder.path("other.mdb")
    try FileManager.default.linkItem(atPath: folder.path(), toPath: other)
    await #expect(processExitsWith: .success) { [other = other as String] in
      for isReadOnly in [false, true] {
        let error = lmdbError {
          _ = try Environment.open(at: other, options: .forTests { $0.isReadOnly = isReadOnly })
        }
        try #require(error?.code == .fileReplaced)
        try #require(error?.description.contains("by another name of the file") == true)
      }
    }
    try Self.put(3, #require(environment))
    environment = nil
    await #expect(processExitsWith: .success) { [other = other as String] in
      try Self.put(4, Environment.open(at: other, options: .forTests()))
    }
    #expect(try count(filled(rows: 0)) == 5)
  }

  /// One process believed the new lock table and the other the old one.
  @Test func whoComesAfterTheLockTableWasRemovedWaitsForThoseBefore() async throws {
    var environment: Environment? = try filled(rows: 3)
    try FileManager.default.removeItem(atPath: lock)
    await #expect(processExitsWith: .success) { [path = folder.path() as String] in
      let error = lmdbError { _ = try Environment.open(at: path, options: .forTests()) }
      try #require(error?.code == .fileReplaced)
    }
    #expect(lmdbError { try Self.put(3, #require(environment)) }?.code == .fileReplaced)
    environment = nil
    #expect(try count(filled(rows: 4)) == 4)
  }

  /// A child that another thread starts has copies of the descriptors until it runs its own program, so
  /// that an opening right after a close was refused for a lock that nobody had any more.
  @Test func aLockThatAChildStillHasForAMomentIsWaitedFor() throws {
    _ = try filled(rows: 3)
    let options = Environment.Options.forTests()
    let child = open(folder.path(), O_RDONLY | O_CLOEXEC)
    try #require(child >= 0)
    // Any other byte than that of the lock table.
    try #require(FileCalls.share(child, byteAt: 1 << 61) == 0)
    // The child ends when the opening, which has met its lock once, asks again.
    let plan = FaultPlan(beforeCall: 2, of: "isShared(_:bytes:)") { close(child) }
    #expect(throws: Never.self) {
      _ = try FaultPlan.$current.withValue(plan) {
        try Environment.open(at: folder.path(), options: options)
      }
    }
    #expect(plan.hasFailedCall)
  }

  /// LMDB read beyond the end of it, which ended the process.
  @Test(arguments: [0, 100]) func aLockTableThatIsCutIsNoticedAndClosed(bytes: Int) async throws {
    await #expect(processExitsWith: .success) {
      [path = folder.path() as String, bytes = bytes as Int] in
      var environment: Environment? = try Environment.open(at: path, options: .forTests())
      try Self.put(0, #require(environment))
      try #require(truncate(path + "-lock", off_t(bytes)) == 0)
      try #require(lmdbError { try Self.put(1, #require(environment)) }?.code == .fileReplaced)
      environment = nil
      let again = try Environment.open(at: path, options: .forTests())
      try Self.put(1, again)
    }
    #expect(try count(filled(rows: 0)) == 2)
  }

  /// What a tool that synchronises folders does: another file under the same name.
  @Test func aReplacedFileIsOpenedAnewOnceTheOneBeforeIsClosed() throws {
    _ = try filled("other.mdb", rows: 7)
    var environment: Environment? = try filled()
    #expect(rename(folder.path("other.mdb"), folder.path()) == 0)
    #expect(lmdbError { try Self.put(3, #require(environment)) }?.code == .fileReplaced)
    // Both would use one lock table, and closing either would drop the other's locks.
    for _ in 0..<2 {
      let error = lmdbError { _ = try filled(rows: 0) }
      #expect(error?.code == .fileReplaced)
      #expect(error?.description.contains("this process still has the file before it open") == true)
    }
    let busy = lmdbError { try Environment.compact(at: folder.path(), options: .forTests()) }
    #expect(busy?.code == .busy)
    environment = nil
    #expect(try count(filled(rows: 8)) == 8)
  }

  @Test func anEnvironmentWhoseLockTableIsGoneIsNotShared() throws {
    let first = try filled()
    try FileManager.default.removeItem(atPath: lock)
    #expect(lmdbError { _ = try filled(rows: 0) }?.code == .fileReplaced)
    withExtendedLifetime(first) {}
  }

  /// A newcomer joins the lock table, and took the number of the last commit from there: it read the
  /// commit before the last, and overwrote the last.
  @Test(arguments: 1...4) func aNewcomerDoesNotBelieveTheLockTableOfTheFileBefore(
    rows: Int
  ) async throws {
    _ = try filled("other.mdb", rows: rows)
    var environment: Environment? = try filled(rows: 3)
    #expect(rename(folder.path("other.mdb"), folder.path()) == 0)
    await #expect(processExitsWith: .success) {
      [path = folder.path() as String, rows = rows as Int] in
      let error = lmdbError {
        let environment = try Environment.open(at: path, options: .forTests())
        let count = try environment.read { transaction in
          guard let database = try transaction.database(named: "d") else { return 0 }
          return try transaction.count(of: database)
        }
        // With the same number of commits nothing is wrong.
        try #require(count == rows)
      }
      try #require(error == nil ? rows == 3 : error?.code == .fileReplaced)
    }
    #expect(environment != nil)
    environment = nil
    #expect(try count(filled(rows: 0)) == rows)
  }

  /// Between the two numbers that an opening compares there may be commits, of which none means that
  /// the lock table speaks of another file.
  @Test func anOpeningBesideABusyWriterIsNoReplacement() async throws {
    let environment = try filled()
    let done = folder.path("done")
    let writer = OtherThread { begun in
      begun()
      while !FileManager.default.fileExists(atPath: done) {
        for _ in 0..<50 { try Self.put(0, environment) }
      }
    }
    defer { writer.join() }
    defer { #expect(FileManager.default.createFile(atPath: done, contents: nil)) }
    await #expect(processExitsWith: .success) {
      [path = folder.path() as String, done = done as String] in
      // Here, and not when this process hears of the end: that may be many other tests later.
      defer { _ = FileManager.default.createFile(atPath: done, contents: nil) }
      for _ in 0..<300 {
        _ = try Environment.open(at: path, options: .forTests { $0.writerTimeout = .seconds(60) })
      }
    }
  }

  /// Each of two processes wrote by a lock table of its own: 105 of 4,000 acknowledged rows were lost.
  ///
  /// The other process is refused until this one has noticed and let go of the file.
  @Test func whatTwoProcessesAcknowledgeAroundARemovedLockTableIsThere() async throws {
    let (path, lock) = (folder.path(), lock)
    try Self.put(0, filled(rows: 0))
    async let here = Self.acknowledgedAroundRemoval(of: lock, besides: path)
    await #expect(processExitsWith: .success) {
      [path = path as String, lock = lock as String] in
      while FileManager.default.fileExists(atPath: lock) { sched_yield() }
      var opened: Environment?
      while opened == nil {
        do {
          opened = try Environment.open(
            at: path, options: .forTests { $0.writerTimeout = .seconds(60) })
        } catch let error as LMDBError {
          try #require(error.code == .fileReplaced)
        }
      }
      for row in 0..<300 {
        try #require(opened).write { transaction in
          let database = try transaction.openDatabase(named: "d")
          try transaction.put("there", at: "there \(row)", in: database)
        }
      }
    }
    let rows = try await here
    let environment = try Environment.open(at: folder.path(), options: .forTests())
    try environment.read { transaction in
      let database = try #require(try transaction.database(named: "d"))
      for row in 0..<300 { #expect(try transaction.text("there \(row)", in: database) == "there") }
      for row in 0..<rows { #expect(try transaction.text("here \(row)", in: database) == "here") }
    }
  }

  /// Writes rows until that fails, because the lock table is removed; how many were acknowledged.
  private static func acknowledgedAroundRemoval(
    of lock: String, besides path: String
  ) async throws -> Int {
    let environment = try Environment.open(at: path, options: .forTests())
    for row in 0..<1_000_000 {
      if row == 20 { try FileManager.default.removeItem(atPath: lock) }
      let error = lmdbError {
        try environment.write { transaction in
          let database = try transaction.openDatabase(named: "d")
          try transaction.put("here", at: "here \(row)", in: database)
        }
      }
      guard let error else { continue }
      #expect(error.code == .fileReplaced)
      return row
    }
    Issue.record("Nobody noticed that the lock table is gone.")
    return 0
  }

  /// An opening that failed removed the path of the file that it had made, to which a backup had been
  /// restored meanwhile, or which somebody else had opened.
  @Test func anOpeningThatFailsRemovesNoFile() throws {
    try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
    #expect(lmdbError { _ = try filled(rows: 0) }?.code == .notALockTable)
    #expect(FileManager.default.fileExists(atPath: folder.path()))
    try FileManager.default.removeItem(atPath: lock)
    #expect(try count(filled()) == 3)
  }

  /// Writes another file over the one that is open, as `cp` does, with fewer, as many or more commits.
  private func overwrite(withRows rows: Int, of bytes: Int) throws -> Data {
    let name = "other.mdb"
    let environment = try filled(name, rows: 0)
    for row in 0..<rows {
      try environment.write { transaction in
        let database = try transaction.openDatabase(named: "d")
        let value = String(repeating: "v", count: bytes)
        try transaction.put(value, at: "other \(row)", in: database)
      }
    }
    let other = try Data(contentsOf: URL(filePath: folder.path(name)))
    let file = try FileHandle(forWritingTo: URL(filePath: folder.path()))
    // No map has pages that the file lacks meanwhile, which would end the process.
    try file.write(contentsOf: other)
    try file.truncate(atOffset: UInt64(other.count))
    try file.close()
    return other
  }

  /// Reads had rows of both files, or told of damage for ever, and a write damaged the new one.
  @Test(arguments: [1, 3, 9], [false, true])
  func aFileThatIsOverwrittenInPlaceIsNoticed(rows: Int, writes: Bool) throws {
    func bytes() throws -> Data { try Data(contentsOf: URL(filePath: folder.path())) }
    func overwriteWhileOpen() throws -> Data {
      let environment = try filled()
      #expect(try count(environment) == 3)
      let other = try overwrite(withRows: rows, of: 20_000)
      let error =
        writes && rows != 3
        ? lmdbError { try Self.put(3, environment) }
        : errorOfReading(environment, besides: .corrupted)
      #expect(error?.code == .fileReplaced)
      #expect(error?.description.contains("has written another file over it") == true)
      #expect(lmdbError { _ = try count(environment) }?.code == .fileReplaced)
      #expect(lmdbError { try Self.put(3, environment) }?.code == .fileReplaced)
      return other
    }
    let other = try overwriteWhileOpen()
    // Closing wrote nothing, and the new file can be used.
    #expect(try bytes() == other)
    #expect(try count(filled(rows: 0)) == rows)
  }

  @Test func aDamagedMetaPageIsNotTakenForAnotherFile() throws {
    let environment = try filled()
    let core = environment.core
    let reader = try core.beginRead()
    // The depth of the tree of names, in the meta page of the last commit.
    let page = (reader.handle.id & 1) * core.pages.pageBytes
    let file = try FileHandle(forWritingTo: URL(filePath: folder.path()))
    try file.seek(toOffset: UInt64(page + MetaPage.treesOffset + MetaPage.treeBytes + 6))
    try file.write(contentsOf: [0xFF, 0xFF] as [UInt8])
    try file.close()
    #expect(!core.isOverwritten(reader))
    #expect(lmdbError { _ = try core.beginRead() }?.code == .corrupted)
    core.endRead(reader)
    #expect(try count(environment) == 3)
  }

  @Test func commitsMeanwhileAreNotTakenForAnotherFile() throws {
    let environment = try filled()
    let core = environment.core
    DispatchQueue.concurrentPerform(iterations: 4) { worker in
      for row in 0..<500 {
        let error = lmdbError {
          if worker == 0 { return try Self.put(row, environment) }
          let earlier = core.readers.withMapHeld { core.handle.lastTransaction }
          let reader = try core.beginRead()
          #expect(!core.isOverwritten(reader, since: earlier))
          core.endRead(reader)
        }
        #expect(error == nil)
      }
    }
  }

  @Test func aFileThatLosesItsNameOnPurposeIsWrittenTo() throws {
    let environment = try filled { $0.isUnlinkedAfterOpening = true }
    for name in try folder.files { try FileManager.default.removeItem(atPath: folder.path(name)) }
    try Self.put(3, environment)
    #expect(try count(environment) == 4)
  }

  @Test func aLinkToNothingIsCalledSo() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(), withDestinationPath: folder.path("nowhere.mdb"))
    #expect(lmdbError { _ = try filled() }?.code == .danglingLink)
    #expect(try folder.files == ["data.mdb"])
  }

  @Test(.enabled(if: geteuid() == 0, "Making another user's link takes root's rights."))
  func aLinkThatAnotherUserMadeIsNotFollowed() throws {
    _ = try filled("other.mdb")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(), withDestinationPath: folder.path("other.mdb"))
    #expect(lchown(folder.path(), 65_534, 65_534) == 0)
    #expect(lmdbError { _ = try filled() }?.code == .foreignLink)
    #expect(lchown(folder.path(), 0, 0) == 0)
    #expect(try count(filled(rows: 0)) == 3)
  }
}
