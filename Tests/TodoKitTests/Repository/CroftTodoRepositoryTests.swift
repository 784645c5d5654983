import Croft
import Dispatch
import Foundation
import Presentation
import Reactive
import ReactiveTestSupport
import Testing
import TestSupport
import TodoKit
import TodoTestSupport

@Suite("CroftTodoRepository")
struct CroftTodoRepositoryTests {
  @Test func itemsAreThereAfterReopening() throws {
    let folder = TemporaryFolder()
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
    let folder = TemporaryFolder()
    let repository = try CroftTodoRepository(path: folder.path(to: "a/b/todo.croft"))
    try repository.perform(.add(.numbered(1)))
    #expect(try repository.items(.all) == [.numbered(1)])
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(to: "a/b"))
    #expect(attributes[.posixPermissions] as? Int == 0o700)
  }

  @Test func aFolderThatCannotBeMadeIsNamedWithTheReason() throws {
    let folder = TemporaryFolder()
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
        == "The folder cannot be made: \(obstacle) (a file with that name exists)")
  }

  @Test func aFileThatIsNoStoreIsRefusedAndLeftAsItIs() throws {
    let folder = TemporaryFolder()
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
    let folder = TemporaryFolder()
    let path = folder.path(to: "todo.croft")
    let one = try CroftTodoRepository(path: path)
    let other = try CroftTodoRepository(path: path)
    try one.perform(.add(.numbered(1)))
    #expect(try other.items(.all) == [.numbered(1)])
  }

  @Test func aCancelledTaskStoresNothing() async throws {
    let folder = TemporaryFolder()
    let repository = try CroftTodoRepository(path: folder.path(to: "todo.croft"))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await repository.perform(.add(.numbered(1)))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try repository.items(.all) == [])
  }

  @Test(.timeLimit(.minutes(1)))
  func whileAnotherWritesNoThreadIsBlockedAndReadsSeeTheLastCommit() async throws {
    let folder = TemporaryFolder()
    let path = folder.path(to: "todo.croft")
    let repository = try CroftTodoRepository(path: path, now: { .noted })
    try await repository.perform(.add(.numbered(1)))
    let store = try Store.open(
      at: URL(filePath: path), models: TodoItem.self, TodoGroup.self)
    let (hasBegun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let writer = Thread {
      do {
        try store.write { tx in
          _ = try tx.update(TodoItem.self, .numbered(1)) { $0.title = "not committed" }
          hasBegun.signal()
          mayEnd.wait()
        }
      } catch {
        Issue.record(error)
      }
    }
    writer.start()
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        hasBegun.wait()
        continuation.resume()
      }
    }
    // More writes than there are threads in the cooperative pool: each has to wait.
    let ended = Count()
    let writes = (2...40).map { number in
      Task {
        try await repository.perform(.add(.numbered(number)))
        await ended.add()
      }
    }
    // Another task runs meanwhile, and reads what was committed before.
    let titles = try await Task { try repository.items(.all).map(\.title) }.value
    #expect(titles == ["item 1"])
    #expect(try repository.tally(of: .all).total == 1)
    #expect(await ended.value == 0)
    mayEnd.signal()
    for write in writes { try await write.value }
    #expect(try repository.items(.all).count == 40)
    #expect(try repository.item(.numbered(1))?.title == "not committed")
  }

  @Test func eachScreenUsesTheRepositoryItWasGiven() throws {
    let repositories = try (0..<2).map { _ in try CroftTodoRepository.inMemory() }
    let screens = repositories.map { repository in
      let (actions, attempts) = (PublishSubject<TodoAction>(), PublishSubject<TaskDraft>())
      let items = ItemListViewModel(repository: repository)
        .transform(input: .init(actions: actions))
      let groups = GroupListViewModel(repository: repository)
        .transform(input: .init(actions: actions))
      let adding = AddTaskViewModel(repository: repository)
        .transform(input: .init(attempts: attempts))
      return (
        actions: actions, attempts: attempts, changed: Recorder(items.changed),
        added: Recorder(adding.added), groups: Recorder(groups.groups)
      )
    }
    screens[0].attempts.onNext(TaskDraft(title: "우유 사기", priority: .high))
    screens[1].actions.onNext(.addGroup(GroupDraft(name: "집안일")))
    #expect(screens.map(\.added.elements.count) == [1, 0])
    #expect(try repositories.map { try $0.items(.all).count } == [1, 0])
    #expect(try repositories.map { try $0.groups().count } == [0, 1])
    screens[1].groups.wait { $0.last?.count == 1 }
    #expect(screens[0].groups.elements == [[]])
  }

  @Test func anErrorOfTheStoreIsALocalizedErrorWithItsCause() throws {
    let folder = TemporaryFolder()
    let path = folder.path(to: "notes.txt")
    try Data("no store".utf8).write(to: URL(filePath: path))
    let error: any Error = try #require(
      #expect(throws: TodoError.self) { try CroftTodoRepository(path: path) })
    #expect(error.localizedDescription.hasPrefix("This file is not a list"))
    guard case .storage(let cause) = error as? TodoError else {
      Issue.record("unexpected error: \(error)")
      return
    }
    #expect(cause is StoreError)
    let absent: any Error = TodoError.notFound(.numbered(1))
    #expect(absent.localizedDescription.hasPrefix("There is no such to-do: "))
  }
}

/// How many tasks have ended.
private actor Count {
  private(set) var value = 0

  func add() { value += 1 }
}
