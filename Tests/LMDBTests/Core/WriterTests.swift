import Foundation
import LMDB
import Testing
import TestSupport

@Suite struct WriterTests {
  let folder = TemporaryFolder()
  let environment: Environment

  init() throws {
    environment = try Environment.open(at: folder.path(), options: .forTests())
  }

  @Test func writingInsideAWriteIsAnErrorAndNoDeadlock() throws {
    try environment.write { transaction in
      let database = try transaction.openDatabase(named: "d")
      let error = lmdbError { try environment.write { _ in } }
      #expect(error?.code == .writeInsideWrite)
      try transaction.put("still", at: "usable", in: database)
    }
    try environment.write { _ in }
  }

  @Test func waitingForAWriterOfTheProcessEnds() throws {
    let writer = HeldTransaction.writing(environment)
    let error = lmdbError { try environment.write { _ in } }
    #expect(error?.code == .busy)
    #expect(error?.isRetryable == true)
    writer.end()
    try environment.write { _ in }
  }

  @Test func waitingForAWriterOfAnotherProcessEnds() async throws {
    let writer = HeldTransaction.writing(environment)
    await #expect(processExitsWith: .success) { [path = folder.path() as String] in
      let environment = try Environment.open(at: path, options: .forTests())
      let error = lmdbError { try environment.write { _ in } }
      #expect(error?.code == .busy)
      _ = try environment.read { try $0.isEmpty() }
    }
    writer.end()
    await #expect(processExitsWith: .success) { [path = folder.path() as String] in
      let environment = try Environment.open(at: path, options: .forTests())
      try environment.write { _ = try $0.openDatabase(named: "d") }
    }
    #expect(try environment.read { try $0.database(named: "d") != nil })
  }

  @Test func aWriterThatDiesLeavesThePlaceToOthers() async throws {
    await #expect(processExitsWith: .exitCode(3)) { [path = folder.path() as String] in
      let environment = try Environment.open(at: path, options: .forTests())
      try environment.write { transaction in
        _ = try transaction.openDatabase(named: "d")
        exit(3)
      }
    }
    try environment.write { transaction in
      let database = try transaction.database(named: "d")
      #expect(database == nil)
    }
  }

  #if os(Linux)
    /// A child that runs on after its parent's end would keep other writers out.
    @Test func aStartedProgramDoesNotInheritTheLock() throws {
      let (ours, childs) = try environment.write { _ in
        // The system lists the locks of each open file.
        let pipe = try #require(
          popen("cat /proc/\(getpid())/fdinfo/*; echo END; cat /proc/self/fdinfo/*", "r"))
        defer { pclose(pipe) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, pipe)
        let parts = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "END\n")
        return (parts.first.map(String.init), parts.last.map(String.init))
      }
      let lock = "FLOCK  ADVISORY  WRITE \(getpid())"
      #expect(ours?.contains(lock) == true)
      #expect(childs?.isEmpty == false)
      #expect(childs?.contains(lock) == false)
    }
  #endif

  /// One that asked again and again kept the others out until they gave up.
  @Test func writersOfAProcessTakeTurnsInTheOrderTheyAsked() throws {
    let environment = try Environment.open(
      at: folder.path("turns.mdb"), options: .forTests { $0.writerTimeout = .seconds(60) })
    let order = Order()
    try environment.write { _ in
      for number in 1...5 {
        Thread.detachNewThread {
          do {
            try environment.write { _ in order.add(number) }
          } catch {
            Issue.record(error)
          }
        }
        while environment.waitingWriterCount < number { sched_yield() }
      }
    }
    try environment.write { _ in order.add(6) }
    #expect(order.all == [1, 2, 3, 4, 5, 6])
  }

  @Test func oneThatGaveUpWaitingKeepsNobodyOut() throws {
    let writer = HeldTransaction.writing(environment)
    for _ in 0..<3 {
      let error = lmdbError { try environment.write { _ in } }
      #expect(error?.code == .busy)
    }
    #expect(environment.waitingWriterCount == 0)
    writer.end()
    try environment.write { _ in }
  }

  @Test func readersGoOnWhileAWriterIsAtWork() throws {
    let writer = HeldTransaction.writing(environment)
    #expect(try environment.read { try $0.isEmpty() })
    writer.end()
  }

  @Test func endingAWriteOnAnotherThreadTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [path = folder.path() as String] in
      let environment = try Environment.open(at: path, options: .forTests())
      let carrier = Carrier(try LMDB.WriteTransaction(beginningIn: environment))
      let thread = Thread { carrier.abort() }
      thread.start()
      while !thread.isFinished { sched_yield() }
    }
    #expect(result.says("ends on the thread that began it"))
  }
}

/// Takes a transaction to another thread, which the compiler would rather not see.
private final class Carrier: @unchecked Sendable {
  // Used by one thread after the other.
  private var transaction: WriteTransaction?

  init(_ transaction: consuming WriteTransaction) { self.transaction = consume transaction }

  func abort() {
    transaction.take()?.abort()
  }
}

/// Keeps numbers in the order that threads add them.
private final class Order: @unchecked Sendable {
  // Protected by `lock`.
  private var numbers: [Int] = []
  private let lock = NSLock()

  var all: [Int] { lock.withLock { numbers } }

  func add(_ number: Int) { lock.withLock { numbers.append(number) } }
}
