import Foundation
@testable import LMDB
import Testing
import TestSupport

#if canImport(Glibc)
  import Glibc
#endif

@Suite struct CopyingTests {
  let folder = TemporaryFolder()

  /// An environment with some rows, of which one is long.
  private func filled(_ name: String = "data.mdb", rows: Int = 500) throws -> Environment {
    let environment = try Environment.open(at: folder.path(name), options: .forTests())
    try environment.write { transaction in
      let database = try transaction.openDatabase(named: "d")
      _ = try transaction.openDatabase(named: "empty")
      for row in 0..<rows {
        try transaction.put(
          String(repeating: "v", count: row == 7 ? 9_000 : 50), at: "key \(row)", in: database)
      }
    }
    return environment
  }

  private func content(_ environment: Environment) throws -> [[[UInt8]]] {
    try environment.read { transaction in
      let database = try #require(try transaction.database(named: "d"))
      return try transaction.rows(of: database)
    }
  }

  @Test(arguments: [false, true]) func aCopyHoldsTheLastCommit(isCompacting: Bool) throws {
    let environment = try filled()
    try environment.copy(to: folder.path("copy.mdb"), isCompacting: isCompacting)
    try environment.write { transaction in
      let database = try transaction.openDatabase(named: "d")
      try transaction.empty(database)
    }
    let copy = try Environment.open(at: folder.path("copy.mdb"), options: .forTests())
    #expect(try content(copy).count == 500)
    try copy.write { transaction in
      let database = try transaction.openDatabase(named: "d")
      try transaction.put("value", at: "new", in: database)
    }
    #expect(try content(copy).count == 501)
    #expect(try content(environment).isEmpty)
    // Nobody else may read it, and nothing of its making is left.
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("copy.mdb"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(
      try folder.files == ["copy.mdb", "copy.mdb-lock", "data.mdb", "data.mdb-lock"])
  }

  @Test func aCompactingCopyLeavesFreePagesOut() throws {
    let environment = try filled(rows: 5_000)
    try environment.write { transaction in
      let database = try transaction.openDatabase(named: "d")
      try transaction.deleteRange(.prefix("key 1".bytes), in: database)
      try transaction.deleteRange(.prefix("key 2".bytes), in: database)
    }
    let rows = try content(environment)
    try environment.copy(to: folder.path("copy.mdb"), isCompacting: true)
    let copy = try Environment.open(at: folder.path("copy.mdb"), options: .forTests())
    #expect(try copy.fileBytes * 3 < environment.fileBytes * 2)
    #expect(try content(copy) == rows)
    #expect(try copy.read { try $0.fileStatistics().freePages } == 0)
  }

  @Test(arguments: [false, true]) func anEmptyFileCanBeCopied(isCompacting: Bool) throws {
    let environment = try Environment.open(at: folder.path(), options: .forTests())
    try environment.copy(to: folder.path("copy.mdb"), isCompacting: isCompacting)
    let copy = try Environment.open(at: folder.path("copy.mdb"), options: .forTests())
    #expect(try copy.read { try $0.isEmpty() })
  }

  @Test func anExistingFileIsReplacedOnlyWhenTold() throws {
    let environment = try filled()
    let target = URL(filePath: folder.path("copy.mdb"))
    let text = Data("notes".utf8)
    try text.write(to: target)
    let error = lmdbError { try environment.copy(to: target.path) }
    #expect(error?.code == .fileExists)
    #expect(error?.description.contains("copy.mdb") == true)
    #expect(try Data(contentsOf: target) == text)
    // A file that is not an environment is not replaced either.
    let foreign = lmdbError { try environment.copy(to: target.path, replacesExisting: true) }
    #expect(foreign?.code == .notAnEnvironment)
    #expect(try Data(contentsOf: target) == text)

    try FileManager.default.removeItem(at: target)
    try environment.copy(to: target.path)
    try environment.write { transaction in
      let database = try transaction.openDatabase(named: "d")
      try transaction.put("value", at: "new", in: database)
    }
    try environment.copy(to: target.path, replacesExisting: true)
    let copy = try Environment.open(at: target.path, options: .forTests())
    #expect(try content(copy).count == 501)
    let own = lmdbError { try environment.copy(to: environment.path, replacesExisting: true) }
    #expect(own?.code == .busy)
  }

  /// A page was lost, and the backup of that day replaced the last good one.
  @Test func aFileThatHasLostAPageDoesNotReplaceAGoodCopy() throws {
    let copy = folder.path("copy.mdb")
    var environment: Environment? = try filled(rows: 2_000)
    try environment?.copy(to: copy)
    environment = nil
    var bytes = try Data(contentsOf: URL(filePath: folder.path()))
    // The newest pages of rows are at the end.
    let page = bytes.count / 4_096 / 2
    bytes.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: Data(count: 4_096))
    try bytes.write(to: URL(filePath: folder.path()))
    let damaged = try Environment.open(at: folder.path(), options: .forTests())
    let good = try Data(contentsOf: URL(filePath: copy))
    #expect(lmdbError { try damaged.copy(to: copy, replacesExisting: true) }?.code == .corrupted)
    #expect(try Data(contentsOf: URL(filePath: copy)) == good)
    #expect(!(try folder.files.contains { $0.contains("draft") }))
    // Beside it there may be a copy of what is left.
    try damaged.copy(to: folder.path("left.mdb"))
  }

