import Foundation
@testable import LMDB
import Testing
import TestSupport

@Suite struct EnvironmentTests {
  let folder = TemporaryFolder()

  private func open(_ change: (inout Environment.Options) -> Void = { _ in }) throws -> Environment
  {
    try Environment.open(at: folder.path(), options: .forTests(change))
  }

  @Test func aMissingFileIsCreatedForItsOwnerAlone() throws {
    let environment = try open()
    defer { withExtendedLifetime(environment) {} }
    for name in ["data.mdb", "data.mdb-lock"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
    #expect(try folder.files == ["data.mdb", "data.mdb-lock"])
  }

  /// A process that opened the file while another one grew it was told to try again.
  @Test func anOpeningAdoptsWhatAnotherProcessHasGrown() throws {
    try open().write { _ = try $0.openDatabase(named: "d") }
    var adopted = 0
    for call in 1... {
      let plan = FaultPlan(failingCall: call, with: .mapResized)
      let opened = Result { try FaultPlan.$current.withValue(plan) { try open() } }
      guard plan.hasFailedCall else { break }
      guard plan.failedFunction == "begin(parent:isReadOnly:)" else { continue }
      #expect(try opened.get().read { try $0.database(named: "d") } != nil, "call \(call)")
      adopted += 1
    }
    #expect(adopted > 1)
  }

  @Test func theFileModeIsAnOption() throws {
    let environment = try open { $0.fileMode = 0o640 }
    defer { withExtendedLifetime(environment) {} }
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path())
    #expect(attributes[.posixPermissions] as? Int == 0o640)
  }

