import Foundation
import LMDB
import Synchronization
import TestSupport
import Testing
@testable import TodoKit
import TodoTestSupport

/// A list of which most is free gives the room back.
@Suite struct CompactionOfAListTests {
  /// A list of 77 MB had 181 after its items were deleted and brought back, and kept them.
  @Test func aLargeFileOfWhichMostIsFreeIsCompactedWhenItIsOpened() async throws {
    let folder = TemporaryFolder()
    let path = folder.path(to: "todo.croft")
    let notices = Synchronization.Mutex<[RepositoryNotice]>([])
    func open() throws -> CroftTodoRepository {
      try CroftTodoRepository(
        path: path, limits: HistoryLimits(commands: 0),
        onNotice: { notice in notices.withLock { $0.append(notice) } })
    }
    func bytes() throws -> Int { try Data(contentsOf: URL(filePath: path)).count }
    let title = String(repeating: "a", count: 1 << 20)
    func filled(_ count: Int) throws -> CroftTodoRepository {
      let repository = try open()
      try repository.perform(.add((1...count).map { .numbered($0, title: title) }))
      try repository.perform(.deleteItems(ids: (2...count).map { TodoItem.numbered($0).id }))
      return repository
    }
    // Of 40 MB little is gained.
    _ = try filled(40)
    let small = try bytes()
    _ = try open()
    #expect(try bytes() >= small)
    try perform(.deleteAll(in: .all), in: open())
    let large = try await leftAloneWhileOpen(filled(80), path)
    #expect(large > 80 << 20)
    #if DEBUG
      // Where the file cannot be made smaller, the list opens all the same.
      for call in [1, 4, 9, 16, 30] {
        let plan = FaultPlan(failingCall: call, with: .outOfSpace)
        let opened = FaultPlan.$current.withValue(plan) { Result { try open() } }
        #expect(try opened.get().items(.all).map(\.title) == [title], "call \(call)")
        let isCompacted = try bytes() < large
        let told = notices.withLock { $0.isEmpty ? [] : [$0.removeLast()] }
        #expect(told == (isCompacted ? [] : [.notCompacted(path: path)]), "call \(call)")
        if isCompacted { break }
      }
    #endif
    let repository = try open()
    #expect(try bytes() < 4 << 20)
    #expect(notices.withLock { $0 } == [])
    #expect(try repository.items(.all).map(\.title) == [title])
  }
  /// Opens a list in another process, which changes it and must not replace its file; returns the bytes of that.
  private func leftAloneWhileOpen(
    _ repository: CroftTodoRepository, _ path: String
  ) async throws -> Int {
    let large = try Data(contentsOf: URL(filePath: path)).count
    await #expect(processExitsWith: .success) { [path = path as String] in
      let notices = Synchronization.Mutex(0)
      let other = try CroftTodoRepository(
        path: path, onNotice: { _ in notices.withLock { $0 += 1 } })
      try await other.perform(.add(.numbered(500)))
      #expect(notices.withLock { $0 } == 0)
    }
    #expect(try Data(contentsOf: URL(filePath: path)).count >= large)
    #expect(try Set(repository.items(.all).map(\.id)) == [.numbered(500), .numbered(1)])
    try perform(.deleteItems(ids: [.numbered(500)]), in: repository)
    return large
  }

  /// Performs a command on this thread: after the asynchronous form a queue may keep the list open for a moment, and
  /// a list that is open is not compacted.
  private func perform(_ command: TodoCommand, in repository: CroftTodoRepository) throws {
    try repository.perform(command)
  }
}
