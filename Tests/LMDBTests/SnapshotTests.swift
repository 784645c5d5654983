import Foundation
import LMDB
import Testing
import TestSupport

@Suite struct SnapshotTests {
  let folder = TemporaryFolder()
  let environment: Environment

  init() throws {
    environment = try Environment.open(at: folder.path(), options: .forTests())
    try write("one")
  }

  private func write(_ value: String) throws {
    try environment.write { transaction in
      let database = try transaction.openDatabase(named: "d")
      try transaction.put(value, at: "key", in: database)
    }
  }

  private func value(_ transaction: inout ReadTransaction) throws -> String? {
    let database = try #require(try transaction.database(named: "d"))
    return try transaction.text("key", in: database)
  }

  @Test func aReadSeesOneCommitThroughout() throws {
    try environment.read { transaction in
      #expect(try value(&transaction) == "one")
      try write("two")
      #expect(try value(&transaction) == "one")
    }
    #expect(try environment.read { try value(&$0) } == "two")
  }

  @Test func aPooledReaderSeesTheLastCommit() throws {
    for round in 0..<100 {
      try write("\(round)")
      #expect(try environment.read { try value(&$0) } == "\(round)")
    }
  }

  @Test func aSnapshotStaysAsItIs() throws {
    let snapshot = try environment.snapshot(named: "report")
    try write("two")
    #expect(try snapshot.read { try value(&$0) } == "one")
    #expect(snapshot.name == "report")
    #expect(try environment.read { try value(&$0) } == "two")
    #expect(try snapshot.read { try value(&$0) } == "one")
  }

  @Test func aSnapshotDoesNotSeeLaterDatabases() throws {
    let snapshot = try environment.snapshot(named: "report")
    try environment.write { _ = try $0.openDatabase(named: "later") }
    #expect(try snapshot.read { try $0.database(named: "later") == nil })
    let later = try #require(try environment.read { try $0.database(named: "later") })
    let error = lmdbError {
      try snapshot.read { _ = try $0.text("key", in: later) }
    }
    #expect(error?.code == .badDatabase)
  }

  @Test func threadsShareASnapshot() async throws {
    let snapshot = try environment.snapshot(named: "shared")
    try write("two")
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<200 {
            let value = try snapshot.read { transaction in
              let database = try #require(try transaction.database(named: "d"))
              return try transaction.text("key", in: database)
            }
            guard value == "one" else { return false }
          }
          return true
        }
      }
      for try await isFrozen in group { #expect(isFrozen) }
    }
  }

  @Test func threadsReadWhileOthersWrite() async throws {
    let environment = environment
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<6 {
        group.addTask {
          for round in 0..<150 {
            if task == 0 {
              try environment.write { transaction in
                let database = try transaction.openDatabase(named: "d")
                for key in 0..<10 {
                  try transaction.put("\(round)", at: "row \(key)", in: database)
                }
              }
            } else {
              try environment.read { transaction in
                let database = try #require(try transaction.database(named: "d"))
                let rows = try transaction.rows(of: database, in: .prefix("row".bytes))
                #expect(Set(rows.map { $0[1] }).count <= 1)
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func tooManyReadersAreRefused() throws {
    let folder = TemporaryFolder()
    let environment = try Environment.open(
      at: folder.path(), options: .forTests { $0.maxReaders = 2 })
    let first = try environment.snapshot(named: "first")
    let second = try environment.snapshot(named: "second")
    let error = lmdbError { try environment.read { _ in } }
    #expect(error?.code == .readersFull)
    #expect(error?.isRetryable == true)
    withExtendedLifetime((first, second)) {}
  }

  @Test func thePlacesOfDeadReadersAreFreed() async throws {
    let folder = TemporaryFolder()
    let environment = try Environment.open(
      at: folder.path(), options: .forTests { $0.maxReaders = 2 })
    await #expect(processExitsWith: .exitCode(3)) { [path = folder.path() as String] in
      let environment = try Environment.open(
        at: path, options: .forTests { $0.maxReaders = 2 })
      let first = try environment.snapshot(named: "first")
      let second = try environment.snapshot(named: "second")
      withExtendedLifetime((first, second)) { exit(3) }
    }
    try environment.read { _ in }
  }
}