  /// It was the other file's lock table that was held, and the link that was replaced.
  @Test func aLinkIsNotReplaced() throws {
    let environment = try filled()
    try environment.copy(to: folder.path("other.mdb"))
    let link = folder.path("link.mdb")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: folder.path("other.mdb"))
    #expect(lmdbError { try environment.copy(to: link, replacesExisting: true) }?.code == .isLink)
    #expect(lmdbError { try environment.copy(to: link) }?.code == .fileExists)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: link) == folder.path("other.mdb"))
  }

  @Test func aFileThatIsOpenIsNotReplaced() async throws {
    let environment = try filled()
    let other = try filled("other.mdb", rows: 3)
    let error = lmdbError { try environment.copy(to: other.path, replacesExisting: true) }
    #expect(error?.code == .busy)
    await #expect(processExitsWith: .success) { [path = other.path as String] in
      let environment = try Environment.open(at: path + "-third", options: .forTests())
      let error = lmdbError { try environment.copy(to: path, replacesExisting: true) }
      try #require(error?.code == .busy)
    }
    #expect(try content(other).count == 3)
    #expect(!(try folder.files.contains { $0.contains("draft") }))
  }

  @Test func aCopyInsideAWriteIsRefused() throws {
    let environment = try filled()
    try environment.write { _ in
      let error = lmdbError { try environment.copy(to: folder.path("copy.mdb")) }
      #expect(error?.code == .writeInsideWrite)
    }
    #expect(try folder.files == ["data.mdb", "data.mdb-lock"])
  }

  @Test func aCopyIsOneCommitWhateverIsWrittenMeanwhile() async throws {
    let environment = try filled(rows: 2_000)
    let path = folder.path("copy.mdb")
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for round in 0..<60 {
          try environment.write { transaction in
            let database = try transaction.openDatabase(named: "d")
            for row in 0..<40 { try transaction.put("\(round)", at: "row \(row)", in: database) }
          }
        }
      }
      for copy in 0..<6 {
        group.addTask {
          try environment.copy(to: path + "\(copy)", isCompacting: copy % 2 == 0)
        }
      }
      try await group.waitForAll()
    }
    for number in 0..<6 {
      let copy = try Environment.open(at: path + "\(number)", options: .forTests())
      let rounds = try content(copy).filter { $0[0].starts(with: "row".bytes) }.map { $0[1] }
      #expect(Set(rounds).count <= 1)
      #expect(rounds.isEmpty || rounds.count == 40)
    }
  }

  /// The C library waits without end for a writer that came in after the wait for the last one.
  @Test func aCopyDoesNotWaitForAWriterThatBeganWithoutThePlace() throws {
    let environment = try filled()
    let writer = HeldTransaction { untilReleased in
      // As a program does that knows the C library alone.
      let handle = environment.core.handle.begin(isReadOnly: false).handle
      untilReleased()
      handle?.abort()
    }
    try environment.copy(to: folder.path("copy.mdb"))
    writer.end()
    let copy = try Environment.open(at: folder.path("copy.mdb"), options: .forTests())
    #expect(try content(copy) == content(environment))
  }

  /// A file may be shorter than its count of pages, and so is its copy.
  @Test func aCopyOfAFileThatIsShorterThanItsCountIsReadable() throws {
    let environment = try filled(rows: 10)
    try environment.takeAndGiveBackPages()
    #expect(try environment.core.growth.usage.usedBytes > environment.core.file.size)
    try environment.copy(to: folder.path("copy.mdb"))
    let copy = try Environment.open(at: folder.path("copy.mdb"), options: .forTests())
    #expect(try content(copy) == content(environment))
  }

  @Test func compactingPutsASmallerFileOfTheSameRowsInPlace() throws {
    var rows: [[[UInt8]]] = []
    var before = 0
    do {
      let environment = try filled(rows: 5_000)
      try environment.write { transaction in
        let database = try transaction.openDatabase(named: "d")
        try transaction.deleteRange(.prefix("key 1".bytes), in: database)
      }
      rows = try content(environment)
      before = try environment.fileBytes
      let error = lmdbError { try Environment.compact(at: folder.path(), options: .forTests()) }
      #expect(error?.code == .busy)
    }
    let mode = [FileAttributeKey.posixPermissions: 0o640]
    try FileManager.default.setAttributes(mode, ofItemAtPath: folder.path())
    try Environment.compact(at: folder.path(), options: .forTests())
    let environment = try Environment.open(at: folder.path(), options: .forTests())
    #expect(try environment.fileBytes < before)
    #expect(try content(environment) == rows)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path())
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(try folder.files == ["data.mdb", "data.mdb-lock"])
  }

  @Test func aFileThatAnotherProcessHasOpenIsNotCompacted() async throws {
    let environment = try filled()
    await #expect(processExitsWith: .success) { [path = environment.path as String] in
      let error = lmdbError { try Environment.compact(at: path, options: .forTests()) }
      try #require(error?.code == .busy)
    }
    #expect(try content(environment).count == 500)
  }

  /// Each opening waits for the compaction or is waited for, and no commit gets lost.
  @Test func compactingWhileAnotherProcessOpensAndWritesLosesNothing() async throws {
    _ = try filled(rows: 1)
    let path = folder.path()
    async let writing = #expect(processExitsWith: .success) { [path = path as String] in
      for round in 0..<60 {
        let environment = try Environment.open(
          at: path, options: .forTests { $0.writerTimeout = .seconds(10) })
        try environment.write { transaction in
          let database = try transaction.openDatabase(named: "d")
          try transaction.put("value", at: "row \(round)", in: database)
        }
      }
    }
    var compactions = 0
    for _ in 0..<120 {
      let error = lmdbError { try Environment.compact(at: path, options: .forTests()) }
      if error == nil { compactions += 1 } else { #expect(error?.code == .busy) }
      await Task.yield()
    }
    _ = await writing
    let environment = try Environment.open(at: path, options: .forTests())
    #expect(try content(environment).count == 61, "\(compactions) compactions")
    // The first ones come before the other process has started.
    #expect(compactions > 0)
  }

  #if os(Linux)
    // The C library opens a file that it only reads before it waits for the lock table, so that
    // it kept the file that the compaction had taken the name from, and saw no later commit. An
    // opening now waits before the C library does, and checks which file it got.
    @Test func aReaderThatWaitsForACompactionReadsTheNewFile() async throws {
      _ = try filled(rows: 1)
      let (path, new, go) = (folder.path(), folder.path("new.mdb"), folder.path("go"))
      try filled("other.mdb", rows: 1).copy(to: new)
      // A thread does what a compaction does. The reader waits for it, and a process that is awaited
      // keeps one of the few threads that run tests.
      let compaction = OtherThread { begun in
        // Whatever fails here, the other process must continue, since it is awaited.
        defer { #expect(throws: Never.self) { try Signal(at: go).give() } }
        do {
          let file = try DataFile(openingAt: path, .forTests())
          let exclusiveLock = try ExclusiveFileLock(of: file, .forTests())
          begun()
          Self.awaitSomebody(having: path + "-lock")
          #expect(rename(new, path) == 0)
          try EnvironmentHandle.open(path, .forTests()).close()
          withExtendedLifetime(exclusiveLock) {}
        }
        let environment = try Environment.open(at: path, options: .forTests())
        try environment.write { transaction in
          let database = try transaction.openDatabase(named: "d")
          try transaction.put("value", at: "later", in: database)
        }
      }
      await #expect(processExitsWith: .success) { [path = path as String, go = go as String] in
        let environment = try Environment.open(
          at: path,
          options: .forTests {
            $0.isReadOnly = true
            $0.writerTimeout = .seconds(60)
          })
        try await Signal(at: go).awaited()
        try environment.read { transaction in
          let database = try #require(try transaction.database(named: "d"))
          let value = try transaction.text("later", in: database)
          try #require(value == "value")
        }
      }
      compaction.join()
    }

    /// Returns when another process has a file open, as one has that waits for a lock table.
    private static func awaitSomebody(having path: String) {
      let files = FileManager.default
      let end = ContinuousClock.now + .seconds(60)
      while ContinuousClock.now < end {
        // Other processes end meanwhile, and their descriptors with them.
        for process in (try? files.contentsOfDirectory(atPath: "/proc")) ?? []
        where Int32(process) != nil && process != "\(getpid())" {
          let folder = "/proc/\(process)/fd"
          let descriptors = (try? files.contentsOfDirectory(atPath: folder)) ?? []
          for descriptor in descriptors
          where (try? files.destinationOfSymbolicLink(atPath: "\(folder)/\(descriptor)")) == path {
            return
          }
        }
        sched_yield()
      }
      Issue.record("Nobody else opened \(path).")
    }
  #endif

  /// A process that waited to open a file uses its lock table; one of another file would mislead it.
  @Test func aCompactionThatDiesLeavesNoLockTableOfTheOldFile() async throws {
    _ = try filled()
    let path = folder.path()
    await #expect(processExitsWith: .exitCode(4)) { [path = path as String] in
      let file = try DataFile(openingAt: path, .forTests())
      let exclusiveLock = try ExclusiveFileLock(of: file, .forTests())
      try #require(exclusiveLock != nil)
      exit(4)
    }
    let lock = URL(filePath: path + "-lock")
    #expect(try Data(contentsOf: lock).isEmpty)
    let environment = try Environment.open(at: path, options: .forTests())
    #expect(try content(environment).count == 500)
    #expect(try !Data(contentsOf: lock).isEmpty)
  }

  @Test func aDamagedCopyIsFoundBeforeItTakesAPlace() throws {
    let environment = try filled()
    let other = try filled("other.mdb", rows: 499)
    for (path, isSame) in [(environment.path, true), (other.path, false)] {
      let file = try DataFile(openingAt: environment.path, environment.options)
      let source = try EnvironmentHandle.openAlone(file, environment.options)
      defer { source.close() }
      let original = try CommitPages(lastOf: file, source)
      let error = lmdbError {
        try CopyVerifier.check(path, against: original, environment.options)
      }
      #expect(error?.code == (isSame ? nil : .corrupted))
    }
  }

  #if DEBUG
    @Test(arguments: [LMDBError.Code.outOfSpace, .inputOutput, .incompatible])
    func aFailedCopyLeavesNothingAndAFailedCompactionTheFile(_ code: LMDBError.Code) throws {
      for call in 1... {
        let bytes: Data
        let copying = FaultPlan(failingCall: call, with: code)
        do {
          let environment = try filled(rows: 20)
          bytes = try Data(contentsOf: URL(filePath: environment.path))
          let error = lmdbError {
            try FaultPlan.$current.withValue(copying) {
              try environment.copy(to: folder.path("copy.mdb"), isCompacting: true)
            }
          }
          #expect(try folder.files.contains("copy.mdb") == (error == nil), "call \(call)")
        }
        let plan = FaultPlan(failingCall: call, with: code)
        let error = lmdbError {
          try FaultPlan.$current.withValue(plan) {
            try Environment.compact(at: folder.path(), options: .forTests())
          }
        }
        if error != nil, try Data(contentsOf: URL(filePath: folder.path())) != bytes {
          // Only a call after the file was replaced may have failed.
          #expect(plan.failedFunction == "synchronize(_:)" || error?.operation == .open)
        }
        // A draft that could not be removed stays; its name tells what it is.
        if ![copying, plan].contains(where: { $0.failedFunction == "remove(_:)" }) {
          #expect(!(try folder.files.contains { $0.contains("draft") }), "call \(call)")
        }
        let environment = try Environment.open(at: folder.path(), options: .forTests())
        #expect(try content(environment).count == 20)
        guard plan.hasFailedCall else { break }
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
          .forEach { try FileManager.default.removeItem(atPath: folder.path($0)) }
      }
    }
  #endif
}
