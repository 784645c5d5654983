import Croft
import Dispatch
import Foundation
import LMDB
import Presentation
import Reactive
import ReactiveTestSupport
import Synchronization
import Testing
import TestSupport
import TodoKit
import TodoTestSupport

/// What a repository on disk tells its observers beyond what every repository does.
@Suite("CroftTodoRepository, observed")
struct CroftTodoRepositoryObserveTests {
  /// A scheduler of virtual time that says when the store has handed it work.
  private struct Handing: ImmediateSchedulerType {
    let time = VirtualTimeScheduler()
    let handed = DispatchSemaphore(value: 0)

    func schedule<State: Sendable>(
      _ state: State, action: @escaping @Sendable (State) -> any Disposable
    ) -> any Disposable {
      defer { handed.signal() }
      return time.schedule(state, action: action)
    }
  }

  @Test func oneSchedulerDeliversEveryKindOfObservation() throws {
    let scheduler = Handing()
    let repository = try CroftTodoRepository.inMemory(scheduler: scheduler)
    let items = Recorder(repository.observe(.all))
    let pages = Recorder(repository.observe(ListPage.Request(.all)))
    let changes = Recorder(repository.changes(in: .all, .all))
    let tallies = Recorder(repository.observeTally(of: .all))
    let groups = Recorder(repository.observeGroups())
    let histories = Recorder(repository.observeHistory())
    func counts() -> [Int] {
      [
        items.elements.count, pages.elements.count, changes.elements.count,
        tallies.elements.count, groups.elements.count, histories.elements.count,
      ]
    }
    #expect(counts() == [1, 1, 1, 1, 1, 1], "the first values need no scheduler")
    // Each observer is handed the state from which later changes lead; it is told already.
    for _ in 0..<6 { scheduler.handed.wait() }
    scheduler.time.start()
    #expect(counts() == [1, 1, 1, 1, 1, 1])

    let home = try repository.perform(.addGroup(name: "Home")).groups[0]
    // The groups and the history.
    for _ in 0..<2 { scheduler.handed.wait() }
    #expect(counts() == [1, 1, 1, 1, 1, 1], "nothing comes before the clock runs")
    scheduler.time.start()
    #expect(counts() == [1, 1, 1, 1, 2, 2])

    let item = try repository.perform(.add(TodoItem(title: "milk", group: Ref(home)))).items[0]
    for _ in 0..<6 { scheduler.handed.wait() }
    scheduler.time.start()
    #expect(counts() == [2, 2, 2, 2, 3, 3])
    #expect(items.elements.last == [item] && pages.elements.last?.items == [item])
    #expect(tallies.elements.last == Tally(total: 1))
  }

  @Test func commitsOfAnotherRepositoryOnTheFileAreDelivered() throws {
    let folder = TemporaryFolder()
    let path = folder.path(to: "todo.croft")
    let one = try CroftTodoRepository(path: path)
    let other = try CroftTodoRepository(path: path)
    let lists = Recorder(one.observe(.all))
    let changes = Recorder(one.changes(in: .all, .all))
    let tallies = Recorder(one.observeTally(of: .all))
    let groups = Recorder(one.observeGroups())
    let histories = Recorder(one.observeHistory())
    let home = try other.perform(.addGroup(name: "Home")).groups[0]
    groups.wait { $0.last?.map(\.group) == [home] }
    let item = try other.perform(.add(TodoItem(title: "milk"))).items[0]
    lists.wait { $0.last == [item] }
    changes.wait { $0.last.map { Array($0.after.rows) } == [item] }
    tallies.wait { $0.last == Tally(total: 1) }
    let edit = try other.perform(.edit([item.id], ItemPatch(isDone: true, groupID: home.id))).items
    lists.wait { $0.last == edit }
    groups.wait { $0.last?.map(\.tally) == [Tally(total: 1, done: 1)] }
    // The history of the file is one: this one undoes what the other did.
    histories.wait { $0.last?.undo != nil && $0.last?.redo == nil }
    try one.perform(.undo)
    lists.wait { $0.last == [item] }
    histories.wait { $0.last?.redo != nil }
  }

  @Test func twoRepositoriesThatWriteTellEachOtherOfAll() async throws {
    let folder = TemporaryFolder()
    let path = folder.path(to: "todo.croft")
    let repositories = [
      try CroftTodoRepository(path: path), try CroftTodoRepository(path: path),
    ]
    let lists = repositories.map { Recorder($0.observe(.all)) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (writer, repository) in repositories.enumerated() {
        group.addTask {
          for number in 1...30 {
            try await repository.perform(.add(.numbered(writer * 100 + number)))
          }
        }
      }
      try await group.waitForAll()
    }
    let stored = try repositories[0].items(.all)
    for lists in lists {
      lists.wait { $0.last == stored }
      let ids = lists.elements.map { Set($0.map(\.id)) }
      #expect(zip(ids, ids.dropFirst()).allSatisfy { $0.isStrictSubset(of: $1) })
    }
  }

