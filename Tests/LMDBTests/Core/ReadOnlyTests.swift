import Foundation
@testable import LMDB
import Testing
import TestSupport

#if canImport(Glibc)
  import Glibc
#endif

/// Reading where nothing can be written, not even the lock table.
@Suite struct ReadOnlyTests {
  /// Leaves a file with one row in a folder that its reader cannot write to.
  private func prepare(_ folder: TemporaryFolder) throws {
    do {
      let environment = try Environment.open(at: folder.path(), options: .forTests())
      try environment.write { transaction in
        let database = try transaction.openDatabase(named: "d")
        try transaction.put("value", at: "key", in: database)
      }
    }
    for file in try folder.files { try setMode(0o444, folder.path(file)) }
  }

  private func setMode(_ mode: Int, _ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  private static func value(_ environment: Environment) throws -> String? {
    try environment.read { transaction in
      guard let database = try transaction.database(named: "d") else { return nil }
      return try transaction.text("key", in: database)
    }
  }

  /// Gives up the rights of root; another user keeps its rights.
  private static func becomeOrdinary() {
    if geteuid() == 0 { _ = (setegid(65_534), seteuid(65_534)) }
  }

  @Test(arguments: [true, false])
  func aFileInAFolderThatCannotBeWrittenToIsRead(hasLockTable: Bool) async throws {
    let folder = TemporaryFolder()
    try prepare(folder)
    if !hasLockTable { try FileManager.default.removeItem(atPath: folder.path("data.mdb-lock")) }
    try setMode(0o555, folder.url.path)
    await #expect(processExitsWith: .success) { [path = folder.path() as String] in
      Self.becomeOrdinary()
      let environment = try Environment.open(
        at: path, options: .forTests { $0.isReadOnly = true })
      try #require(environment.core.sharedLock != nil)
      try #require(try Self.value(environment) == "value")
      let snapshot = try environment.snapshot(named: "s")
      try #require(try snapshot.read { try $0.database(named: "d") } != nil)
      let error = lmdbError { try environment.write { _ in } }
      try #require(error?.code == .readOnly)
      let refusal = lmdbError {
        _ = try Environment.open(at: path + "2", options: .forTests { $0.isReadOnly = true })
      }
      try #require(refusal?.code == .noSuchFile)
    }
    try setMode(0o755, folder.url.path)
    #expect(try folder.files.count == (hasLockTable ? 2 : 1))
  }

  @Test func aFileThatCannotBeWrittenToIsNotOpenedForWriting() async throws {
    let folder = TemporaryFolder()
    try prepare(folder)
    await #expect(processExitsWith: .success) { [path = folder.path() as String] in
      Self.becomeOrdinary()
      let error = lmdbError { _ = try Environment.open(at: path, options: .forTests()) }
      try #require(error?.code == .noPermission)
    }
  }

  @Test func whoReadsWithoutALockTableWaitsForTheWriterAndSeesEachCommit() async throws {
    let folder = TemporaryFolder()
    try prepare(folder)
    for file in try folder.files { try setMode(0o644, folder.path(file)) }
    let environment = try Environment.open(at: folder.path(), options: .forTests())
    let held = HeldTransaction.writing(environment)
    try setMode(0o755, folder.url.path)
    await #expect(processExitsWith: .success) { [path = folder.path() as String] in
      Self.becomeOrdinary()
      // As root leaves it: the lock table is root's, so that it cannot be written to here.
      let error = lmdbError {
        _ = try Environment.open(at: path, options: .forTests { $0.isReadOnly = true })
      }
      try #require(geteuid() != 65_534 || error?.code == .busy)
    }
    held.end()
    try environment.write { transaction in
      let database = try transaction.openDatabase(named: "d")
      try transaction.put("later", at: "key", in: database)
    }
    await #expect(processExitsWith: .success) { [path = folder.path() as String] in
      Self.becomeOrdinary()
      let environment = try Environment.open(
        at: path, options: .forTests { $0.isReadOnly = true })
      try #require(try Self.value(environment) == "later")
    }
  }

  @Test func whoReadsWithoutALockTableKeepsWritersOut() throws {
    let folder = TemporaryFolder()
    try prepare(folder)
    let options = Environment.Options.forTests { $0.isReadOnly = true }
    let reading = SharedFileLock(try DataFile(openingAt: folder.path(), options))
    let writing = WriterLock(try DataFile(openingAt: folder.path(), options))
    try reading.enter(within: .zero)
    try reading.enter(within: .zero)
    let others = SharedFileLock(try DataFile(openingAt: folder.path(), options))
    try others.enter(within: .zero)
    reading.leave()
    others.leave()
    let error = lmdbError { try writing.acquire(within: .milliseconds(1)) }
    #expect(error?.code == .busy)
    reading.leave()
    try writing.acquire(within: .zero)
    let refusal = lmdbError { try reading.enter(within: .milliseconds(1)) }
    #expect(refusal?.code == .busy)
    writing.release()
    try reading.enter(within: .zero)
    reading.leave()
  }

  /// The path of a lock table must not depend on the name that a process uses.
  @Test func aFileReachedThroughALinkHasOneLockTable() throws {
    let folder = TemporaryFolder()
    try prepare(folder)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.mdb"), withDestinationPath: folder.path())
    for file in try folder.files where file != "link.mdb" {
      try setMode(0o644, folder.path(file))
    }
    let environment = try Environment.open(at: folder.path("link.mdb"), options: .forTests())
    #expect(try Self.value(environment) == "value")
    #expect(try folder.files == ["data.mdb", "data.mdb-lock", "link.mdb"])
  }
}
