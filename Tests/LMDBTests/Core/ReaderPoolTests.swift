import Foundation
@testable import LMDB
import Synchronization
import Testing
import TestSupport

/// The reader slots of the lock table, which all processes share.
@Suite struct ReaderPoolTests {
  let folder = TemporaryFolder()
  let environment: Environment

  init() throws {
    environment = try Environment.open(at: folder.path(), options: .forTests())
  }

  /// Writes the same rows again, as the commit of a number.
  private static func rewrite(
    _ environment: Environment, round: Int, rows: Int = 1_000
  ) throws {
    try environment.write { transaction in
      let database = try transaction.openDatabase(named: "d")
      let value = String(repeating: "v", count: 60) + "\(round)"
      for row in 0..<rows { try transaction.put(value, at: "\(row)", in: database) }
    }
  }

  private var readingProcesses: Set<Int> {
    get throws {
      Set(try environment.read { try $0.fileStatistics() }.readers.map(\.process))
    }
  }

  /// A process that dies inside two snapshots and a read.
  private func dieWhileReading() async {
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path() as String] in
      let environment = try Environment.open(at: path, options: .forTests())
      let snapshots = try ["a", "b"].map { try environment.snapshot(named: $0) }
      try environment.read { _ in _ = kill(getpid(), SIGKILL) }
      withExtendedLifetime(snapshots) {}
    }
  }

  /// The slot of a process that was killed inside a read was kept until the map was full:
  /// 200 rewrites of 1,000 rows made 15.5 MB of 1.3.
  @Test func aProcessThatDiedInsideASnapshotPinsNoPagesForLong() async throws {
    try Self.rewrite(environment, round: 0)
    await dieWhileReading()
    #expect(try readingProcesses.count == 1)
    for round in 0..<20 { try Self.rewrite(environment, round: round) }
    let first = try environment.fileBytes
    for round in 0..<250 { try Self.rewrite(environment, round: round) }
    #expect(try environment.fileBytes < first * 3)
    #expect(try readingProcesses == [])
  }

  @Test func theDeadAreToldFromTheLivingBesideThem() async throws {
    try Self.rewrite(environment, round: 7)
    let snapshot = try environment.snapshot(named: "here")
    let (path, ready, go) = (folder.path(), folder.path("ready"), folder.path("go"))
    async let living = #expect(processExitsWith: .success) {
      [path = path as String, ready = ready as String, go = go as String] in
      let environment = try Environment.open(at: path, options: .forTests())
      let snapshot = try environment.snapshot(named: "there")
      try Signal(at: ready).give()
      try await Signal(at: go).awaited()
      let value = try snapshot.read { transaction in
        try transaction.text("1", in: #require(try transaction.database(named: "d")))
      }
      try #require(value?.hasSuffix("v7") == true)
    }
    try await Signal(at: ready).awaited()
    for _ in 0..<3 { await dieWhileReading() }
    for round in 10..<300 { try Self.rewrite(environment, round: round, rows: 10) }
    let own = Int(getpid())
    let found = try readingProcesses
    #expect(found.contains(own) && found.count == 2)
    try Signal(at: go).give()
    _ = await living
    let value = try snapshot.read { transaction in
      try transaction.text("1", in: #require(try transaction.database(named: "d")))
    }
    #expect(value?.hasSuffix("v7") == true)
  }

  /// Few commits, each of many pages, must not add up to much either.
  @Test func aDeadReaderOfFewButLargeCommitsIsNoticedByTheGrowthOfTheFile() async throws {
    func rewriteAll(_ round: UInt8) throws {
      try environment.write { transaction in
        let database = try transaction.openDatabase(named: "d")
        let value = [UInt8](repeating: round, count: 3_000)
        for row in 0..<1_000 {
          try transaction.put(value.span.bytes, at: "\(row)".bytes.span.bytes, in: database)
        }
      }
    }
    try rewriteAll(0)
    try rewriteAll(1)
    let first = try environment.fileBytes
    await dieWhileReading()
    for round: UInt8 in 2..<12 { try rewriteAll(round) }
    #expect(try environment.fileBytes <= first * 3)
    #expect(try readingProcesses == [])
  }

  @Test func openingFreesThePlacesOfTheDead() async throws {
    try Self.rewrite(environment, round: 0)
    await dieWhileReading()
    await #expect(processExitsWith: .success) { [path = folder.path() as String] in
      let environment = try Environment.open(
        at: path, options: .forTests { $0.isReadOnly = true })
      let readers = try environment.read { try $0.fileStatistics() }.readers
      try #require(readers.isEmpty)
    }
    #expect(try readingProcesses == [])
  }

  /// Opening read before it freed anything: a process that died in as many reads as there are
  /// slots kept all others from opening the file, for as long as one process had it open.
  @Test func aTableFullOfTheDeadKeepsNobodyFromOpening() async throws {
    let small = TemporaryFolder()
    let options = Environment.Options.forTests { $0.maxReaders = 20 }
    let environment = try Environment.open(at: small.path(), options: options)
    try environment.write { _ = try $0.openDatabase(named: "d") }
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = small.path() as String] in
      let options = Environment.Options.forTests { $0.maxReaders = 20 }
      let environment = try Environment.open(at: path, options: options)
      var snapshots: [Snapshot] = []
      do {
        while true { snapshots.append(try environment.snapshot(named: "s")) }
      } catch LMDBError.Code.readersFull {}
      _ = kill(getpid(), SIGKILL)
    }
    await #expect(processExitsWith: .success) { [path = small.path() as String] in
      let options = Environment.Options.forTests { $0.maxReaders = 20 }
      let environment = try Environment.open(at: path, options: options)
      try environment.read { _ in }
    }
  }

  /// A read that found the table full was refused when another thread had just cleared the slots of
  /// the dead: it found none to clear, and did not look for room again.
  @Test func readsThatMeetWhileTheDeadAreClearedAllBegin() async throws {
    let small = TemporaryFolder()
    let options = Environment.Options.forTests { $0.maxReaders = 20 }
    let environment = try Environment.open(at: small.path(), options: options)
    try environment.write { _ = try $0.openDatabase(named: "d") }
    for _ in 0..<20 {
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = small.path() as String] in
        let options = Environment.Options.forTests { $0.maxReaders = 20 }
        let environment = try Environment.open(at: path, options: options)
        var snapshots: [Snapshot] = []
        do {
          while true { snapshots.append(try environment.snapshot(named: "s")) }
        } catch LMDBError.Code.readersFull {}
        _ = kill(getpid(), SIGKILL)
      }
      Threads.run(2) { _ in
        #expect(throws: Never.self) { try environment.read { _ in } }
      }
    }
  }

  /// Idle readers keep their slots, 64 of each process once: eight processes filled the table,
  /// and nothing can free what belongs to the living.
  @Test func readersThatRestLeaveRoomForOtherProcesses() async throws {
    let small = TemporaryFolder()
    let options = Environment.Options.forTests { $0.maxReaders = 20 }
    let environment = try Environment.open(at: small.path(), options: options)
    try environment.write { _ = try $0.openDatabase(named: "d") }
    let held = (0..<16).map { _ in HeldTransaction.reading(environment) }
    for reader in held { reader.end() }
    await #expect(processExitsWith: .success) { [path = small.path() as String] in
      let options = Environment.Options.forTests { $0.maxReaders = 20 }
      let environment = try Environment.open(at: path, options: options)
      let held = (0..<16).map { _ in HeldTransaction.reading(environment) }
      for reader in held { reader.end() }
    }
  }
}

/// A sign from one process to another: a file that is there, or not yet.
struct Signal: Sendable {
  private let path: String

  init(at path: String) { self.path = path }

  func give() throws { try Data().write(to: URL(filePath: path)) }

  /// Returns when the sign was given; the test's own time limit ends waiting in vain.
  func awaited() async throws {
    while !FileManager.default.fileExists(atPath: path) { await Task.yield() }
  }
}
