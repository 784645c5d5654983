import Foundation
@testable import LMDB
import Testing
import TestSupport

@Suite struct MapGrowthTests {
  let folder = TemporaryFolder()
  static let small = Environment.Options.forTests { $0.mapSizeBytes = 256 << 10 }
  let environment: Environment

  init() throws {
    environment = try Environment.open(at: folder.path(), options: Self.small)
  }

  /// Adds rows that take about a page each.
  private static func add(_ count: Int, from first: Int = 0, to environment: Environment) throws {
    try environment.write { transaction in
      let database = try transaction.openDatabase(named: "d")
      let value = [UInt8](repeating: 7, count: 3_000)
      for row in first..<first + count {
        try transaction.put(value.span.bytes, at: "\(row)".bytes.span.bytes, in: database)
      }
    }
  }

  private static func count(in environment: Environment) throws -> Int {
    try environment.read { transaction in
      guard let database = try transaction.database(named: "d") else { return 0 }
      return try transaction.count(of: database)
    }
  }

  @Test func theMapGrowsAheadOfNeed() throws {
    // Each transaction fits; all of them together are ten times the map.
    for step in 0..<80 { try Self.add(8, from: step * 8, to: environment) }
    #expect(try Self.count(in: environment) == 640)
    #expect(environment.mapSizeBytes >= 2 << 20)
  }

  @Test func aTransactionThatDoesNotFitLeavesNothingAndFitsLater() throws {
    let error = lmdbError { try Self.add(100, to: environment) }
    #expect(error?.code == .mapFull)
    #expect(error?.isRetryable == true)
    #expect(try Self.count(in: environment) == 0)
    #expect(environment.mapSizeBytes >= 512 << 10)
    try Self.add(100, to: environment)
    #expect(try Self.count(in: environment) == 100)
  }

  @Test func aClosureThatGoesOnAfterAFullMapCannotCommit() throws {
    let error = lmdbError {
      try environment.write { transaction in
        let database = try transaction.openDatabase(named: "d")
        let value = [UInt8](repeating: 7, count: 3_000)
        for row in 0..<100 {
          do {
            try transaction.put(value.span.bytes, at: "\(row)".bytes.span.bytes, in: database)
          } catch {
            let again = lmdbError {
              try transaction.put("value", at: "key", in: database)
            }
            #expect(again?.code == .badTransaction)
            return
          }
        }
      }
    }
    #expect(error?.code == .mapFull)
    #expect(try Self.count(in: environment) == 0)
    try Self.add(100, to: environment)
  }

  @Test func aSnapshotThatKeepsTheMapFromGrowingIsNamed() throws {
    var snapshot: Snapshot? = try environment.snapshot(named: "nightly export")
    let error = lmdbError { try Self.add(100, to: environment) }
    #expect(error?.code == .mapFull)
    #expect(error?.description.contains("nightly export") == true)
    #expect(environment.mapSizeBytes == 256 << 10)
    #expect(try snapshot?.read { try $0.isEmpty() } == true)
    // Once it is gone, the next writer finds the map enlarged.
    snapshot = nil
    try Self.add(100, to: environment)
    #expect(try Self.count(in: environment) == 100)
  }

  @Test func growthWaitsForAShortRead() throws {
    let reader = HeldTransaction.reading(environment)
    // It gives up after its timeout, and the transaction is retried when the reader is gone.
    #expect(throws: LMDBError.self) { try Self.add(100, to: environment) }
    #expect(environment.mapSizeBytes == 256 << 10)
    reader.end()
    try Self.add(100, to: environment)
    #expect(environment.mapSizeBytes >= 512 << 10)
  }

  @Test func readingInsideAWriteDoesNotKeepTheWriterWaitingForEver() throws {
    try environment.read { transaction in
      let error = lmdbError { try Self.add(100, to: environment) }
      #expect(error?.code == .mapFull)
      let isEmpty = try transaction.isEmpty()
      #expect(isEmpty)
    }
    try Self.add(100, to: environment)
  }