  @Test func commitsOfAnotherProcessAreDelivered() async throws {
    let folder = TemporaryFolder()
    let path = folder.path(to: "todo.croft")
    let repository = try CroftTodoRepository(path: path)
    try await repository.perform(.add(.numbered(1)))
    let lists = Recorder(repository.observe(.all))
    let changes = Recorder(repository.changes(in: .all, .all))
    let tallies = Recorder(repository.observeTally(of: .all))
    await #expect(processExitsWith: .success) { [path = path as String] in
      let other = try CroftTodoRepository(path: path)
      try await other.perform(.setDone([.numbered(1)], true))
      try await other.perform(.add(.numbered(2)))
    }
    let stored = try repository.items(.all)
    #expect(stored.map(\.id) == [.numbered(2), .numbered(1)])
    lists.wait { $0.last == stored }
    changes.wait { $0.last.map { Array($0.after.rows) } == stored }
    tallies.wait { $0.last == Tally(total: 2, done: 1) }
  }

  @Test func anObserverThatFallsBehindGetsTheLatest() throws {
    let folder = TemporaryFolder()
    let repository = try CroftTodoRepository(path: folder.path(to: "todo.croft"))
    let (isIn, mayLeave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let lists = Recorder(
      repository.observe(.all).do(onNext: { items in
        if items.count == 1 {
          isIn.signal()
          mayLeave.wait()
        }
      }))
    try repository.perform(.add(.numbered(1)))
    isIn.wait()
    // No writer waits for an observer.
    for number in 2...100 { try repository.perform(.add(.numbered(number))) }
    mayLeave.signal()
    lists.wait { $0.last?.count == 100 }
    #expect(lists.elements.count < 100, "what came meanwhile comes as one")
  }

  @Test func aListThatCannotBeReadEndsTheStreamWithAnErrorOfThisModule() throws {
    let folder = TemporaryFolder()
    let path = folder.path(to: "todo.croft")
    let repository = try CroftTodoRepository(path: path)
    try repository.perform(.add(.numbered(1)))
    let lists = Recorder(repository.observe(.all))
    let changes = Recorder(repository.changes(in: .all, .all))
    let raw = try Store.open(at: URL(filePath: path), models: Foreign.TodoItem.self)
    _ = try raw.write { tx in
      try tx.update(Foreign.TodoItem.self, UUID.numbered(1)) { $0.priority = 99 }
    }
    lists.waitForEnd()
    changes.waitForEnd()
    #expect((lists.errors.first as? TodoError)?.code == "todo.store.differs")
    #expect((changes.errors.first as? TodoError)?.code == "todo.store.differs")
    // A subscription to a list that cannot be read fails at once.
    let late = Recorder(repository.observe(.all))
    #expect(
      late.elements.isEmpty && (late.errors.first as? TodoError)?.code == "todo.store.differs")
  }

  #if DEBUG
    /// How many calls of the C library a writer makes to mark one of a few items done.
    private func calls(_ repository: CroftTodoRepository, _ isDone: Bool) throws -> Int {
      let plan = FaultPlan(failingCall: .max, with: .outOfSpace)
      try FaultPlan.$current.withValue(plan) {
        try repository.perform(.setDone([.numbered(1)], isDone))
      }
      return plan.callCount
    }

    @Test func aWriterPaysNothingForObserversThatAreGone() throws {
      let folder = TemporaryFolder()
      // Without a history, which grows.
      let repository = try CroftTodoRepository(
        path: folder.path(to: "todo.croft"), limits: HistoryLimits(commands: 0))
      try repository.perform(.add((1...10).map { .numbered($0) }))
      let before = try [true, false].map { try calls(repository, $0) }
      do {
        let lists = Recorder(repository.observe(.all))
        try repository.perform(.setDone([.numbered(2)], true))
        lists.wait { $0.count == 2 }
        try repository.perform(.setDone([.numbered(2)], false))
        lists.wait { $0.count == 3 }
      }
      let after = try [true, false].map { try calls(repository, $0) }
      // A row that is the next one in its tree takes a call less, and so depends on its neighbours.
      #expect(zip(after, before).allSatisfy { abs($0 - $1) <= 2 }, "\(after) \(before)")
    }

    /// In a process of its own, where nobody else calls the C library.
    @Test func anObservedListIsNotFetchedAgain() async {
      await #expect(processExitsWith: .success) {
        let folder = TemporaryFolder()
        let repository = try CroftTodoRepository(path: folder.path(to: "todo.croft"))
        try await repository.perform(.add((1...10_000).map { .numbered($0) }))
        let lists = Recorder(repository.observe(.all))
        let changes = Recorder(repository.changes(in: .all, .all))
        // A first change: from here on both observers follow.
        try await repository.perform(.setDone([.numbered(1)], true))
        lists.wait { $0.last?.last?.id == .numbered(1) }
        changes.wait { $0.last?.after.rows.last?.id == .numbered(1) }

        let start = FaultPlan.callsOfAllThreads
        _ = try repository.items(.all)
        let fetching = FaultPlan.callsOfAllThreads - start
        try await repository.perform(.setDone([.numbered(5_000)], true))
        lists.wait { $0.last?.last?.id == .numbered(5_000) }
        changes.wait { $0.last?.after.rows.last?.id == .numbered(5_000) }
        let toggling = FaultPlan.callsOfAllThreads - start - fetching
        print("fetching 10,000 items: \(fetching) calls; toggling one, observed: \(toggling)")
        #expect(fetching > 4 * toggling && toggling < 100, "\(fetching), \(toggling)")
      }
    }
  #endif
}

/// The program that a file's other writer may be: its items have numbers for priorities.
enum Foreign {
  @Model struct TodoItem {
    @PrimaryKey var id: UUID
    var priority: Int = 0
  }
}