  @Test func openingAFileTwiceSharesItWhateverThePath() throws {
    let first = try open()
    let link = folder.path("link.mdb")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path())
    let second = try Environment.open(at: link, options: .forTests())
    // A second environment of the C library would let this thread write inside the write.
    #expect(throws: LMDBError.self) {
      try first.write { _ in try second.write { _ in } }
    }
    #expect(first.path == second.path)
    #expect(try !folder.files.contains("link.mdb-lock"))
  }

  @Test func openingAFileTwiceWithOtherOptionsIsRefused() throws {
    let first = try open()
    defer { withExtendedLifetime(first) {} }
    let error = lmdbError { _ = try open { $0.durability = .full } }
    #expect(error?.code == .optionsDiffer)
  }

  @Test func theLastToLetGoClosesTheFile() throws {
    var first: Environment? = try open()
    var second: Environment? = try open()
    first = nil
    try second?.write { _ in }
    second = nil
    // Other options would be refused if the file were open still.
    let third = try open { $0.maxReaders = 7 }
    #expect(third.options.maxReaders == 7)
    #expect(first == nil && second == nil)
  }

  @Test func aTransactionKeepsItsEnvironmentOpen() throws {
    var environment: Environment? = try open()
    let transaction = try LMDB.ReadTransaction(beginningIn: try #require(environment))
    environment = nil
    #expect(try transaction.isEmpty())
  }

  @Test(arguments: [Environment.Durability.full, .relaxed, .unsafe])
  func whatIsCommittedOutlivesTheEnvironment(_ durability: Environment.Durability) throws {
    do {
      let environment = try open { $0.durability = durability }
      try environment.write { transaction in
        let database = try transaction.openDatabase(named: "d")
        try transaction.put("value", at: "key", in: database)
      }
    }
    let environment = try open { $0.durability = durability }
    try environment.read { transaction in
      let database = try #require(try transaction.database(named: "d"))
      #expect(try transaction.text("key", in: database) == "value")
    }
  }

  @Test func aReadOnlyEnvironmentReadsAndRefusesWrites() throws {
    do {
      let environment = try open()
      try environment.write { _ = try $0.openDatabase(named: "d") }
    }
    let environment = try open { $0.isReadOnly = true }
    try environment.read { transaction in
      let database = try transaction.database(named: "d")
      #expect(database != nil)
    }
    let error = lmdbError { try environment.write { _ in } }
    #expect(error?.code == .readOnly)
  }

  @Test func aReadOnlyEnvironmentCreatesNothing() throws {
    let error = lmdbError { _ = try open { $0.isReadOnly = true } }
    #expect(error?.code == .noSuchFile)
    #expect(try folder.files.isEmpty)
  }

  @Test func aMissingFolderIsNamed() throws {
    let path = folder.path("missing/data.mdb")
    let error = lmdbError { _ = try Environment.open(at: path) }
    #expect(error?.code == .noSuchFile)
    #expect(error?.description.contains(path) == true)
  }

  @Test func aFolderIsNoFile() throws {
    for isReadOnly in [false, true] {
      let error = lmdbError {
        var options = Environment.Options()
        options.isReadOnly = isReadOnly
        _ = try Environment.open(at: folder.url.path, options: options)
      }
      #expect(error?.code == .isDirectory)
    }
  }

  @Test func aPipeIsNoFile() throws {
    let path = folder.path("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let error = lmdbError { _ = try Environment.open(at: path) }
    #expect(error?.code == .notAnEnvironment)
  }

  @Test func aFolderWithoutPermissionIsRefused() async throws {
    let path = folder.path()
    await #expect(processExitsWith: .success) { [path = path as String] in
      // Root may do anything, so the child becomes nobody.
      guard setuid(65534) == 0 || geteuid() != 0 else { return }
      let error = lmdbError { _ = try Environment.open(at: path) }
      #expect(error?.code == .noPermission)
    }
    #expect(try folder.files.isEmpty)
  }

  #if os(Linux)
    @Test func theMapIsHalvedUntilTheAddressSpaceSuffices() async throws {
      let path = folder.path()
      await #expect(processExitsWith: .success) { [path = path as String] in
        var limit = rlimit(rlim_cur: 16 << 30, rlim_max: 16 << 30)
        #expect(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
        let environment = try Environment.open(at: path)
        #expect(environment.options.mapSizeBytes == 64 << 30)
        #expect((1 << 30...16 << 30).contains(environment.mapSizeBytes))
        try environment.write { _ = try $0.openDatabase(named: "d") }
      }
    }
  #endif

  @Test func aChildOfAForkIsToldToOpenAgain() async throws {
    let path = folder.path()
    await #expect(processExitsWith: .success) { [path = path as String] in
      let environment = try Environment.open(at: path, options: .forTests())
      try environment.write { _ = try $0.openDatabase(named: "d") }
      let child = forkProcess()
      if child == 0 {
        var codes: Set<LMDBError.Code> = []
        do { try environment.read { _ in } } catch {
          codes.insert((error as? LMDBError)?.code ?? .panic)
        }
        do { try environment.write { _ in } } catch {
          codes.insert((error as? LMDBError)?.code ?? .panic)
        }
        let isSeen = try Environment.open(at: path, options: .forTests())
          .read { try $0.database(named: "d") != nil }
        _exit(codes == [.forked] && isSeen ? 0 : 1)
      }
      var status: Int32 = 0
      #expect(waitpid(child, &status, 0) == child)
      #expect(status == 0)
      try environment.write { _ in }
    }
  }

  /// A child that came back out of the closure committed its parent's transaction, and let the
  /// parent's lock go.
  @Test func aChildOfAForkInsideAWriteCommitsNothing() async throws {
    let path = folder.path()
    await #expect(processExitsWith: .success) { [path = path as String] in
      let environment = try Environment.open(at: path, options: .forTests())
      var child: pid_t = -1
      do {
        try environment.write { transaction in
          let database = try transaction.openDatabase(named: "d")
          try transaction.put("parent", at: "key", in: database)
          child = forkProcess()
          if child == 0 {
            try transaction.put("child", at: "key", in: database)
            let nesting = lmdbError { try transaction.nested { _ in } }
            if nesting?.code != .forked { _exit(2) }
            return
          }
          var status: Int32 = 0
          try #require(waitpid(child, &status, 0) == child)
          try #require(status == 0)
          // The child has changed nothing, and the parent still holds the writer's lock.
          let isEmpty = try environment.read { try $0.isEmpty() }
          try #require(isEmpty)
          let other = WriterLock(try DataFile(openingAt: path, .forTests()))
          let refusal = lmdbError { try other.acquire(within: .zero) }
          try #require(refusal?.code == .busy)
        }
      } catch {
        if child == 0 { _exit((error as? LMDBError)?.code == .forked ? 0 : 1) }
        throw error
      }
      if child == 0 { _exit(3) }
      let value = try environment.read { transaction in
        try transaction.text("key", in: #require(try transaction.database(named: "d")))
      }
      try #require(value == "parent")
    }
  }
}

@_silgen_name("fork") private func forkProcess() -> pid_t
