import Foundation
import Testing
import TodoKit
import TodoTestSupport

@Suite("CroftTodoRepository")
struct CroftTodoRepositoryTests {
  @Test func itemsAreThereAfterReopening() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(to: "todo.croft")
    do {
      let repository = try CroftTodoRepository(path: path, now: { .noted })
      for number in 1...3 { try repository.perform(.add(.numbered(number))) }
      try repository.perform(.setDone([.numbered(2)], true))
      try repository.perform(.delete([.numbered(3)]))
    }
    let reopened = try CroftTodoRepository(path: path)
    #expect(try reopened.items(.all) == [.numbered(1), .numbered(2, isDone: true)])
  }

  @Test func missingFoldersAreMadeForTheOwnerAlone() throws {
    let folder = try TemporaryFolder()
    let repository = try CroftTodoRepository(path: folder.path(to: "a/b/todo.croft"))
    try repository.perform(.add(.numbered(1)))
    #expect(try repository.items(.all) == [.numbered(1)])
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(to: "a/b"))
    #expect(attributes[.posixPermissions] as? Int == 0o700)
  }

  @Test func aFolderThatCannotBeMadeIsNamedWithTheReason() throws {
    let folder = try TemporaryFolder()
    let obstacle = folder.path(to: "file")
    try Data("no folder".utf8).write(to: URL(filePath: obstacle))
    let error = #expect(throws: TodoError.self) {
      try CroftTodoRepository(path: "\(obstacle)/todo.croft")
    }
    guard case .folder(obstacle, _) = error else {
      Issue.record("unexpected error: \(String(describing: error))")
      return
    }
    #expect(
      error.map { "\($0)" }
        == "The folder cannot be made: \(obstacle) (a file stands in its place)")
  }

  @Test func aFileThatIsNoStoreIsRefusedAndLeftAsItIs() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(to: "notes.txt")
    let text = Data("these are my notes, not a store\n".utf8)
    try text.write(to: URL(filePath: path))
    let error = #expect(throws: TodoError.self) { try CroftTodoRepository(path: path) }
    guard case .storage = error else {
      Issue.record("unexpected error: \(String(describing: error))")
      return
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == text)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["notes.txt"])
  }

  @Test func twoRepositoriesOnOneFileSeeEachOthersItems() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(to: "todo.croft")
    let one = try CroftTodoRepository(path: path)
    let other = try CroftTodoRepository(path: path)
    try one.perform(.add(.numbered(1)))
    #expect(try other.items(.all) == [.numbered(1)])
  }

  @Test func aCancelledTaskStoresNothing() async throws {
    let folder = try TemporaryFolder()
    let repository = try CroftTodoRepository(path: folder.path(to: "todo.croft"))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await repository.perform(.add(.numbered(1)))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await repository.items(.all) == [])
  }
}
