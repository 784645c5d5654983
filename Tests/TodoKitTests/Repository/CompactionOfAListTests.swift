import Foundation
import LMDB
import TestSupport
import Testing
@testable import TodoKit
import TodoTestSupport

/// A list of which most is free gives the room back.
@Suite struct CompactionOfAListTests {
  /// A list of 77 MB had 181 after its items were deleted and brought back, and kept them.
  @Test func aLargeFileOfWhichMostIsFreeIsCompactedWhenItIsOpened() throws {
    let folder = TemporaryFolder()
    let path = folder.path(to: "todo.croft")
    func open() throws -> CroftTodoRepository {
      try CroftTodoRepository(path: path, limits: HistoryLimits(commands: 0))
    }
    func bytes() throws -> Int { try Data(contentsOf: URL(filePath: path)).count }
    let title = String(repeating: "a", count: 1 << 20)
    func fill(_ count: Int) throws -> Int {
      let repository = try open()
      try repository.perform(.add((1...count).map { .numbered($0, title: title) }))
      try repository.perform(.deleteItems(ids: (2...count).map { TodoItem.numbered($0).id }))
      return try bytes()
    }
    // Of 40 MB little is gained.
    let small = try fill(40)
    _ = try open()
    #expect(try bytes() >= small)
    try open().perform(.deleteAll(in: .all))
    let large = try fill(80)
    #expect(large > 80 << 20)
    #if DEBUG
      // Where the file cannot be made smaller, the list opens all the same.
      for call in [1, 4, 9, 16, 30] {
        let plan = FaultPlan(failingCall: call, with: .outOfSpace)
        let opened = FaultPlan.$current.withValue(plan) { Result { try open() } }
        #expect(try opened.get().items(.all).map(\.title) == [title], "call \(call)")
        if try bytes() < large { break }
      }
    #endif
    let repository = try open()
    #expect(try bytes() < 4 << 20)
    #expect(try repository.items(.all).map(\.title) == [title])
  }
}