  @Test func growthOfAnotherProcessIsAdoptedByAReader() async throws {
    try Self.add(1, to: environment)
    await growElsewhere()
    #expect(try Self.count(in: environment) == 400)
    #expect(environment.mapSizeBytes > 1 << 20)
  }

  @Test func growthOfAnotherProcessIsAdoptedByAWriter() async throws {
    await growElsewhere()
    try Self.add(1, from: 1_000, to: environment)
    #expect(try Self.count(in: environment) == 401)
  }

  @Test func adoptionNamesTheSnapshotInItsWay() async throws {
    try Self.add(1, to: environment)
    var snapshot: Snapshot? = try environment.snapshot(named: "audit")
    await growElsewhere()
    for work in [{ _ = try Self.count(in: environment) }, { try Self.add(1, to: environment) }] {
      let error = lmdbError { try work() }
      #expect(error?.code == .mapResized)
      #expect(error?.description.contains("audit") == true)
    }
    #expect(try snapshot?.read { try $0.database(named: "d") != nil } == true)
    snapshot = nil
    #expect(try Self.count(in: environment) == 400)
  }

  /// Each thread that had met the growth doubled the map once more, so that n of them made it
  /// 2^n times as large.
  @Test func adoptionByManyAtOnceDoublesTheMapOnce() async throws {
    try Self.add(1, to: environment)
    await growElsewhere()
    for _ in 0..<16 { try environment.core.growth.adopt(for: .beginRead) }
    #expect(environment.mapSizeBytes <= 8 << 20)
    #expect(try Self.count(in: environment) == 400)
  }

  /// The thread that moved the map waited for the writer, and the ending writer for that thread, until
  /// the timeout was over.
  @Test func aWriterEndsWhileTheMapIsAboutToMove() throws {
    let pool = ReaderPool(slots: 512)
    pool.beginWriting()
    let ended = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var obstacle: ReaderPool.Obstacle?
    Thread.detachNewThread {
      unsafe obstacle = pool.withNoTransaction(timeout: .seconds(5)) {}
      ended.signal()
    }
    while !pool.isMapMoving { sched_yield() }
    pool.endWriting()
    ended.wait()
    #expect(unsafe obstacle == nil)
  }

  /// The map moved under a snapshot that began as a read before the move.
  @Test func aReadThatBecomesASnapshotKeepsTheMapWhereItIs() throws {
    let pool = ReaderPool(slots: 512)
    _ = pool.beginShortRead()
    let ended = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var obstacle: ReaderPool.Obstacle?
    nonisolated(unsafe) var hasMoved = false
    Thread.detachNewThread {
      unsafe obstacle = pool.withNoTransaction(timeout: .seconds(3_600)) { unsafe hasMoved = true }
      ended.signal()
    }
    while !pool.isMapMoving { sched_yield() }
    _ = pool.becomeSnapshot(named: "report")
    ended.wait()
    #expect(unsafe !hasMoved)
    #expect(unsafe obstacle.map { "\($0)".contains("report") } == true)
    #expect(!pool.isMapMoving)
  }

  private func growElsewhere() async {
    await #expect(processExitsWith: .success) { [path = folder.path() as String] in
      let environment = try Environment.open(at: path, options: Self.small)
      for step in 0..<50 { try Self.add(8, from: step * 8, to: environment) }
    }
  }

  @Test func aNestedTransactionThatDoesNotFitLeavesTheOuterOneAlone() throws {
    try environment.write { transaction in
      let database = try transaction.openDatabase(named: "d")
      try transaction.put("outer", at: "key", in: database)
      let error = lmdbError {
        try transaction.nested { transaction in
          let value = [UInt8](repeating: 7, count: 3_000)
          for row in 0..<100 {
            try transaction.put(value.span.bytes, at: "\(row)".bytes.span.bytes, in: database)
          }
        }
      }
      #expect(error?.code == .mapFull)
      #expect(try transaction.text("key", in: database) == "outer")
    }
    #expect(try Self.count(in: environment) == 1)
    #expect(environment.mapSizeBytes >= 512 << 10)
  }
}
